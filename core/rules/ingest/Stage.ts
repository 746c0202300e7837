import type { PlatformSettings } from "../../model/ingest/PlatformSettings.ts"
import { quote } from "../../model/json/Json.ts"
import type { PlatformState } from "./Reading.ts"

/**
 * The stage of an order for production (D80):
 *
 * - `make`: production makes it;
 * - `wait`: it waits for payment;
 * - `void`: it waits too, and is cancelled if it was placed;
 * - `test`: it is a test of the shop;
 * - `over`: it was made, or never will be;
 * - `unknown`: it was paid, and is in a state of the shop's own that no setting names.
 */
export interface Stage {
  readonly kind: "make" | "wait" | "void" | "test" | "over" | "unknown"
  /** The state, for a sentence: "The order is …". */
  readonly words: string
}

/** States of payment with which Shopify has given up waiting. */
const voided: ReadonlyArray<string | null> = ["voided", "expired"]

/** Gateways of Shopify that pay at once a part of an order, of which another one gets the rest. */
const partial: ReadonlyArray<string> = ["gift_card", "shopify_store_credit"]

/** States of WooCommerce that wait for payment. */
const waiting: ReadonlyArray<string> = ["pending", "on-hold", "failed", "checkout-draft", "auto-draft", "draft"]

/** The stage of an order. */
export const stageOf = (state: PlatformState, settings: PlatformSettings): Stage =>
  state.platform === "shopify" ? ofShopify(state, settings) : ofWooCommerce(state, settings)

const ofShopify = (
  { financial, gateways, hasTerms, isArchived, isFulfilled, isTest }: PlatformState & { readonly platform: "shopify" },
  { laterGateways, paidStates, takesTests }: PlatformSettings,
): Stage => {
  const words = financial ?? "not paid"
  if (isTest && !takesTests) return { kind: "test", words: "a test order" }
  if (voided.includes(financial)) return { kind: "void", words }
  if (isFulfilled) return { kind: "over", words: "fulfilled" }
  if (isArchived) return { kind: "over", words: "archived" }
  if (financial === "refunded") return { kind: "over", words }
  const others = gateways.map((name) => name.trim().toLowerCase()).filter((name) => !partial.includes(name))
  const isLater = others.length > 0 && others.every((name) => laterGateways.includes(name))
  return { kind: paidStates.includes(financial ?? "") || hasTerms || isLater ? "make" : "wait", words }
}

const ofWooCommerce = (
  { isPaid, status }: PlatformState & { readonly platform: "woocommerce" },
  { doneStates, placedStates }: PlatformSettings,
): Stage => {
  if (placedStates.includes(status)) return { kind: "make", words: status }
  if (doneStates.includes(status)) return { kind: "over", words: status }
  if (waiting.includes(status)) return { kind: "wait", words: status }
  const words = `in the state ${quote(status)}, which no setting names`
  return { kind: isPaid ? "unknown" : "wait", words }
}
