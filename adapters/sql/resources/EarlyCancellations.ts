/** Cancellations of orders that are not stored (D50). */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import type { EarlyCancellation } from "../../../core/model/Order.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { mapped } from "../statements/Errors.ts"
import { milliseconds } from "../statements/Rows.ts"
import { inTransaction, onOwnConnection } from "../statements/Transaction.ts"

/** Returns `OrderStore.earlyCancellation`. */
export const makeEarlyCancellation =
  (sql: SqlClient.SqlClient): OrderStore["Service"]["earlyCancellation"] =>
  (shop, id) =>
    sql<EarlyCancellation>`SELECT shop, id, ${sql.literal(milliseconds("until"))} AS until
FROM designwire.early_cancellations WHERE shop = ${shop} AND id = ${id}`.pipe(
      Effect.map(([row]) => Option.fromUndefinedOr(row)),
      mapped("Reading a cancellation"),
    )

/** Returns `OrderStore.keepCancellation`. */
export const makeKeepCancellation = (sql: SqlClient.SqlClient) =>
  Effect.map(onOwnConnection(sql), (alone): OrderStore["Service"]["keepCancellation"] => ({ id, shop, until }) => {
    const statement = sql`INSERT INTO designwire.early_cancellations (shop, id, until)
SELECT ${shop}, ${id}, ${format(until)}::timestamptz WHERE designwire.known_of_order(${shop}, ${id}) IS DISTINCT FROM 'order'
ON CONFLICT (shop, id) DO UPDATE SET until = excluded.until RETURNING 1 AS kept`
    // It may wait for the order's commit.
    return Effect.flatMap(inTransaction(sql), (within) => (within ? statement : alone(statement))).pipe(
      Effect.map((rows) => rows.length > 0),
      mapped("Keeping a cancellation"),
    )
  })

/**
 * Whether the store has neither an order nor a cancellation of it. Until the transaction ends, others that need to know
 * this of the order wait.
 */
export const isUnknown = (sql: SqlClient.SqlClient, { id, shop }: Pick<EarlyCancellation, "shop" | "id">) =>
  sql`designwire.known_of_order(${shop}, ${id}) IS NULL`

/**
 * Removes a cancellation if it is stored as it is given, as `taken_cancellation`. The function is called for its lock:
 * it may also find the new order of this statement.
 */
export const takenCancellation = (
  sql: SqlClient.SqlClient,
  { id, shop, until }: EarlyCancellation,
) => sql`taken_cancellation AS (
  DELETE FROM designwire.early_cancellations WHERE shop = ${shop} AND id = ${id} AND until = ${format(until)}::timestamptz
    AND designwire.known_of_order(${shop}, ${id}) IS NOT NULL
  RETURNING 1
)`
