/** The changes that events of platforms ask for, each by the use case that the management API has for it. */
import { Array as Arr, Effect, Option } from "effect"
import { service } from "../../model/audit/Actor.ts"
import type { NotFound } from "../../model/Errors.ts"
import type { InboxItem, InboxOutcome, OrderProgress } from "../../model/ingest/InboxItem.ts"
import { quote, quoteId } from "../../model/json/Json.ts"
import * as Order from "../../model/orders/Order.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { OrderStore, type OrderWithDesigns } from "../../ports/OrderStore.ts"
import { outcome } from "../../rules/ingest/Outcome.ts"
import type { PlatformOrder, Reading } from "../../rules/ingest/Reading.ts"
import { isOlder, type Moment } from "../../rules/ingest/Recency.ts"
import { CurrentActor } from "../../support/Auditing.ts"
import { retryStale } from "../../support/RetryStale.ts"
import { findOrder } from "../../support/ShopRecords.ts"
import { cancelOrder } from "../orders/CancelOrder.ts"
import { placeBeside, placeOrder } from "../orders/PlaceOrder.ts"
import { redactOrder } from "../orders/RedactOrder.ts"

const noDesigns = (property: string) => outcome("ignored", `No line has the property ${quoteId(property)}`)

/**
 * Places an order, or adds its new lines. An older state than one that was applied changes nothing; a cancellation that
 * came before the order is applied with it, however long ago it came.
 */
export const placeOf = Effect.fnUntraced(
  function* (
    shop: Shop,
    { currency, id, modifiedAt, ...order }: PlatformOrder,
    {
      item: { property, triggeredAt },
      progress,
    }: { readonly progress: OrderProgress; readonly item: Pick<InboxItem, "property" | "triggeredAt"> },
  ) {
    const moment = { modifiedAt, triggeredAt }
    const placed = momentOf(progress.placedAt, progress.placedTriggeredAt)
    if (placed !== undefined && isOlder(moment, placed)) {
      return outcome("ignored", `A newer state of the order ${quoteId(id)} came before`)
    }
    if (order.lines.length === 0) {
      yield* placeOrder(shop.id, id, order)
      return noDesigns(property)
    }
    const found = yield* findOrder(shop.id, id)
    const existing = Option.getOrUndefined(found)
    const obstacle = existing === undefined ? undefined : obstacleIn(existing, { id, moment, progress })
    if (obstacle !== undefined) return obstacle
    const expected = existing === undefined ? shop.currency : Order.fromHead(existing.order.head).currency
    if (currency !== expected) {
      const other = existing === undefined ? "the shop's designs are priced" : "it was placed"
      return outcome("failed", `The order ${quoteId(id)} is in ${currency}, but ${other} in ${expected}`)
    }
    // The report of it may have ended (D50).
    if (existing === undefined && progress.isCancelled) yield* cancelOrder(shop.id, id)
    return yield* placeBeside({ shop, found }, id, order).pipe(
      Effect.as(outcome("applied")),
      Effect.catchTag("NotFound", (error) => waitingFor(shop.id, order.lines, error)),
    )
  },
  (effect) => retryStale(effect),
)

/** The outcome of an order that can't be placed because a design is missing. Fails as before if none is. */
const waitingFor = Effect.fnUntraced(function* (shop: string, lines: PlatformOrder["lines"], error: NotFound) {
  const missing = yield* firstMissing(
    shop,
    lines.map(({ designId }) => designId),
  )
  if (missing === undefined) return yield* error
  const reason = `The shop has no design ${quoteId(missing)}: the order is placed once it has`
  return { ...outcome("waiting", reason), designId: missing } satisfies InboxOutcome
})

const momentOf = (modifiedAt: Moment["modifiedAt"] | null, triggeredAt: Moment["triggeredAt"]): Moment | undefined =>
  modifiedAt === null ? undefined : { modifiedAt, triggeredAt }

/** A cancelled order stays as it is. If its platform has opened it again, somebody has to know. */
const obstacleIn = (
  { order }: OrderWithDesigns,
  { id, moment, progress }: { readonly id: string; readonly moment: Moment; readonly progress: OrderProgress },
): InboxOutcome | undefined => {
  if (Order.fromHead(order.head).status !== "cancelled") return undefined
  const cancelled = momentOf(progress.cancelledAt, progress.cancelledTriggeredAt)
  return cancelled !== undefined && !isOlder(moment, cancelled)
    ? outcome("failed", `The order ${quoteId(id)} was cancelled, which is final, and its platform has opened it again`)
    : outcome("ignored", `The order ${quoteId(id)} is cancelled`)
}

/** The first of some designs that the shop does not have, read in parts. */
const firstMissing = Effect.fnUntraced(function* (shop: string, ids: ReadonlyArray<string>) {
  const store = yield* OrderStore
  for (const part of Arr.chunksOf(ids, 32)) {
    const found = new Set((yield* store.designs(shop, part)).map(({ id }) => id))
    const missing = part.find((id) => !found.has(id))
    if (missing !== undefined) return missing
  }
  return undefined
})

/** Cancels an order, whatever its age: a cancellation is final. One of an order that has not come is kept (D50). */
export const cancelOf = Effect.fnUntraced(function* (
  shop: Shop,
  { hasDesigns, orderId }: Extract<Reading, { readonly _tag: "Cancel" }>,
  property: string,
) {
  if (hasDesigns === false && Option.isNone(yield* findOrder(shop.id, orderId))) return noDesigns(property)
  const cancelled = yield* cancelOrder(shop.id, orderId)
  if (cancelled === undefined) return outcome("ignored", `The order ${quoteId(orderId)} came without designs`)
  return outcome("applied", "message" in cancelled ? cancelled.message : null)
})

/** Orders that are looked for by one statement. */
const lookedFor = 5_000

/** The orders of some that are stored. */
const storedOf = Effect.fnUntraced(function* (shop: Shop, orders: ReadonlyArray<string>) {
  const store = yield* OrderStore
  const parts = yield* Effect.forEach(Arr.chunksOf(orders, lookedFor), (part) => store.storedOf(shop.id, part))
  const stored = new Set(parts.flat())
  return orders.filter((id) => stored.has(id))
})

/** Orders that a reason names. */
const namedAtMost = 20

const named = (orders: ReadonlyArray<string>): string => {
  const names = orders.slice(0, namedAtMost).map((id) => quote(id))
  return orders.length > namedAtMost ? `${names.join(", ")} and ${orders.length - namedAtMost} more` : names.join(", ")
}

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
