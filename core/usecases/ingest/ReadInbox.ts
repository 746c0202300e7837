/** Events of shop platforms, and what became of them (D57). Their bodies are not read: they have data of buyers. */
import { Clock, Effect, Option } from "effect"
import { NotFound } from "../../model/Errors.ts"
import type { InboxEntry } from "../../model/ingest/InboxItem.ts"
import { type InboxPage, view } from "../../model/ingest/InboxView.ts"
import { quoteId } from "../../model/json/Json.ts"
import type { InboxInput } from "../../model/queries/Inputs.ts"
import { inboxQuery } from "../../model/queries/Queries.ts"
import { queryReader } from "../../model/queries/Query.ts"
import { isStorable } from "../../model/Text.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { listPage } from "../../support/ListPage.ts"
import { shopOf } from "../../support/ShopRecords.ts"

const read = queryReader(inboxQuery)

/**
 * Lists the events that a shop's platform has sent, newest first: all that are kept, or those in one state. Fails with
 * `NotFound` and `InvalidInput`.
 */
export const listInbox = Effect.fn("ReadInbox.list")(function* (shopId: string, input: InboxInput = {}) {
  const shop = yield* shopOf(shopId)
  const { after: start = null, limit, state = null } = yield* Effect.fromResult(read(input))
  const { list } = yield* Inbox
  const { entries, last } = yield* listPage(limit, (part, after: InboxEntry | undefined) =>
    list({ ...part, shop: shop.id, state, after: after?.id ?? start }),
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

/** How many events of a shop's platform have failed, and how many have waited for too long (D85). */
export const readTrouble = Effect.fn("ReadInbox.trouble")(function* (shopId: string) {
  const inbox = yield* Inbox
  return yield* inbox.trouble(shopId, Math.trunc(yield* Clock.currentTimeMillis))
})
