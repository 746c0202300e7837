import { Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { DesignRecord } from "../../../core/model/Design.ts"
import { format } from "../../../core/model/Instant.ts"
import { type OrderRecord, tail } from "../../../core/model/Order.ts"
import { type Change, OrderStore } from "../../../core/ports/OrderStore.ts"
import { StaleRevision } from "../../../core/ports/StorageError.ts"
import { eventTables } from "../events/Events.ts"
import { Signals } from "../queue/Signals.ts"
import { batched } from "../statements/Batch.ts"
import { mapped, storageError, withoutDefects } from "../statements/Errors.ts"
import { hintFew, milliseconds } from "../statements/Rows.ts"
import { inTransaction, onOwnConnection } from "../statements/Transaction.ts"
import * as DesignRows from "./DesignRows.ts"
import * as OrderCounts from "./OrderCounts.ts"

interface Wire {
  readonly wire: string
  readonly etag: string
}

/** An order of a page, or one after it, with a null wire form. Everything but the total is null without orders. */
interface PageRow {
  readonly total: number
  readonly id: string
  readonly orderedAt: number
  readonly etag: string
  readonly wire: string | null
}

type Shown = PageRow & Wire

interface DesignKey {
  readonly shop: string
  readonly id: string
}

/** `OrderStore` over SQL. Within an outer `sql.withTransaction` every call is part of that transaction. */
export const layer: Layer.Layer<OrderStore, never, SqlClient.SqlClient | Signals> = Layer.effect(
  OrderStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    const alone = yield* onOwnConnection(sql)
    const foldCounts = OrderCounts.makeFolding(sql)

    const readDesign = yield* batched({
      concurrency: 1,
      groupOf: (key: DesignKey) => key.shop,
      run: (keys) =>
        sql<Wire & { readonly id: string }>`SELECT id, wire, etag FROM designwire.designs
WHERE shop = ${keys[0]?.shop} AND id = ANY(${keys.map((key) => key.id)}::text[])`.pipe(
          Effect.map((rows) => {
            const found = new Map(rows.map((row) => [row.id, row]))
            return keys.map((key) => Option.fromUndefinedOr(found.get(key.id)))
          }),
          mapped("Reading a design"),
        ),
    })

    const orderWire = sql.literal(`o.head || coalesce((
  SELECT string_agg(d.wire, ',' ORDER BY d.position) FROM designwire.designs d WHERE d.shop = o.shop AND d.order_id = o.id
), '') || '${tail}'`)

    const designs = (shop: string, ids: ReadonlyArray<string>) =>
      sql<DesignRecord>`SELECT ${sql.literal(DesignRows.designColumns)} FROM designwire.designs d
WHERE d.shop = ${shop} AND d.id = ANY(${ids})`

    /** Stores an order, as `stored_order`. */
    const orderTables = (order: OrderRecord) => {
      const at = format(order.orderedAt)
      return order.revision === 1
        ? sql`new_order AS (
  INSERT INTO designwire.orders (shop, id, ordered_at, head, etag, revision)
  VALUES (${order.shop}, ${order.id}, ${at}, ${order.head}, ${order.etag}, 1) ON CONFLICT DO NOTHING RETURNING shop, id, ordered_at
), stored_order AS (
  INSERT INTO designwire.uncounted_orders (shop, id, ordered_at) SELECT * FROM new_order RETURNING 1
)`
        : sql`stored_order AS (
  UPDATE designwire.orders SET head = ${order.head}, etag = ${order.etag}, revision = ${order.revision}
  WHERE shop = ${order.shop} AND id = ${order.id} AND revision = ${order.revision - 1} RETURNING 1
)`
    }

    const newDesigns = (shop: string, records: ReadonlyArray<DesignRecord>) => sql`new_designs AS (
  INSERT INTO designwire.designs (shop, id, status, order_id, position, created_at, wire, etag, revision)
  SELECT ${shop}, r.id, r.status, r.order_id, r.position, r.created_at, r.wire, r.etag, r.revision FROM ${DesignRows.designRows(sql, records)}
  ON CONFLICT DO NOTHING RETURNING 1
)`

    const changedDesigns = (shop: string, records: ReadonlyArray<DesignRecord>) => sql`changed_designs AS (
  UPDATE designwire.designs d
  SET status = r.status, order_id = r.order_id, position = r.position, created_at = r.created_at, wire = r.wire, etag = r.etag, revision = r.revision
  FROM ${DesignRows.designRows(sql, records)} WHERE d.shop = ${shop} AND d.id = r.id AND d.revision = r.revision - 1
    AND ${sql.literal(hintFew("r.id"))} RETURNING 1
)`

    /** Tables of a `WITH` that store the records of a change, with the expected number of rows of each. */
    const recordTables = ({ designs, order, shop }: Change) => {
      // In one order everywhere: two changes of the same designs wait for each other in turn, rather than until a
      // deadlock is found.
      const records = designs.toSorted((left, right) => (left.id < right.id ? -1 : 1))
      const fresh = records.filter((record) => record.revision === 1)
      const changed = records.filter((record) => record.revision !== 1)
      return [
        ...(order === null ? [] : [{ name: "stored_order", tables: orderTables(order), count: 1 }]),
        ...(fresh.length === 0 ? [] : [{ name: "new_designs", tables: newDesigns(shop, fresh), count: fresh.length }]),
        ...(changed.length === 0
          ? []
          : [{ name: "changed_designs", tables: changedDesigns(shop, changed), count: changed.length }]),
      ]
    }

    /**
     * Stores a change by one statement. Events are written last, so that waiting for another change does not hold back
     * a feed. Returns whether the change was complete, otherwise it is stale, and whether there is something to claim.
     * Evaluates `stale` if it is stale, and `notify` if there is something to claim.
     */
    const store = (change: Change, stale: Statement.Fragment, notify: Statement.Fragment) => {
      const parts = recordTables(change)
      const isComplete = sql.and([
        sql`true`,
        ...parts.map(({ count, name }) => sql`(SELECT count(*) FROM ${sql.literal(name)}) = ${count}::int4`),
      ])
      const tables = [
        ...parts.map(({ tables }) => tables),
        sql`stored AS MATERIALIZED (SELECT CASE WHEN ${isComplete} THEN true ELSE ${stale} END AS complete)`,
        change.events.length === 0
          ? sql`added AS (SELECT WHERE false)`
          : eventTables(sql, change.shop, change.events, sql`(SELECT complete FROM stored)`),
      ]
      return sql<{ complete: boolean; added: boolean }>`WITH ${sql.csv(tables)}
SELECT (SELECT complete FROM stored) AS complete, count(*) > 0 AS added, CASE WHEN count(*) > 0 THEN ${notify} END AS notified FROM added`
    }

    /**
     * In an embedder's transaction a stale change must not fail the statement: some libraries then end the transaction.
     */
    const commit = Effect.fnUntraced(
      function* (change: Change, within: boolean) {
        const stale = sql.literal(within ? "false" : "designwire.refuse_stale()")
        const stored = Effect.fnUntraced(function* (notify: Statement.Fragment) {
          const statement = store(change, stale, notify)
          const [row] = yield* within ? statement : alone(statement)
          if (row?.complete !== true) return yield* staleRevision(within)
          return row.added
        })
        yield* change.events.length === 0 ? stored(sql`false`) : signals.committing(sql, stored)
        if (change.order?.revision === 1) yield* sql.afterCommit(foldCounts(change.shop))
      },
      (effect, _, within) =>
        Effect.mapError(withoutDefects(within ? sql.withTransaction(effect) : effect), (error) =>
          error._tag === "StaleRevision" || isRace(error)
            ? staleRevision(within)
            : storageError("Storing a change")(error),
        ),
    )

    return {
      designs: (shop, ids) => designs(shop, ids).pipe(mapped("Reading designs")),
      order: (shop, id) =>
        sql<DesignRows.OrderRow & { readonly [K in keyof DesignRecord]: DesignRecord[K] | null }>`SELECT ${sql.literal(
          DesignRows.orderColumns,
        )}, ${sql.literal(DesignRows.designColumns)}
FROM designwire.orders o LEFT JOIN designwire.designs d ON d.shop = o.shop AND d.order_id = o.id
WHERE o.shop = ${shop} AND o.id = ${id} ORDER BY d.position`.pipe(
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
        ),
      commit: (change) => Effect.flatMap(inTransaction(sql), (within) => commit(change, within)),
      readDesign: (shop, id) => readDesign({ shop, id }),
      latestOrderedDesign: (shop) =>
        sql<{ wire: string }>`SELECT d.wire FROM designwire.orders o
JOIN designwire.designs d ON d.shop = o.shop AND d.order_id = o.id AND d.status = 'ordered'
WHERE o.shop = ${shop} ORDER BY o.ordered_at DESC, o.id DESC, d.position LIMIT 1`.pipe(
          Effect.map((rows) => Option.map(Option.fromUndefinedOr(rows[0]), (row) => row.wire)),
          mapped("Reading the latest design"),
        ),
      readOrders: ({ after, bytes, limit, orderedAfter, shop }) => {
        const conditions = sql.and([
          sql`o.shop = ${shop}`,
          ...(after === null
            ? []
            : [sql`(o.ordered_at, o.id) < (${format(after.orderedAt)}::timestamptz, ${after.id})`]),
          ...(orderedAfter === null ? [] : [sql`o.ordered_at >= ${format(orderedAfter)}::timestamptz`]),
        ])
        // Lengths are known without reading the texts: orders that don't fit are never put together.
        // The limit is not a parameter: Postgres would plan the statement again for each unknown limit.
        return sql<PageRow>`SELECT t.total, o.id, ${sql.literal(milliseconds("o.ordered_at"))} AS "orderedAt", o.etag,
  CASE WHEN o.place = 1 OR (o.place <= ${limit}::int4 AND o.reached <= ${bytes}::int4) THEN ${orderWire} END AS wire
FROM (SELECT (${OrderCounts.total(sql, shop, orderedAfter)})::int4 AS total) t LEFT JOIN (
  SELECT o.shop, o.id, o.ordered_at, o.etag, o.head, row_number() OVER newest AS place,
    sum(octet_length(o.head) + d.bytes) OVER newest AS reached
  FROM designwire.orders o CROSS JOIN LATERAL (
    SELECT coalesce(sum(octet_length(d.wire) + 1) - 1, 0) + ${tail.length}::int4 AS bytes FROM designwire.designs d
    WHERE d.shop = o.shop AND d.order_id = o.id
  ) d
  WHERE ${conditions} WINDOW newest AS (ORDER BY o.ordered_at DESC, o.id DESC ROWS UNBOUNDED PRECEDING)
  ORDER BY o.ordered_at DESC, o.id DESC LIMIT ${sql.literal(`${limit + 1}`)}
) o ON true ORDER BY o.ordered_at DESC, o.id DESC`.pipe(
          Effect.map((rows) => {
            const orders = rows.filter((row): row is Shown => row.wire !== null)
            const last = rows.length > orders.length ? orders.at(-1) : undefined
            return {
              orders,
              total: rows[0]?.total ?? 0,
              next: last === undefined ? null : { orderedAt: last.orderedAt, id: last.id },
            }
          }),
          mapped("Reading orders"),
        )
      },
    }
  }),
)

/** Within a transaction a retry might read the same outdated state. */
const staleRevision = (within: boolean) => new StaleRevision({ canRetry: !within })

/** A stale change, a deadlock, or an outdated snapshot: all are decided again. */
const isRace = (error: SqlError.SqlError): boolean =>
  error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"
