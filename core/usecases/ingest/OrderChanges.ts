/** The changes that events of platforms ask for, each by the use case that the management API has for it. */
import { Array as Arr, Effect, Option } from "effect"
import { service } from "../../model/audit/Actor.ts"
import type { InboxItem, InboxSettlement, OrderProgress } from "../../model/ingest/InboxItem.ts"
import { quote, quoteId } from "../../model/json/Json.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { outcome } from "../../rules/ingest/Outcome.ts"
import type { Reading } from "../../rules/ingest/Reading.ts"
import { isOlder } from "../../rules/ingest/Recency.ts"
import { CurrentActor } from "../../support/Auditing.ts"
import { findOrder } from "../../support/ShopRecords.ts"
import { cancelOrder } from "../orders/CancelOrder.ts"
import { redactOrder } from "../orders/RedactOrder.ts"
import { findConnection } from "./Connections.ts"
import { momentOf, noDesigns } from "./PlaceReport.ts"

/**
 * Cancels an order. A cancellation that is older than the newest state of its order changes nothing: the platform has
 * opened the order since (D80). One of an order that has not come is kept (D50); one without a time ends all states
 * that came before it.
 */
export const cancelOf = Effect.fnUntraced(function* (
  shop: Shop,
  { hasDesigns, modifiedAt, orderId }: Extract<Reading, { readonly _tag: "Cancel" }>,
  {
    item: { property, topic, triggeredAt },
    progress,
  }: { readonly item: Pick<InboxItem, "property" | "topic" | "triggeredAt">; readonly progress: OrderProgress },
) {
  const placed = momentOf(progress.placedAt, progress.placedTriggeredAt)
  const isOld = modifiedAt !== null && placed !== undefined && isOlder({ modifiedAt, triggeredAt }, placed)
  if (isOld) return outcome("ignored", `A newer state of the order ${quoteId(orderId)} came before`)
  const isStored = Option.isSome(yield* findOrder(shop.id, orderId))
  if (hasDesigns === false && !isStored) return noDesigns(property)
  const cancelled = yield* cancelOrder(shop.id, orderId)
  if (cancelled === undefined) return outcome("ignored", `The order ${quoteId(orderId)} came without designs`)
  const sentence = "message" in cancelled ? cancelled.message : null
  const isDeleted = isStored && topic === "orders/delete"
  return {
    ...outcome("applied", isDeleted ? `The platform has deleted the order ${quoteId(orderId)}` : sentence),
    ends: "The order was cancelled",
    modifiedAt: Math.max(triggeredAt ?? 0, progress.placedAt ?? 0) || null,
  } satisfies InboxSettlement
})

/**
 * Reports an order that the platform no longer has and that is made here: a person decides (D88). By hand it is decided
 * that the order stays.
 */
export const missingOf = Effect.fnUntraced(function* (
  shop: Shop,
  { orderId }: Extract<Reading, { readonly _tag: "Missing" }>,
  isByHand: boolean,
) {
  const found = yield* findOrder(shop.id, orderId)
  const isMade = Option.exists(found, ({ designs }) => designs.some(({ status }) => status === "ordered"))
  if (!isMade) return outcome("ignored", `The order ${quoteId(orderId)} is not made any more`)
  if (isByHand) return outcome("ignored", `The order ${quoteId(orderId)} stays, as a person has decided`)
  return outcome(
    "failed",
    `The platform no longer has the order ${quoteId(orderId)}, which is made here: cancel it, or place it by hand to ` +
      "keep it",
  )
})

/** Orders that are looked for by one statement. */
const lookedFor = 5_000

/** The orders of some that are stored. */
const storedOf = Effect.fnUntraced(function* (shop: Shop, orders: ReadonlyArray<string>) {
  const store = yield* OrderStore
  const parts = yield* Effect.forEach(Arr.chunksOf(orders, lookedFor), (part) =>
    store.existing(shop.id, "orders", part),
  )
  const stored = new Set(parts.flat())
  return orders.filter((id) => stored.has(id))
})

/** Orders that a reason names. */
const namedAtMost = 20

const named = (orders: ReadonlyArray<string>): string => {
  const names = orders.slice(0, namedAtMost).map((id) => quote(id))
  return orders.length > namedAtMost ? `${names.join(", ")} and ${orders.length - namedAtMost} more` : names.join(", ")
}

/** The shop as its platform names it: by the domain of its connection, if it has one. */
export const namedAs = (shop: Shop, { source }: Pick<InboxItem, "source">) =>
  Effect.map(findConnection(shop.id, source), (connection) =>
    connection === undefined ? shop : { ...shop, domain: connection.domain },
  )

/** Redacts the orders of a buyer (D43), and drops what the inbox has of them. */
export const redactOf = Effect.fnUntraced(function* (
  shop: Shop,
  { domain, orders }: Extract<Reading, { readonly _tag: "Redact" }>,
) {
  if (!isDomainOf(shop, domain)) return outcome("failed", otherShop(shop, domain))
  const stored = yield* storedOf(shop, orders)
  for (const id of stored) yield* Effect.provideService(redactOrder(shop.id, id), CurrentActor, service)
  yield* Inbox.use((inbox) => inbox.erase(shop.id, orders, "The buyer's data was redacted"))
  return stored.length === 0
    ? outcome("ignored", "The shop has no order of the buyer")
    : outcome("applied", `Redacted the orders ${named(stored)}`)
})

/** Names the orders whose designs are what the service has of a buyer: the owner reads and hands them over. */
export const discloseOf = Effect.fnUntraced(function* (
  shop: Shop,
  { domain, orders }: Extract<Reading, { readonly _tag: "Disclose" }>,
) {
  if (!isDomainOf(shop, domain)) return outcome("failed", otherShop(shop, domain))
  const stored = yield* storedOf(shop, orders)
  return stored.length === 0
    ? outcome("ignored", "The shop has no order of the buyer")
    : outcome("applied", `The buyer asks for the data of the orders ${named(stored)}`)
})

/** Whether the body of a request for privacy is about this shop: its address and its topic are signed by nobody. */
export const isDomainOf = (shop: Shop, domain: string | null): boolean =>
  domain?.toLowerCase() === shop.domain.toLowerCase()

const otherShop = ({ domain, id }: Shop, named: string): string =>
  `The request is for ${quote(named)}, but the domain of ${quoteId(id)} is ${JSON.stringify(domain)}: ` +
  "if it is this shop, give it that domain, and try the event again"

/** Why a request to remove a shop is not carried out: removing another shop could not be undone. */
export const wrongDomain = ({ domain, id }: Shop, named: string | null): string => {
  const other = named === null ? "names no shop" : `is for ${quote(named)}`
  return (
    `The request to remove a shop ${other}, but the domain of ${quoteId(id)} is ${JSON.stringify(domain)}: ` +
    "if it is this shop, delete it"
  )
}

/** Why the end of another shop's connection changes nothing. */
export const wrongEnd = (shop: Shop, named: string | null): string =>
  named === null ? "The event that the app was removed names no shop" : otherShop(shop, named)
