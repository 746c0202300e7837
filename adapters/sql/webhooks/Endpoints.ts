import { Effect, Equal, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import type { EndpointRecord } from "../../../core/model/webhooks/Endpoint.ts"
import { takesOthers } from "../../../core/model/webhooks/EndpointChange.ts"
import { storedOptions } from "../../../core/model/webhooks/EndpointOptions.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { setUpMark } from "../../../core/ports/SettingsSessions.ts"
import { usedId } from "../access/SettingsSessions.ts"
import { insertEntry } from "../audit/Audit.ts"
import { shopColumns } from "../shops/Shops.ts"
import { mapped } from "../statements/Errors.ts"
import { fixed } from "../statements/Fixed.ts"
import { as, columnsOf, select, valuesOf } from "../statements/Table.ts"
import { isDropped } from "./DeliveryRules.ts"
import { storeHealth } from "./Health.ts"
import { checkIsolation, reorder } from "./Lines.ts"
import { keepPace } from "./Paces.ts"
import { type RotationRow, rotationOf } from "./Rotation.ts"
import { Signals } from "./Signals.ts"

/** An endpoint in a result row: drivers disagree about lists, but all read a text alike. */
export interface EndpointRow extends Omit<EndpointRecord, "kinds" | "rotation" | "options">, RotationRow {
  /** Separated by commas. */
  readonly kinds: string
  /** Those that were ever given. */
  readonly options: string
}

/** The endpoint of a row. */
const endpointOf = ({ kinds, newSecret, options, rotatesAt, ...row }: EndpointRow): EndpointRecord => ({
  ...row,
  kinds: kinds.split(",").filter((kind) => kind !== "") as EndpointRecord["kinds"],
  options: storedOptions(options),
  rotation: rotationOf({ newSecret, rotatesAt }),
})

/** What owners set, except options. */
const settings = {
  url: "text",
  description: "text",
  kinds: "text[]",
  secret: "text",
  secretSince: "timestamptz",
  newSecret: "text",
  rotatesAt: "timestamptz",
  standardWebhooks: "bool",
} as const

/** The columns of an endpoint. */
const fields = {
  ...settings,
  shop: "text",
  id: "text",
  status: "text",
  consecutiveFailures: "int4",
  switchedOffAt: "timestamptz",
  createdAt: "timestamptz",
  proven: "bool",
  troubled: "bool",
  options: "jsonb",
} as const

/** The columns of an endpoint `e`, named as in {@link EndpointRow}. */
const columns = select("e", fields)

/** `EndpointStore` over SQL. */
export const layerEndpoints: Layer.Layer<EndpointStore, never, SqlClient.SqlClient | Signals> = Layer.effect(
  EndpointStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    return {
      add: (endpoint, maximum, audited) =>
        sql.withTransaction(add(sql, endpoint, maximum, audited)).pipe(
          Effect.map((rows) => rows.length > 0),
          mapped("Storing an endpoint"),
        ),
      list: (shop) =>
        sql<EndpointRow>`SELECT ${columns} FROM designwire.endpoints e WHERE e.shop = ${shop} ORDER BY e.created_at, e.id`.pipe(
          Effect.map((rows) => rows.map(endpointOf)),
          mapped("Reading endpoints"),
        ),
      all: (after, limit) =>
        sql<EndpointRow>`SELECT ${columns} FROM designwire.endpoints e
WHERE ${after === null ? sql`true` : sql`(e.shop, e.id) > (${after.shop}, ${after.id})`}
ORDER BY e.shop, e.id LIMIT ${limit}::int4`.pipe(
          Effect.map((rows) => rows.map(endpointOf)),
          mapped("Reading the endpoints of all shops"),
        ),
      withShop: (shop) => withShop(sql, shop).pipe(mapped("Reading a shop and its endpoints")),
      find: (shop, id) => find(sql, shop, id).pipe(mapped("Reading an endpoint")),
      // Within a transaction, so that nothing takes effect of a call that is interrupted while it waits for a lock
      // (D49).
      update: (shop, id, change, audited) =>
        sql
          .withTransaction(update(sql, signals, { shop, id }, change, audited))
          .pipe(mapped("Changing an endpoint"), Effect.flatMap(Effect.fromResult)),
      remove: (shop, id, audited) => removing(sql, shop, id, audited).pipe(mapped("Removing an endpoint")),
    }
  }),
)

const both = fixed(`${as("s.id", "shopId")}, ${shopColumns("s")}, ${columns}`)

/** A shop alongside one of its endpoints; the endpoint's columns are null if it has none. */
type ShopRow = Omit<Shop, "id"> & { readonly shopId: string; readonly isSetUp: boolean } & EndpointRow

const withoutShop = ({
  currency: _currency,
  domain: _domain,
  imageBase: _imageBase,
  isSetUp: _isSetUp,
  plan: _plan,
  roundingStep: _roundingStep,
  shopId: _shopId,
  ...endpoint
}: ShopRow): EndpointRow => endpoint

const withShop = (sql: SqlClient.SqlClient, shop: string) =>
  sql<ShopRow>`SELECT ${both}, EXISTS (
  SELECT FROM designwire.settings_marks m WHERE m.shop = s.id AND m.id = ${usedId(setUpMark)}
) AS "isSetUp" FROM designwire.shops s LEFT JOIN designwire.endpoints e ON e.shop = s.id
WHERE s.id = ${shop} ORDER BY e.created_at, e.id`.pipe(
    Effect.map((rows) =>
      Option.map(
        Option.fromUndefinedOr(rows[0]),
        ({ currency, domain, imageBase, isSetUp, plan, roundingStep, shopId }) => ({
          shop: { id: shopId, domain, currency, plan, roundingStep, imageBase },
          endpoints: rows.flatMap((row) => (row.id === null ? [] : [endpointOf(withoutShop(row))])),
          isSetUp,
        }),
      ),
    ),
  )

const firstOf = (rows: ReadonlyArray<EndpointRow>): Option.Option<EndpointRecord> =>
  Option.map(Option.fromUndefinedOr(rows[0]), endpointOf)

const find = (sql: SqlClient.SqlClient, shop: string, id: string) =>
  Effect.map(
    sql<EndpointRow>`SELECT ${columns} FROM designwire.endpoints e WHERE e.shop = ${shop} AND e.id = ${id}`,
    firstOf,
  )

/** Locks an endpoint until the transaction ends. */
const lock = (sql: SqlClient.SqlClient, shop: string, id: string) =>
  sql`SELECT 1 AS locked FROM designwire.endpoints WHERE shop = ${shop} AND id = ${id} FOR UPDATE`

/** Removes an endpoint in a transaction, with the entry of the change. Returns whether there was one. */
const removing = (sql: SqlClient.SqlClient, shop: string, id: string, audited: Audited<EndpointRecord> | undefined) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* lock(sql, shop, id)
      const before = audited === undefined ? Option.none() : yield* find(sql, shop, id)
      const removed = yield* remove(sql, shop, id)
      if (Option.isSome(before)) yield* insertEntry(sql, audited?.(before.value, null))
      return removed.length > 0
    }),
  )

const written = ({ rotation, ...endpoint }: EndpointRecord) => ({
  ...endpoint,
  newSecret: rotation?.secret ?? null,
  rotatesAt: rotation?.until ?? null,
})

/** Adds an endpoint within a transaction, and returns a row, unless the shop has `maximum` endpoints. */
const add = (
  sql: SqlClient.SqlClient,
  endpoint: EndpointRecord,
  maximum: number,
  audited: Audited<EndpointRecord> | undefined,
) =>
  // The shop's row is what racing calls wait for, so that the one behind sees what the one before has added.
  sql`SELECT 1 AS locked FROM designwire.shops WHERE id = ${endpoint.shop} FOR UPDATE`.pipe(
    Effect.andThen(sql`INSERT INTO designwire.endpoints (${columnsOf(fields)}) SELECT ${valuesOf(sql, fields, written(endpoint))}
WHERE (SELECT count(*) FROM designwire.endpoints WHERE shop = ${endpoint.shop}) < ${maximum}::int4 RETURNING 1 AS added`),
    Effect.tap((added) => (added.length > 0 ? insertEntry(sql, audited?.(null, endpoint)) : Effect.void)),
    Effect.tap((added) => (added.length > 0 ? keepPace(sql, endpoint, endpoint.options) : Effect.void)),
  )

/**
 * Updates an endpoint within a transaction. Drops the pending deliveries of events that it no longer wants, puts the
 * others in the order that it asks for, and suspends or resumes them with the endpoint.
 */
const update = Effect.fnUntraced(function* <E>(
  sql: SqlClient.SqlClient,
  signals: Signals["Service"],
  { id, shop }: { readonly shop: string; readonly id: string },
  change: (endpoint: EndpointRecord) => Result.Result<EndpointRecord, E>,
  audited: Audited<EndpointRecord> | undefined,
) {
  // A transaction that adds deliveries holds the endpoint's row: the statements after this lock see what it added.
  yield* lock(sql, shop, id)
  const found = yield* find(sql, shop, id)
  if (Option.isNone(found)) return Result.succeed(found)
  const before = found.value
  const changed = change(before)
  if (Result.isFailure(changed)) return Result.fail(changed.failure)
  const after = changed.success
  const isReordered = before.options.ordering !== after.options.ordering
  const isRequeued = isReordered || takesOthers(before, after)
  if (isRequeued) yield* checkIsolation(sql, before, after.options.ordering === "object")
  yield* storeHealth(sql, before, after)
  const stored = firstOf(yield* store(sql, before, after))
  yield* keepPace(sql, after, after.options)
  if (isRequeued) yield* dropDeselected(sql, shop, id)
  if (isReordered) yield* reorder(sql, shop, id)
  if (isRequeued || before.status !== after.status) yield* signals.committed(sql, shop)
  yield* insertEntry(sql, audited?.(before, after))
  return Result.succeed(stored)
})

/** Stores an endpoint except its health. Options that it did not change stay as they are, also those never given. */
const store = (sql: SqlClient.SqlClient, { options }: EndpointRecord, after: EndpointRecord) => {
  const stored = new Map(Object.entries(options))
  const changed = Object.entries(after.options).filter(([option, value]) => !Equal.equals(value, stored.get(option)))
  return sql<EndpointRow>`UPDATE designwire.endpoints e
SET (${columnsOf(settings)}) = ROW(${valuesOf(sql, settings, written(after))}),
  options = e.options || ${JSON.stringify(Object.fromEntries(changed))}::text::jsonb
WHERE e.shop = ${after.shop} AND e.id = ${after.id} RETURNING ${columns}`
}

/** The lease stays, so that an attempt under way can be settled. */
const dropDeselected = (sql: SqlClient.SqlClient, shop: string, id: string) =>
  sql`UPDATE designwire.deliveries d SET status = 'dropped', next_attempt_at = NULL, queue = NULL
FROM designwire.endpoints e, designwire.events ev
WHERE e.shop = ${shop} AND e.id = ${id} AND d.shop = ${shop} AND d.endpoint_id = ${id}
  AND ev.shop = ${shop} AND ev.id = d.event_id AND ${isDropped}`

/** Removes a locked endpoint with its deliveries within a transaction, and returns a row if there was one. */
const remove = (sql: SqlClient.SqlClient, shop: string, id: string) =>
  sql`WITH dropped AS (
  DELETE FROM designwire.deliveries WHERE shop = ${shop} AND endpoint_id = ${id}
), uncounted AS (
  DELETE FROM designwire.attempt_counts WHERE shop = ${shop} AND endpoint_id = ${id}
), unpaced AS (
  DELETE FROM designwire.paces WHERE shop = ${shop} AND endpoint_id = ${id}
)
DELETE FROM designwire.endpoints WHERE shop = ${shop} AND id = ${id} RETURNING 1 AS removed`
