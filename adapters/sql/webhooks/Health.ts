import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Health from "../../../core/model/Health.ts"
import { rows } from "../statements/Rows.ts"
import { columnsOf, rowsOf, select } from "../statements/Table.ts"
import { resume, suspend } from "./DeliveryRules.ts"

const fields = {
  status: "text",
  consecutiveFailures: "int4",
  switchedOffAt: "timestamptz",
  proven: "bool",
  troubled: "bool",
} as const

/** An endpoint's health in a result row. */
export interface HealthRow extends Health.Health {
  readonly shop: string
  readonly id: string
}

/**
 * Reads and locks the health of endpoints until the transaction ends, in one order, so that transactions never
 * deadlock.
 */
export const lockHealth = (
  sql: SqlClient.SqlClient,
  endpoints: ReadonlyArray<{ readonly shop: string; readonly id: string }>,
) =>
  sql<HealthRow>`SELECT e.shop, e.id, ${select("e", fields)}
FROM designwire.endpoints e
JOIN (SELECT DISTINCT shop, id FROM ${rows("r", { shop: "text", id: "text" }, endpoints)}) k USING (shop, id)
WHERE e.shop = ANY(${[...new Set(endpoints.map(({ shop }) => shop))]}::text[]) ORDER BY e.shop, e.id FOR NO KEY UPDATE OF e`

/**
 * Stores an endpoint's health within the transaction that locked it. If its status changes, its pending deliveries are
 * suspended or resumed.
 */
export const storeHealth = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  before: HealthRow,
  after: Health.Health,
): Effect.fn.Return<void, SqlError.SqlError> {
  if (Health.equals(before, after)) return
  const { id, shop } = before
  yield* sql`UPDATE designwire.endpoints e SET (${columnsOf(fields)}) = ROW(${columnsOf(fields, "r")})
FROM ${rowsOf("r", fields, [after])}
WHERE e.shop = ${shop} AND e.id = ${id}`
  if (before.status === after.status) return
  yield* (after.status === "active" ? resume : suspend)(sql, sql`e.shop = ${shop} AND e.id = ${id}`)
})
