import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import type { OrderStore } from "../../../core/ports/OrderStore.ts"
import * as DesignRows from "../catalog/DesignRows.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import type { PageReads } from "../statements/PageReads.ts"

/** Bytes of designs up to which an order is read as other short reads are. */
const short = 1_048_576

type Row = DesignRows.OrderRow & { readonly [K in keyof DesignRecord]: DesignRecord[K] | null } & {
  readonly isLong: boolean
}

/** Returns `OrderStore.order`. A long order is read like a page. */
export const makeReadOrder = (
  sql: SqlClient.SqlClient,
  asPage: PageReads["Service"],
): OrderStore["Service"]["order"] => {
  const columns = fixed(`${DesignRows.orderColumns}, ${DesignRows.designColumns}`)

  /** An order with its designs if it is short; without them if not. The length is known without reading the texts. */
  const readShort = (shop: string, id: string) => sql<Row>`SELECT ${columns}, s."isLong"
FROM designwire.orders o CROSS JOIN LATERAL (
  SELECT coalesce(sum(octet_length(l.wire)), 0) > ${sql.literal(String(short))} AS "isLong"
  FROM designwire.designs l WHERE l.shop = o.shop AND l.order_id = o.id
) s LEFT JOIN designwire.designs d ON d.shop = o.shop AND d.order_id = o.id AND NOT s."isLong"
WHERE o.shop = ${shop} AND o.id = ${id} ORDER BY d.position`

  const readLong = (shop: string, id: string) => sql<Row>`SELECT ${columns}
FROM designwire.orders o LEFT JOIN designwire.designs d ON d.shop = o.shop AND d.order_id = o.id
WHERE o.shop = ${shop} AND o.id = ${id} ORDER BY d.position`

  return (shop, id) =>
    readShort(shop, id).pipe(
      Effect.flatMap((rows) => (rows[0]?.isLong ? asPage(shop)(readLong(shop, id)) : Effect.succeed(rows))),
      Effect.map((rows) => {
        const [first] = rows
        return first === undefined
          ? Option.none()
          : Option.some({
              order: DesignRows.order(first),
              designs: rows.filter((row) => row.id !== null).map((row) => DesignRows.design(row as DesignRecord)),
            })
      }),
      mapped("Reading an order"),
    )
}
