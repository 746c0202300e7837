import { Redaction } from "designwire"
import {
  DeliveryLog,
  type DeliveryRecord,
  type EventRecord,
  EventStore,
  type FeedPage,
  type FeedQuery,
  type HourCounts,
  type NoticeRecord,
  NoticeStore,
  PositionGone,
  type Waiting,
} from "designwire/ports"
import { Effect, Option } from "effect"
import type { Database } from "./Database.ts"
import { endpointOf, eventOf, missedEvents } from "./Deliveries.ts"
import type { Host } from "./Host.ts"
import { resendable } from "./Resend.ts"

/** Past and pending deliveries. */
export const makeLog = ({ database }: Host): DeliveryLog["Service"] =>
  DeliveryLog.of({
    list: (shop, endpointId, limit, part) =>
      database.attempt("Reading a log", () =>
        database.fitting<DeliveryRecord>(
          part?.bytes,
          `SELECT record FROM deliveries WHERE shop = ?1 AND endpoint = ?2
             AND (?4 IS NULL OR (created_at, id) < (?4, ?5)) ORDER BY created_at DESC, id DESC LIMIT ?3`,
          ...[shop, endpointId, limit, part?.after?.at ?? null, part?.after?.id ?? ""],
        ),
      ),
    find: (shop, endpointId, id) =>
      database.attempt("Reading a delivery", () => {
        const row = database.first<{ record: string; body: string }>(
          `SELECT d.record, e.body FROM deliveries d JOIN events e ON e.shop = d.shop AND e.id = d.event
           WHERE d.shop = ? AND d.endpoint = ? AND d.id = ?`,
          ...[shop, endpointId, id],
        )
        return row === undefined ? Option.none() : Option.some({ delivery: JSON.parse(row.record), body: row.body })
      }),
    attempts: (shop, { from, until }) =>
      database.attempt("Counting attempts", () =>
        database
          .all<{ endpoint: string; hour: number; record: string }>(
            "SELECT endpoint, hour, record FROM attempt_counts WHERE shop = ? AND hour >= ? AND hour < ?",
            ...[shop, from, until],
          )
          .map(({ endpoint, hour, record }): HourCounts => ({ endpointId: endpoint, hour, ...JSON.parse(record) })),
      ),
    waiting: (shop) =>
      database.attempt("Counting pending deliveries", () =>
        database.all<Waiting>(
          `SELECT id AS endpointId, (
             SELECT count(*) FROM deliveries d WHERE d.shop = e.shop AND d.endpoint = e.id AND d.status = 'pending'
           ) AS pending, (
             SELECT max(created_at) FROM deliveries d WHERE d.shop = e.shop AND d.endpoint = e.id
           ) AS latest FROM endpoints e WHERE shop = ?`,
          shop,
        ),
      ),
    missed: (shop, endpointId, since) =>
      database.attempt("Counting what was missed", () => {
        const endpoint = endpointOf(database, shop, endpointId)
        return endpoint === undefined ? 0 : missedEvents(database, endpoint, since).length
      }),
    resendable: (shop, endpointId, filter) =>
      database.attempt(
        "Counting deliveries to send again",
        () => resendable(database, { shop, endpointId, filter, run: null }).length,
      ),
  })

/** A page of the feed, or the reason why there is none. Writers lock the file, so positions are in commit order. */
const pageOf = (
  database: Database,
  { after, bytes, kinds, limit, shop }: FeedQuery,
): FeedPage | PositionGone["reason"] => {
  const { dropped, written } = database.first<{ dropped: number; written: number }>(
    "SELECT dropped, written FROM feeds WHERE shop = ?",
    shop,
  ) ?? { dropped: 0, written: 0 }
  if (after !== null && Number(after) > written) return "ahead"
  if (after !== null && Number(after) < dropped) return "dropped"
  const ofKind = `SELECT * FROM (SELECT position, body FROM events
    WHERE shop = ? AND kind = ? AND position > ? ORDER BY position LIMIT ${limit + 1})`
  if (kinds.length === 0) return { bodies: [], next: String(written), hasMore: false }
  const rows = database.all<{ position: number; body: string }>(
    `${kinds.map(() => ofKind).join(" UNION ALL ")} ORDER BY position LIMIT ${limit + 1}`,
    ...kinds.flatMap((kind) => [shop, kind, Number(after ?? dropped)]),
  )
  let left = bytes
  const end = rows.slice(0, limit).findIndex(({ body }, index) => {
    left -= Buffer.byteLength(body)
    return left < 0 && index > 0
  })
  const page = rows.slice(0, end === -1 ? limit : end)
  const hasMore = page.length < rows.length
  return { bodies: page.map(({ body }) => body), next: String(hasMore ? page.at(-1)?.position : written), hasMore }
}

/** Stored events. */
export const makeEvents = ({ database }: Host): EventStore["Service"] =>
  EventStore.of({
    ofDesigns: ({ after, designIds, limit, shop }) =>
      database.attempt("Finding events", () =>
        database
          .all<{ record: string; body: string }>(
            `SELECT record, body FROM events e WHERE shop = ? AND id > ?
               AND EXISTS (SELECT 1 FROM json_each(?) WHERE instr(e.body, value)) ORDER BY id LIMIT ?`,
            ...[shop, after ?? "", JSON.stringify(designIds.map((id) => `"id":${JSON.stringify(id)}`)), limit],
          )
          .map(eventOf),
      ),
    feed: (query) =>
      Effect.flatMap(
        database.attempt("Reading the feed", () => pageOf(database, query)),
        (page) => (typeof page === "string" ? new PositionGone({ reason: page }) : Effect.succeed(page)),
      ),
    redact: (shop, events) => database.attempt("Redacting events", () => redactEvents(database, shop, events)),
  })

/** Replaces the bodies of events, and the responses to their deliveries. */
export const redactEvents = (
  database: Database,
  shop: string,
  events: ReadonlyArray<Pick<EventRecord, "id" | "body">>,
): void => {
  for (const { body, id } of events) {
    database.run("UPDATE events SET body = ? WHERE shop = ? AND id = ?", body, shop, id)
    const sql = "SELECT record FROM deliveries WHERE shop = ? AND event = ?"
    for (const delivery of database.records<DeliveryRecord>(sql, shop, id)) {
      const attempts = delivery.attempts.map((attempt) =>
        attempt.responseStart === null ? attempt : { ...attempt, responseStart: Redaction.redacted },
      )
      database.run(
        "UPDATE deliveries SET record = ? WHERE shop = ? AND endpoint = ? AND id = ?",
        ...[JSON.stringify({ ...delivery, attempts }), shop, delivery.endpointId, delivery.id],
      )
    }
  }
}

/** Adds new notices, each due when it is created. */
export const addNotices = (database: Database, notices: ReadonlyArray<NoticeRecord>): void => {
  for (const notice of notices) {
    const { createdAt, id, shop } = notice
    const sql = "INSERT OR IGNORE INTO notices (shop, id, created_at, due, record) VALUES (?, ?, ?, ?, ?)"
    database.run(sql, shop, id, createdAt, createdAt, JSON.stringify(notice))
  }
}

/** Notices. */
export const makeNotices = ({ database }: Host): NoticeStore["Service"] =>
  NoticeStore.of({
    list: (shop, limit, now) =>
      database.attempt("Reading notices", () =>
        database.records<NoticeRecord>(
          "SELECT record FROM notices WHERE shop = ? AND created_at <= ? ORDER BY created_at DESC, id DESC LIMIT ?",
          ...[shop, now, limit],
        ),
      ),
    claim: ({ leaseUntil, limit, now, token }) =>
      database.attempt("Claiming notices", () => {
        const due = database.all<{ record: string; attempts: number }>(
          "SELECT record, attempts FROM notices WHERE due <= ? AND leased_until <= ? ORDER BY due, id LIMIT ?",
          ...[now, now, limit],
        )
        return due.map(({ attempts, record }) => {
          const notice: NoticeRecord = JSON.parse(record)
          const sql = "UPDATE notices SET token = ?, leased_until = ? WHERE shop = ? AND id = ?"
          database.run(sql, token, leaseUntil, notice.shop, notice.id)
          return { token, notice, attempt: attempts + 1 }
        })
      }),
    settle: ({ attempt, notice: { id, shop }, token }, nextAttemptAt) =>
      database.attempt("Settling a notice", () => {
        const set = "due = ?, attempts = ?, token = NULL, leased_until = -1e15"
        const sql = `UPDATE notices SET ${set} WHERE shop = ? AND id = ? AND token = ?`
        return database.run(sql, nextAttemptAt, attempt, shop, id, token) > 0
      }),
  })
