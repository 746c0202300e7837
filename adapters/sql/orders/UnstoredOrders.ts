/** What platforms have reported of orders that are not stored (D50). */
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { format } from "../../../core/model/Instant.ts"
import type { UnstoredOrder } from "../../../core/model/orders/Order.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { insertEntry } from "../audit/Audit.ts"
import { mapped } from "../statements/Errors.ts"
import { storing } from "../statements/Outcome.ts"
import { milliseconds } from "../statements/Rows.ts"
import { inTransaction, onOwnConnection } from "../statements/Transaction.ts"

const columns = (sql: SqlClient.SqlClient) =>
  sql`o.shop, o.id, o.cancelled AS "isCancelled", o.empty AS "isEmpty", ${milliseconds("o.until")} AS until`

/** Returns `OrderStore.unstoredOrder`. */
export const makeUnstoredOrder =
  (sql: SqlClient.SqlClient): OrderStore["Service"]["unstoredOrder"] =>
  (shop, id) =>
    sql<UnstoredOrder>`SELECT ${columns(sql)} FROM designwire.unstored_orders o WHERE o.shop = ${shop} AND o.id = ${id}`.pipe(
      Effect.map(([row]) => Option.fromUndefinedOr(row)),
      mapped("Reading the report of an order"),
    )

/** Returns `OrderStore.keepUnstored`. */
export const makeKeepUnstored = (sql: SqlClient.SqlClient) =>
  Effect.map(
    onOwnConnection(sql),
    (alone): OrderStore["Service"]["keepUnstored"] =>
      ({ id, isCancelled, isEmpty, shop, until }, now) => {
        const statement = sql<UnstoredOrder>`INSERT INTO designwire.unstored_orders AS o (shop, id, cancelled, empty, until)
SELECT ${shop}, ${id}, ${isCancelled}, ${isEmpty}, ${format(until)}::timestamptz
WHERE designwire.known_of_order(${shop}, ${id}) IS DISTINCT FROM 'order'
ON CONFLICT (shop, id) DO UPDATE SET until = excluded.until,
  cancelled = excluded.cancelled OR o.cancelled AND o.until > ${format(now)}::timestamptz,
  empty = excluded.empty OR o.empty AND o.until > ${format(now)}::timestamptz
RETURNING ${columns(sql)}`
        // It may wait for the order's commit.
        return Effect.flatMap(inTransaction(sql), (within) => (within ? statement : alone(storing(statement)))).pipe(
          Effect.map(([kept]) => Option.fromUndefinedOr(kept)),
          mapped("Keeping the report of an order"),
        )
      },
  )

/** Returns `OrderStore.withdrawCancellation`. */
export const makeWithdrawCancellation =
  (sql: SqlClient.SqlClient): OrderStore["Service"]["withdrawCancellation"] =>
  ({ audit, id, now, reason, shop }) =>
    sql
      .withTransaction(
        Effect.gen(function* () {
          const [known] = yield* sql<{ of: string | null }>`SELECT designwire.known_of_order(${shop}, ${id}) AS of`
          if (known?.of === "order") return false
          const [found] = yield* sql<{ withdrawn: boolean }>`WITH dropped AS (
  DELETE FROM designwire.unstored_orders WHERE shop = ${shop} AND id = ${id} AND cancelled AND NOT empty RETURNING until
), changed AS (
  UPDATE designwire.unstored_orders SET cancelled = false WHERE shop = ${shop} AND id = ${id} AND cancelled AND empty RETURNING until
), ignored AS (
  UPDATE designwire.inbox SET state = 'ignored', reason = ${reason}
  WHERE shop = ${shop} AND order_id = ${id} AND change = 'cancel' AND state = 'applied' RETURNING 1
)
SELECT EXISTS (SELECT FROM ignored) OR EXISTS (
  SELECT FROM (SELECT until FROM dropped UNION ALL SELECT until FROM changed) r WHERE r.until > ${format(now)}::timestamptz
) AS withdrawn`
          const isWithdrawn = found?.withdrawn === true
          if (isWithdrawn) yield* insertEntry(sql, audit)
          return isWithdrawn
        }),
      )
      .pipe(mapped("Taking back the cancellation of an order"))

/**
 * Whether the store has neither an order nor a report of it. Until the transaction ends, others that need to know
 * this of the order wait.
 */
export const isUnknown = (sql: SqlClient.SqlClient, { id, shop }: Pick<UnstoredOrder, "shop" | "id">) =>
  sql`designwire.known_of_order(${shop}, ${id}) IS NULL`

/**
 * Removes a report if it is stored as it is given, as `taken_report`. The function is called for its lock:
 * it may also find the new order of this statement.
 */
export const takenReport = (
  sql: SqlClient.SqlClient,
  { id, isCancelled, isEmpty, shop, until }: UnstoredOrder,
) => sql`taken_report AS (
  DELETE FROM designwire.unstored_orders WHERE shop = ${shop} AND id = ${id} AND until = ${format(until)}::timestamptz
    AND cancelled = ${isCancelled} AND empty = ${isEmpty}
    AND designwire.known_of_order(${shop}, ${id}) IS NOT NULL
  RETURNING 1
)`
