/** Events of shop platforms, and what became of them (D57). Their bodies are not read: they have data of buyers. */
import { Clock, Effect, Option } from "effect"
import { NotFound } from "../../model/Errors.ts"
import { compareIds } from "../../model/Ids.ts"
import type { Instant } from "../../model/Instant.ts"
import type { InboxEntry, InboxState } from "../../model/ingest/InboxItem.ts"
import { type InboxPage, view } from "../../model/ingest/InboxView.ts"
import { quoteId } from "../../model/json/Json.ts"
import { namesIn, partsIn } from "../../model/orders/SearchTexts.ts"
import type { InboxInput } from "../../model/queries/Inputs.ts"
import { inboxQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { isStorable } from "../../model/Text.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { namedIn } from "../../rules/ingest/ReadEvent.ts"
import { listPage } from "../../support/ListPage.ts"
import { idAt } from "../../support/NewId.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { searchOrders } from "../orders/SearchOrders.ts"

const read = queryReader(inboxQuery)

/** The time in which events came. */
type Span = {
  readonly from?: Instant | undefined
  /** Not included. */
  readonly until?: Instant | undefined
}

/** The ids of the events of a span: from the one, and before the other. */
const idsIn = ({ from, until }: Span) => ({
  from: from === undefined ? "" : idAt("inb_", from),
  end: until === undefined ? null : idAt("inb_", until),
})

/**
 * Lists the events that a shop's platform has sent, newest first: all that are kept, those in one state, or those of a
 * span. Fails with `NotFound` and `InvalidInput`.
 */
export const listInbox = Effect.fn("ReadInbox.list")(function* (
  shopId: string,
  input: InboxInput = {},
  span: Span = {},
) {
  const shop = yield* shopOf(shopId)
  const { after: start = null, limit, state = null } = yield* Effect.fromResult(read(input))
  const { list } = yield* Inbox
  const { end, from } = idsIn(span)
  const begin = start === null || (end !== null && end < start) ? end : start
  const { entries, last } = yield* listPage(limit, (part, after: InboxEntry | undefined) =>
    list({ ...part, shop: shop.id, state, from, after: after?.id ?? begin }),
  )
  const page: InboxPage = {
    data: entries.map(view),
    pagination: { limit, nextCursor: last?.id ?? null },
  }
  return page
})

/** Reads an event that a shop's platform has sent. Fails with `NotFound`. */
export const readInboxEvent = Effect.fn("ReadInbox.read")(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  const entry = isStorable(id) ? yield* Inbox.use((inbox) => inbox.find(shop.id, id)) : Option.none()
  if (Option.isNone(entry)) return yield* new NotFound({ message: `The shop has no event ${quoteId(id)}` })
  return view(entry.value)
})

/** Orders of a name, and events, that a search finds, at most. */
const [ordersFound, eventsFound] = [5, 15]

/**
 * The newest events that a shop's platform has sent about the orders that a text names, or a part of it: by their id or
 * their name. If the shop has no order of the name, the newest events that were not taken over are searched for it.
 * Also the event that has the text as its own id. Of these, only those in a state and of a span, if they are given.
 */
export const findInbox = Effect.fn("ReadInbox.find")(function* (
  shopId: string,
  text: string,
  { state = null, ...span }: Span & { readonly state?: InboxState | null | undefined } = {},
) {
  const asked = text.trim()
  if (asked === "" || asked.length > 255 || !isStorable(asked)) return []
  const inbox = yield* Inbox
  const named = yield* searchOrders({
    ...{ shop: shopId, text: asked, exact: true, status: null, from: null, until: null, after: null },
    ...{ limit: ordersFound, designs: 0 },
  })
  const { end: after, from } = idsIn(span)
  const own = Option.filter(
    yield* inbox.find(shopId, asked),
    ({ id, state: its }) => (state ?? its) === its && id >= from && (after === null || id < after),
  )
  const texts = [asked, ...partsIn(asked)]
  const orders = new Set([...texts.map((part) => part.replace(/^#/, "")), ...named.orders.map(({ order }) => order.id)])
  const page = { shop: shopId, state, from, after, limit: eventsFound }
  const found = yield* Effect.forEach([...orders].filter(Boolean), (order) => inbox.list({ ...page, order }))
  const names = named.orders.length > 0 ? [] : texts.filter((part) => /\d/.test(part)).flatMap(namesIn)
  const missing = names.length === 0 ? [] : yield* inbox.list({ ...page, saying: names.flatMap(namedIn) })
  const events = new Map([...Option.toArray(own), ...found.flat(), ...missing].map((event) => [event.id, event]))
  return [...events.values()]
    .toSorted((one, other) => compareIds(other.id, one.id))
    .slice(0, eventsFound)
    .map(view)
})

/** How many events of a shop's platform have failed, and how many have waited for too long (D85). */
export const readTrouble = Effect.fn("ReadInbox.trouble")(function* (shopId: string) {
  const inbox = yield* Inbox
  return yield* inbox.trouble(shopId, Math.trunc(yield* Clock.currentTimeMillis))
})
