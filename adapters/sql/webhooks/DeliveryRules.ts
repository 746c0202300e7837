/**
 * The rules of `core/rules/webhooks/DeliveryState` in SQL, for the shop `s`, its endpoint `e`, an event `ev` and a
 * delivery `d`.
 */

import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { plansWithApi } from "../../../core/model/shops/Shop.ts"
import { readable } from "../events/Subjects.ts"
import { fixed } from "../statements/Fixed.ts"

/** The columns of a delivery that do not change while it is sent, and its state. */
export const deliveryFields = {
  shop: "text",
  id: "text",
  endpointId: "text",
  eventId: "text",
  event: "text",
  test: "bool",
  status: "text",
  createdAt: "timestamptz",
  nextAttemptAt: "timestamptz",
} as const

/** `Shop.includesApi`: whether the shop's plan has webhooks. */
export const hasWebhooks = fixed(`s.plan IN (${plansWithApi.map((plan) => `'${plan}'`).join(", ")})`)

/** The designs that a body shows: all of its order, or its only one. */
const designsIn = (body: string): string =>
  `jsonb_array_elements(coalesce(${body} #> '{data,order,designs}', jsonb_build_array(${body} #> '{data,design}')))`

/**
 * `isWanted`: whether the endpoint wants an event, whose columns `event` and `body` are columns of `of`. Bodies are
 * read only for endpoints that name customizers.
 */
export const isWanted = (of: string) =>
  fixed(`(${of}.event = ANY(e.kinds) AND CASE
    WHEN jsonb_typeof(e.options -> 'customizers') = 'array' THEN EXISTS (
      SELECT 1 FROM (SELECT ${readable(of)}::jsonb AS body OFFSET 0) p, ${designsIn("p.body")} g
      WHERE e.options -> 'customizers' @> (g #> '{customizer,id}')
    ) ELSE true
  END)`)

/** `DeliveryState.isFor`: whether a new event goes to the endpoint. */
export const isFor = fixed(`(${hasWebhooks} AND e.status = 'active' AND ${isWanted("ev")})`)

/**
 * `DeliveryState.maySend`: whether a pending delivery may be sent now. A CASE, because the planner expects that
 * `d.test OR e.status = 'active'` holds for hardly any delivery, and then sorts all deliveries of an endpoint for the
 * first one.
 */
export const maySend = fixed(`(${hasWebhooks} AND CASE WHEN e.status = 'active' THEN true ELSE d.test END)`)

/** `DeliveryState.isDropped`: whether a change of its endpoint drops a delivery. Pending ones have a queue. */
export const isDropped = fixed(`(d.queue IS NOT NULL AND NOT d.test AND NOT ${isWanted("ev")})`)

/** Whether an endpoint `e` is ordered (D53). */
export const isOrdered = fixed("(coalesce(e.options ->> 'ordering', 'none') <> 'none')")

/** `Ordering.objectOf` an event `ev`. */
export const objectOf = fixed(
  "(CASE WHEN ev.order_id <> '' THEN 'order ' || ev.order_id WHEN ev.design_id <> '' THEN 'design ' || ev.design_id END)",
)

/** `DeliveryState.settled`: whether a delivery with the outcome `r` stays dropped. */
export const staysDropped = fixed("(d.status = 'dropped' AND r.status = 'pending')")

/** `DeliveryState.deliveryId`. */
export const deliveryId = fixed("'dlv_' || substr(ev.id, 5) || substr(e.id, 5)")

/** Deliveries of an event to an endpoint: the first one by its derived id, and later ones by an index. */
export const deliveriesOf = (of: string) => ({
  first: `${of}.shop = ev.shop AND ${of}.id = ${deliveryId}`,
  later: [
    `${of}.shop = ev.shop AND ${of}.event_id = ev.id`,
    `${of}.id <> 'dlv_' || substr(${of}.event_id, 5) || substr(${of}.endpoint_id, 5)`,
  ].join(" AND "),
})

const ofEvent = deliveriesOf("d")

/** The ids of all deliveries of an event. */
export const deliveriesOfEvent =
  fixed(`SELECT d.id FROM designwire.endpoints e JOIN designwire.deliveries d ON ${ofEvent.first} WHERE e.shop = ev.shop
  UNION ALL SELECT d.id FROM designwire.deliveries d WHERE ${ofEvent.later}`)

/** `DeliveryState.hasMissed`: whether the endpoint has missed an event of its shop. */
export const hasMissed = fixed(`(NOT ev.test AND ${isWanted("ev")} AND NOT EXISTS (
  SELECT 1 FROM designwire.deliveries d WHERE ${ofEvent.first} AND d.status NOT IN ('failed', 'dropped')
) AND NOT EXISTS (
  SELECT 1 FROM designwire.deliveries d WHERE ${ofEvent.later} AND d.endpoint_id = e.id AND d.status NOT IN ('failed', 'dropped')
) AND NOT EXISTS (
  SELECT 1 FROM designwire.received k WHERE k.shop = ev.shop AND k.endpoint_id = e.id AND k.event_id = ev.id
))`)

/**
 * The queue of a delivery, its column `queue`; `outcome` has its status and its next attempt:
 * - `due`: its time has come, or comes when the claimer's clock is as far as the creator's;
 * - `scheduled`: due later. A walk moves deliveries that have become due;
 * - `suspended`: may not be sent now;
 * - `joining` and `behind`: waits for another delivery of its object (schema/Ordering.ts);
 * - null: finished.
 */
export const queueOf = (outcome = "d") =>
  fixed(`CASE
    WHEN ${outcome}.status <> 'pending' THEN NULL WHEN NOT ${maySend} THEN 'suspended'
    WHEN ${outcome}.next_attempt_at > d.created_at THEN 'scheduled' ELSE 'due'
  END`)

/** Whether a new delivery `d` joins a line (`Ordering.lineOf`). */
const joins = fixed(`(${isOrdered} AND NOT d.test AND d.object IS NOT NULL)`)

/** `DeliveryState.recoveredId`. */
export const recoveredId = (sql: SqlClient.SqlClient, run: string): Statement.Fragment =>
  sql`'dlv_' || ${run} || substr(ev.id, 5)`

/**
 * Adds the deliveries of a shop that `made` selects: pending, with their `next_attempt_at`, in the queue that the rules
 * give. `object` belongs to their event, and `place` its position, or null for a delivery of a stored event. `which`
 * judges each delivery by its endpoint once that is locked, as another transaction may just have changed it.
 */
export const insertDeliveries = (
  sql: SqlClient.SqlClient,
  shop: string,
  made: Statement.Fragment,
  which: Statement.Fragment = sql`true`,
) =>
  sql`INSERT INTO designwire.deliveries
  (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts, object, place)
SELECT d.shop, d.id, d.endpoint_id, d.event_id, d.event, d.test, d.status, d.created_at, d.next_attempt_at,
  CASE WHEN ${joins} THEN 'joining' ELSE ${queueOf()} END, 0,
  CASE WHEN ${joins} THEN d.object END,
  CASE WHEN ${joins} THEN coalesce(d.place, (SELECT nextval('designwire.feed_positions'))) END
FROM (${made}) d
JOIN designwire.endpoints e ON e.shop = ${shop} AND e.id = d.endpoint_id
JOIN designwire.shops s ON s.id = ${shop}
WHERE ${which}
FOR KEY SHARE OF e`

/**
 * Moves the deliveries of the endpoints that `which` selects to another queue. Each queue has its own index: one
 * statement per queue.
 */
const requeue = (
  sql: SqlClient.SqlClient,
  from: "due" | "scheduled" | "suspended",
  which: Statement.Fragment,
) => sql`UPDATE designwire.deliveries d SET queue = ${queueOf()}
FROM designwire.endpoints e JOIN designwire.shops s ON s.id = e.shop
WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.queue = ${sql.literal(`'${from}'`)} AND ${which}`

/** Suspends pending deliveries of the endpoints that `which` selects, if the rules don't let them be sent. */
export const suspend = (sql: SqlClient.SqlClient, which: Statement.Fragment): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(["due", "scheduled"] as const, (from) => requeue(sql, from, sql`${which} AND NOT ${maySend}`), {
    discard: true,
  })

/**
 * Resumes suspended deliveries of the endpoints that `which` selects, if the rules let them be sent. Returns their
 * number.
 */
export const resume = (sql: SqlClient.SqlClient, which: Statement.Fragment): Effect.Effect<number, SqlError.SqlError> =>
  sql<{ resumed: number }>`WITH resumed AS (
  ${requeue(sql, "suspended", sql`${which} AND ${maySend}`)} RETURNING 1
)
SELECT count(*)::int4 AS resumed FROM resumed`.pipe(Effect.map(([row]) => row?.resumed ?? 0))
