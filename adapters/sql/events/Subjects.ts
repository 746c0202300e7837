/**
 * What events are about: their columns `order_id` and `design_id`. An empty text stands for none; null means that the
 * event is older than the columns, and that its subject is still to be read from its body.
 */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { EventRecord, Subject } from "../../../core/model/events/Event.ts"
import { fixed } from "../statements/Fixed.ts"
import { as, select } from "../statements/Table.ts"

/** Columns of the subject of an event `ev`. */
export const subjectColumns = fixed(`${as("nullif(ev.order_id, '')", "order")}, nullif(ev.design_id, '') AS design`)

/** The columns of an event without its subject and its body. */
export const eventFields = {
  shop: "text",
  id: "text",
  event: "text",
  test: "bool",
  createdAt: "timestamptz",
  trace: "text",
} as const

/** Columns of an event `ev` without its body. */
export const eventColumns = fixed(`${select("ev", eventFields)}, ${subjectColumns}`)

/** A row of {@link eventColumns}. */
export interface EventRow extends Omit<EventRecord, "subject" | "body">, Subject {}

export const eventOf = ({
  createdAt,
  design,
  event,
  id,
  order,
  shop,
  test,
  trace,
}: EventRow): Omit<EventRecord, "body"> => ({
  shop,
  id,
  event,
  test,
  createdAt,
  subject: { order, design },
  trace,
})

/**
 * The body of an event without the characters that JSON can have and a text of Postgres can't, which would fail the
 * statement: NUL and halves of surrogate pairs. No id has them.
 */
export const readable = (of: string) =>
  fixed(String.raw`regexp_replace(${of}.body, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\u0020', 'g')`)

/** A text at a path of the data of an event `p`. */
const inData = (path: string) => fixed(`(p.body #>> '{data,${path}}')`)

/** Reads the subjects of up to `limit` events that are older than the columns. Returns the number of events. */
export const fillSubjects = (sql: SqlClient.SqlClient, limit: number) =>
  sql<{ filled: number }>`WITH part AS MATERIALIZED (
  SELECT ev.shop, ev.id, ${readable("ev")}::json AS body FROM designwire.events ev WHERE ev.order_id IS NULL
  ORDER BY ev.shop, ev.id LIMIT ${limit}::int4 FOR NO KEY UPDATE SKIP LOCKED
), filled AS (
  UPDATE designwire.events ev SET
    order_id = coalesce(${inData("order,id")}, ${inData("design,order,id")}, ''),
    design_id = coalesce(${inData("design,id")}, '')
  FROM part p WHERE ev.shop = p.shop AND ev.id = p.id RETURNING 1
)
SELECT count(*)::int4 AS filled FROM filled`.pipe(Effect.map(([row]) => row?.filled ?? 0))
