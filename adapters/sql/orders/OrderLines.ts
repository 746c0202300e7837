import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { OrderLines } from "../../../core/model/orders/OrderLine.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import { mapped } from "../statements/Errors.ts"

/** Returns `OrderStore.orderLines` and `linesOf`. */
export const makeOrderLines = (sql: SqlClient.SqlClient): Pick<OrderStore["Service"], "orderLines" | "linesOf"> => {
  const linesOf = (shop: string, ids: ReadonlyArray<string>) =>
    sql<{ order: string; parent: string | null; lines: string }>`SELECT l.order_id AS "order", l.parent, l.lines
FROM designwire.order_lines l WHERE l.shop = ${shop} AND l.order_id = ANY(${ids}::text[])`.pipe(
      Effect.map((rows) => rows.map((row) => ({ ...row, lines: JSON.parse(row.lines) as OrderLines["lines"] }))),
      mapped("Reading the lines of orders"),
    )
  return {
    linesOf,
    orderLines: (shop, id) => Effect.map(linesOf(shop, [id]), ([lines]) => Option.fromUndefinedOr(lines)),
  }
}
