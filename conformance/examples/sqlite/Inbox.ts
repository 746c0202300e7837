import { Inbox, type InboxEntry, type InboxItem, type InboxOutcome, type OrderProgress } from "designwire/ports"
import { Effect, Option, Semaphore } from "effect"
import type { Database } from "./Database.ts"
import type { Host } from "./Host.ts"

/** The turn of the one event that this process applies: no transaction can span its change. */
const turn = Semaphore.makeUnsafe(1)

/** Events of platforms. Their bodies are `NULL` once they are done. */
export const makeInbox = ({ database }: Host): Inbox["Service"] => {
  const find = (shop: string, id: string) =>
    database.record<InboxEntry>("SELECT record FROM inbox WHERE shop = ? AND id = ?", shop, id)
  return Inbox.of({
    put: (item) =>
      database.attempt("Keeping an event", () => {
        const earlier = sameAs(database, item)
        if (earlier === undefined) return putItem(database, item)
        if (isReturn(database, item, earlier)) return putItem(database, { ...item, content: null })
        const { eventId, triggeredAt } = item
        const isAnother = item.content === earlier.content && eventId !== null && eventId !== earlier.eventId
        if (!isAnother || (triggeredAt ?? -1) <= (earlier.triggeredAt ?? -1)) return earlier
        return store(database, { ...earlier, triggeredAt }, earlier)
      }),
    apply: (shop, id, change) =>
      Effect.flatMap(
        database.attempt("Reading an event", () => {
          const entry = find(shop, id)
          const kept = database.first<{ body: string | null }>(
            "SELECT body FROM inbox WHERE shop = ? AND id = ?",
            ...[shop, id],
          )
          return entry === undefined
            ? undefined
            : { entry, body: kept?.body ?? null, progress: progressOf(database, entry) }
        }),
        (found) => {
          if (found === undefined) return Effect.succeedNone
          const { body, entry, progress } = found
          if (body === null) return Effect.succeedSome(entry)
          return Effect.flatMap(change({ ...entry, body }, progress), (outcome) =>
            database.attempt("Keeping an outcome", () => Option.some(store(database, entry, outcome))),
          )
        },
      ).pipe(Effect.uninterruptible, turn.withPermits(1)),
    find: (shop, id) => database.attempt("Reading an event", () => Option.fromUndefinedOr(find(shop, id))),
    list: ({ after, bytes, limit, shop, state }) =>
      database.attempt("Reading events", () =>
        database.fitting<InboxEntry>(
          bytes,
          `SELECT record FROM inbox WHERE shop = ?1 AND (?2 IS NULL OR id < ?2)
             AND (?3 IS NULL OR record ->> '$.state' = ?3) ORDER BY id DESC LIMIT ?4`,
          ...[shop, after, state, limit],
        ),
      ),
    waiting: ({ after, limit }) =>
      database.attempt("Looking for shops", () =>
        database
          .all<{ shop: string }>(
            `SELECT DISTINCT shop FROM inbox WHERE record ->> '$.state' = 'waiting' AND shop > ? ORDER BY shop LIMIT ?`,
            ...[after ?? "", limit],
          )
          .map(({ shop }) => shop),
      ),
    // All in one step, which is short enough for a file of a few gigabytes.
    ready: ({ after, shop }) =>
      database.attempt("Looking for events", () => ({
        found: database
          .all<{ id: string }>(
            `SELECT id FROM inbox WHERE shop = ? AND id > ? AND record ->> '$.state' = 'waiting'
             AND (record ->> '$.designId' IS NULL OR EXISTS (
               SELECT 1 FROM designs d WHERE d.shop = inbox.shop AND d.id = inbox.record ->> '$.designId'
             )) ORDER BY id`,
            ...[shop, after ?? ""],
          )
          .map(({ id }) => id),
        after: null,
      })),
    size: (shop) =>
      database.attempt(
        "Measuring events",
        () =>
          database.first<{ events: number; bytes: number }>(
            "SELECT count(*) AS events, coalesce(sum(length(CAST(body AS BLOB))), 0) AS bytes FROM inbox WHERE shop = ?",
            shop,
          ) ?? { events: 0, bytes: 0 },
      ),
    erase: (shop, orders, reason) =>
      database.attempt("Erasing events", () => {
        for (const order of orders) {
          const entries = database.records<InboxEntry>(
            "SELECT record FROM inbox WHERE shop = ? AND record ->> '$.orderId' = ? AND body IS NOT NULL",
            ...[shop, order],
          )
          for (const entry of entries) store(database, entry, { state: "ignored", reason, designId: null })
        }
      }),
  })
}

/** The event of the source that has the same id there, or the same content. */
const sameAs = (database: Database, { content, eventId, shop, source }: InboxItem) =>
  database.record<InboxEntry>(
    `SELECT record FROM inbox WHERE shop = ?1 AND record ->> '$.source' = ?2
       AND (record ->> '$.eventId' = ?3 OR record ->> '$.content' = ?4)
     ORDER BY record ->> '$.eventId' = ?3 DESC LIMIT 1`,
    ...[shop, source, eventId, content],
  )

/** Whether an event says of its order what an earlier one said, after another one has said something else. */
const isReturn = (database: Database, item: InboxItem, earlier: InboxEntry): boolean =>
  item.eventId !== null &&
  item.eventId !== earlier.eventId &&
  database.first(
    `SELECT 1 FROM inbox WHERE shop = ? AND record ->> '$.source' = ? AND record ->> '$.orderId' = ?
       AND record ->> '$.content' IS NOT ? AND record ->> '$.modifiedAt' = ?
       AND record ->> '$.triggeredAt' < ? AND record ->> '$.triggeredAt' >= ?`,
    ...[item.shop, item.source, item.orderId, item.content, item.modifiedAt],
    ...[item.triggeredAt, earlier.triggeredAt ?? Number.MIN_SAFE_INTEGER],
  ) !== undefined

/** Whether an event can be stored, and no other one of its source is about its order. */
export const isFirstOfOrder = (database: Database, item: InboxItem): boolean =>
  sameAs(database, item) === undefined &&
  database.first(
    "SELECT 1 FROM inbox WHERE shop = ? AND record ->> '$.source' = ? AND record ->> '$.orderId' = ?",
    ...[item.shop, item.source, item.orderId],
  ) === undefined

/** Stores an event, and returns it without its body. */
export const putItem = (database: Database, { body, ...entry }: InboxItem): InboxEntry => {
  database.run("INSERT INTO inbox VALUES (?, ?, ?, ?)", entry.shop, entry.id, JSON.stringify(entry), body)
  return store(database, entry, entry)
}

/** Ignores the events that have cancelled an order, and returns how many they are. */
export const ignoreCancellations = (database: Database, shop: string, orderId: string, reason: string): number =>
  database.run(
    `UPDATE inbox SET record = json_set(record, '$.state', 'ignored', '$.reason', ?)
WHERE shop = ? AND record ->> '$.orderId' = ? AND record ->> '$.change' = 'cancel' AND record ->> '$.state' = 'applied'`,
    ...[reason, shop, orderId],
  )

/** Stores the outcome of an event, and drops its body if it is done. */
const store = (database: Database, entry: InboxEntry, { designId, reason, state }: InboxOutcome): InboxEntry => {
  const next = { ...entry, state, reason, designId }
  const isDone = state === "applied" || state === "ignored"
  database.run(
    "UPDATE inbox SET record = ?, body = iif(?, NULL, body) WHERE shop = ? AND id = ?",
    ...[JSON.stringify(next), isDone ? 1 : 0, entry.shop, entry.id],
  )
  return next
}

const progressOf = (database: Database, { orderId, shop, source }: InboxEntry): OrderProgress => {
  const newest = (condition: string) =>
    database.record<InboxEntry>(
      `SELECT record FROM inbox
WHERE shop = ? AND record ->> '$.orderId' = ? AND record ->> '$.source' = ? AND ${condition}
ORDER BY record ->> '$.modifiedAt' DESC NULLS LAST, record ->> '$.triggeredAt' DESC NULLS LAST LIMIT 1`,
      ...[shop, orderId, source],
    )
  const placed = newest("record ->> '$.change' = 'place' AND record ->> '$.state' IN ('applied', 'ignored')")
  const cancelled = newest("record ->> '$.change' = 'cancel' AND record ->> '$.state' = 'applied'")
  return {
    placedAt: placed?.modifiedAt ?? null,
    placedTriggeredAt: placed?.triggeredAt ?? null,
    isCancelled: cancelled !== undefined,
    cancelledAt: cancelled?.modifiedAt ?? null,
    cancelledTriggeredAt: cancelled?.triggeredAt ?? null,
  }
}
