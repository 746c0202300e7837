import {
  type DeliveryFilter,
  type DeliveryPage,
  type DeliveryPlace,
  type DeliveryRecord,
  DeliverySearch,
  type EventRecord,
  type EventsAbout,
  type FoundEvent,
  type LoggedDelivery,
} from "designwire/ports"
import { Option } from "effect"
import type { Database } from "./Database.ts"
import type { Host } from "./Host.ts"

/** A condition on the rows of a query and its values. */
interface Condition {
  readonly sql: string
  readonly values: ReadonlyArray<string | number>
}

interface Row {
  readonly record: string
  readonly event: string
  readonly claimedUntil: number | null
  readonly isBehind: number
}

const loggedDelivery = ({ claimedUntil, event, isBehind, record }: Row): LoggedDelivery => {
  const { attempts, ...delivery }: DeliveryRecord = JSON.parse(record)
  const { subject }: EventRecord = JSON.parse(event)
  const lastAttempt = attempts.at(-1) ?? null
  return { ...delivery, subject, attempts: attempts.length, lastAttempt, claimedUntil, isBehind: isBehind === 1 }
}

/** The deliveries of a shop with their events. */
const joined = `SELECT d.record, e.record AS event, iif(d.token IS NULL, NULL, d.leased_until) AS claimedUntil,
  EXISTS (SELECT 1 FROM behind b WHERE b.shop = d.shop AND b.endpoint = d.endpoint AND b.id = d.id) AS isBehind FROM deliveries d JOIN events e ON e.shop = d.shop AND e.id = d.event
  WHERE d.shop = ?`

/** Deliveries are listed by creation, newest first, or by due time. */
const orders = {
  created_at: { beyond: "<", direction: "DESC", atOf: ({ createdAt }: LoggedDelivery) => createdAt },
  due: {
    beyond: ">",
    direction: "ASC",
    atOf: ({ createdAt, nextAttemptAt }: LoggedDelivery) => nextAttemptAt ?? createdAt,
  },
} as const

const pageOf = (
  database: Database,
  by: keyof typeof orders,
  { after, limit, shop }: { readonly shop: string; readonly after: DeliveryPlace | null; readonly limit: number },
  which: ReadonlyArray<Condition>,
): DeliveryPage => {
  const { atOf, beyond, direction } = orders[by]
  const place = after === null ? [] : [{ sql: `(d.${by}, d.id) ${beyond} (?, ?)`, values: [after.at, after.id] }]
  const conditions = [...place, ...which]
  const found = database.all<Row>(
    `${joined} ${conditions.map(({ sql }) => `AND ${sql}`).join(" ")}
     ORDER BY d.${by} ${direction}, d.id ${direction} LIMIT ${limit + 1}`,
    ...[shop, ...conditions.flatMap(({ values }) => values)],
  )
  const deliveries = found.slice(0, limit).map(loggedDelivery)
  const last = deliveries.at(-1)
  return { deliveries, next: last === undefined || found.length <= limit ? null : { at: atOf(last), id: last.id } }
}

const conditionsOf = ({ endpoint, from, kind, status, test, until }: DeliveryFilter): ReadonlyArray<Condition> => [
  ...(endpoint === undefined ? [] : [{ sql: "d.endpoint = ?", values: [endpoint] }]),
  ...(status === undefined ? [] : [{ sql: "d.status = ?", values: [status] }]),
  ...(kind === undefined ? [] : [{ sql: "d.record ->> 'event' = ?", values: [kind] }]),
  ...(test === undefined ? [] : [{ sql: "d.test = ?", values: [Number(test)] }]),
  ...(from === undefined ? [] : [{ sql: "d.created_at >= ?", values: [from] }]),
  ...(until === undefined ? [] : [{ sql: "d.created_at < ?", values: [until] }]),
]

const isAbout = (about: EventsAbout): Condition => {
  if ("event" in about) return { sql: "id = ?", values: [about.event] }
  return "order" in about
    ? { sql: "record ->> '$.subject.order' = ?", values: [about.order] }
    : { sql: "record ->> '$.subject.design' = ?", values: [about.design] }
}

/** Deliveries and events as pages show them. */
export const makeSearch = ({ database }: Host): DeliverySearch["Service"] =>
  DeliverySearch.of({
    page: ({ filter, ...part }) =>
      database.attempt("Reading deliveries", () => pageOf(database, "created_at", part, conditionsOf(filter))),
    pending: ({ endpoint, ...part }) =>
      database.attempt("Reading pending deliveries", () =>
        pageOf(database, "due", part, conditionsOf({ endpoint, status: "pending" })),
      ),
    ofEvents: ({ events, ...part }) =>
      database.attempt("Reading deliveries of events", () =>
        pageOf(database, "created_at", part, [
          { sql: "d.event IN (SELECT value FROM json_each(?))", values: [JSON.stringify(events)] },
        ]),
      ),
    find: (shop, id) =>
      database.attempt("Looking for a delivery", () =>
        Option.map(Option.fromUndefinedOr(database.first<Row>(`${joined} AND d.id = ?`, shop, id)), loggedDelivery),
      ),
    events: ({ about, limit, shop }) =>
      database.attempt("Looking for events", () => {
        const { sql, values } = isAbout(about)
        return database.records<FoundEvent>(
          `SELECT record FROM events WHERE shop = ? AND ${sql} ORDER BY created_at DESC, id DESC LIMIT ?`,
          ...[shop, ...values, limit],
        )
      }),
  })
