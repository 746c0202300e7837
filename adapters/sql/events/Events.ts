import type { SqlClient, Statement } from "effect/sql"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import type { Change } from "../../../core/ports/OrderStore.ts"
import { rowsOf } from "../statements/Table.ts"
import { deliveryId, insertDeliveries, isFor, isWanted, objectOf } from "../webhooks/DeliveryRules.ts"
import { positions } from "./Feed.ts"
import { eventFields } from "./Subjects.ts"

/** Stores events of a shop. */
export const insertEvents = (sql: SqlClient.SqlClient, shop: string, events: ReadonlyArray<EventRecord>) =>
  sql`INSERT INTO designwire.events (shop, id, event, test, created_at, order_id, design_id, trace, body, position)
SELECT ${shop}, r.id, r.event, r.test, r.created_at, r.order_id, r.design_id, r.trace, r.body, nextval(p.taken_from)
FROM ${eventRows(events)} CROSS JOIN ${positions(sql, shop)} p`

/**
 * Tables of a `WITH`: `ev`, events of a shop, which are stored if the condition holds, and `added`, a pending delivery
 * of each event for every endpoint that should get it, with whether it `joins` a line; none for quiet events. Endpoints
 * and plan are as of the start of the statement.
 */
export const eventTables = (
  sql: SqlClient.SqlClient,
  { events, isQuiet = false, shop }: Pick<Change, "shop" | "events" | "isQuiet">,
  condition: Statement.Fragment,
): Statement.Fragment =>
  sql`ev AS (
  ${insertEvents(sql, shop, events)} WHERE ${condition}
  RETURNING shop, id, event, test, created_at, order_id, design_id, position, body
), added AS (
  ${insertDeliveries(
    sql,
    shop,
    sql`SELECT ev.shop, ${deliveryId} AS id, e.id AS endpoint_id, ev.id AS event_id, ev.event, ev.test, 'pending' AS status,
    ev.created_at, ev.created_at AS next_attempt_at, ${objectOf} AS object, ev.position AS place, ev.body
  FROM ev JOIN designwire.endpoints e ON e.shop = ${shop} JOIN designwire.shops s ON s.id = ${shop}
  WHERE ${isQuiet ? sql.literal("false") : isFor}`,
    sql`${isWanted("d")}`,
  )}
  RETURNING queue = 'joining' AS joins
)`

const eventRows = (events: ReadonlyArray<EventRecord>) =>
  rowsOf(
    "r",
    { ...eventFields, orderId: "text", designId: "text", body: "text" },
    // Null means that the subject is still to be read from the body (Subjects.ts).
    events.map(({ subject, ...event }) => ({ ...event, orderId: subject.order ?? "", designId: subject.design ?? "" })),
  )
