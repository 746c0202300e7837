import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import { includesApi, type Shop } from "../../../core/model/shops/Shop.ts"
import { ShopStore, type ShopsQuery } from "../../../core/ports/ShopStore.ts"
import { notifyHosts, TokenChanges } from "../access/TokenChanges.ts"
import { insertEntry, lockCreation } from "../audit/Audit.ts"
import { mapped } from "../statements/Errors.ts"
import { type Fixed, fixed } from "../statements/Fixed.ts"
import { columnsOf, select, valuesOf } from "../statements/Table.ts"
import { purgeRemovedShop, removeShop } from "../upkeep/RemoveShop.ts"
import { resume, suspend } from "../webhooks/DeliveryRules.ts"
import { Signals } from "../webhooks/Signals.ts"
import { markOf } from "./Mark.ts"
import { unlessKnown, unlessMoved } from "./Moved.ts"

/** `ShopStore` over SQL. */
export const layerShops: Layer.Layer<ShopStore, never, SqlClient.SqlClient | TokenChanges | Signals> = Layer.effect(
  ShopStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const changes = yield* TokenChanges
    const signals = yield* Signals
    const columns = fixed(`s.id, ${shopColumns("s")}`)

    /** Suspends or resumes the shop's deliveries for its current plan, and signals workers if some are resumed. */
    const holdOrFree = Effect.fnUntraced(function* (shop: Shop) {
      const which = sql`s.id = ${shop.id}`
      if (!includesApi(shop.plan)) return yield* suspend(sql, which)
      if ((yield* resume(sql, which)) === 0) return
      yield* signals.committed(sql, shop.id)
    })

    /** The shop before it is put, which nobody else changes until then. */
    const readBefore = Effect.fnUntraced(function* (id: string) {
      yield* lockCreation(sql, "shop", id)
      const [before] = yield* sql<Shop>`SELECT ${columns} FROM designwire.shops s WHERE s.id = ${id} FOR NO KEY UPDATE`
      return before ?? null
    })

    const put = Effect.fnUntraced(function* (shop: Shop, audited: Audited<Shop> | undefined) {
      yield* unlessMoved(sql, shop.id)
      yield* purgeRemovedShop(sql, shop.id)
      if (audited !== undefined) yield* insertEntry(sql, audited(yield* readBefore(shop.id), shop))
      yield* sql`INSERT INTO designwire.shops (id, ${columnsOf(fields)}) VALUES (${shop.id}, ${valuesOf(sql, fields, shop)})
ON CONFLICT (id) DO UPDATE SET domain = excluded.domain, currency = excluded.currency, plan = excluded.plan,
  rounding_step = excluded.rounding_step, image_base = excluded.image_base`
      yield* holdOrFree(shop)
      const tokens = yield* sql<{ digest: string }>`SELECT digest, ${notifyHosts(sql)} AS notified
FROM designwire.tokens WHERE shop = ${shop.id}`
      yield* changes.committed(sql, tokens)
    })

    const list = ({ after, limit, search }: ShopsQuery) => {
      const conditions = [
        ...(after === null ? [] : [sql`s.id > ${after}`]),
        ...(search === null
          ? []
          : [sql.or([begins(sql, fixed("s.id"), search), begins(sql, fixed("s.domain"), search)])]),
        sql`true`,
      ]
      return sql<Shop>`SELECT ${columns} FROM designwire.shops s
WHERE ${sql.and(conditions)} ORDER BY s.id LIMIT ${limit}::int4`
    }

    return {
      find: (id) =>
        sql<Shop>`SELECT ${columns} FROM designwire.shops s WHERE s.id = ${id}`.pipe(
          Effect.map((rows) => Option.fromUndefinedOr(rows[0])),
          Effect.tap((found) => (Option.isSome(found) ? Effect.void : unlessKnown(sql, id))),
          mapped("Reading a shop"),
        ),
      isComplete: Effect.fnUntraced(function* (id) {
        yield* unlessMoved(sql, id)
        const found = yield* sql`SELECT 1 AS complete FROM designwire.shops s
WHERE s.id = ${id} AND NOT EXISTS (SELECT 1 FROM designwire.removed_shops r WHERE r.shop = s.id)`
        return found.length > 0
      }, mapped("Reading a shop")),
      list: (query) => list(query).pipe(mapped("Reading the shops")),
      put: (shop, audited) => sql.withTransaction(put(shop, audited)).pipe(mapped("Storing a shop")),
      remove: (step) => sql.withTransaction(removeShop(sql, changes, step)).pipe(mapped("Removing a shop")),
      mark: (shop, now) =>
        markOf(sql, shop, now).pipe(
          Effect.map((rows) => rows[0]?.mark ?? ""),
          mapped("Reading the mark of a shop"),
        ),
    }
  }),
)

const fields = { domain: "text", currency: "text", plan: "text", roundingStep: "int8", imageBase: "text" } as const

/** A shop's columns except its id, named as in `Shop`. */
export const shopColumns = (alias: string) => select(alias, fields)

/** A column begins with a text. As a range, so that an index serves any text. */
const begins = (sql: SqlClient.SqlClient, of: Fixed, text: string) =>
  sql`(${of} COLLATE "C" >= ${text} AND ${of} COLLATE "C" < ${`${text}\u{10ffff}`})`
