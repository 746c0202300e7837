import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { DesignRecord } from "../../../core/model/catalog/Design.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { makeReadDesigns } from "../catalog/DesignPages.ts"
import * as DesignRows from "../catalog/DesignRows.ts"
import { makeDrafts } from "../catalog/Drafts.ts"
import { batched } from "../statements/Batch.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { PageReads } from "../statements/PageReads.ts"
import { keys } from "../statements/Rows.ts"
import { Signals } from "../webhooks/Signals.ts"
import { makeCommits, makeRemove } from "./Commits.ts"
import { makeOrderLines } from "./OrderLines.ts"
import { makeReadOrders } from "./OrderPages.ts"
import { makeReadOrder } from "./OrderReads.ts"
import { makeOrderSearch } from "./OrderSearch.ts"
import { makeKeepUnstored, makeUnstoredOrder, makeWithdrawCancellation } from "./UnstoredOrders.ts"

interface Wire {
  readonly wire: string
  readonly etag: string
}

interface DesignKey {
  readonly shop: string
  readonly id: string
}

const tables = { orders: fixed("designwire.orders"), designs: fixed("designwire.designs") }

/** `OrderStore` over SQL. Within an outer `sql.withTransaction` every call is part of that transaction. */
export const layerOrders: Layer.Layer<OrderStore, never, SqlClient.SqlClient | Signals | PageReads> = Layer.effect(
  OrderStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const asPage = yield* PageReads
    const commits = yield* makeCommits(sql, yield* Signals)

    const readDesign = yield* batched({
      concurrency: 1,
      groupOf: (key: DesignKey) => key.shop,
      run: (read) =>
        sql<Wire & { readonly id: string }>`SELECT d.id, d.wire, d.etag
FROM ${keys(
          sql,
          read.map((key) => key.id),
        )} JOIN designwire.designs d ON d.id = k.key
WHERE d.shop = ${read[0]?.shop}`.pipe(
          Effect.map((rows) => {
            const found = new Map(rows.map((row) => [row.id, row]))
            return read.map((key) => Option.fromUndefinedOr(found.get(key.id)))
          }),
          mapped("Reading a design"),
        ),
    })

    return {
      ...makeOrderSearch(sql),
      designs: (shop, ids) =>
        sql<DesignRecord>`SELECT ${DesignRows.designColumns} FROM ${keys(sql, ids)} JOIN designwire.designs d ON d.id = k.key
WHERE d.shop = ${shop}`.pipe(mapped("Reading designs")),
      order: makeReadOrder(sql, asPage),
      ...commits,
      remove: makeRemove(sql),
      unstoredOrder: makeUnstoredOrder(sql),
      keepUnstored: yield* makeKeepUnstored(sql),
      withdrawCancellation: makeWithdrawCancellation(sql),
      ...makeOrderLines(sql),
      ...makeDrafts(sql, asPage),
      existing: (shop, of, ids) =>
        sql<{
          id: string
        }>`SELECT o.id FROM ${tables[of]} o WHERE o.shop = ${shop} AND o.id = ANY(${ids}::text[])`.pipe(
          Effect.map((rows) => rows.map(({ id }) => id)),
          mapped(of === "orders" ? "Looking for orders" : "Looking for designs"),
        ),
      readDesign: (shop, id) => readDesign({ shop, id }),
      readOrders: makeReadOrders(sql, asPage),
      readDesigns: makeReadDesigns(sql, asPage),
      latestOrderedDesign: (shop) =>
        sql<{ wire: string }>`SELECT d.wire FROM designwire.orders o
JOIN designwire.designs d ON d.shop = o.shop AND d.order_id = o.id AND d.status = 'ordered'
WHERE o.shop = ${shop} ORDER BY o.ordered_at DESC, o.id DESC, d.position LIMIT 1`.pipe(
          Effect.map((rows) => Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.wire)),
          mapped("Reading the latest design"),
        ),
    }
  }),
)
