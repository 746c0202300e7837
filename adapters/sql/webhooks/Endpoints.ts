import { Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { Audited } from "../../../core/model/audit/AuditEntry.ts"
import { format, type Instant } from "../../../core/model/Instant.ts"
import type { EndpointRecord, SigningSecrets } from "../../../core/model/webhooks/Endpoint.ts"
import { isConfigured } from "../../../core/model/webhooks/EndpointChange.ts"
import { storedOptions } from "../../../core/model/webhooks/EndpointOptions.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import * as EndpointState from "../../../core/rules/webhooks/EndpointState.ts"
import * as SecretRotation from "../../../core/rules/webhooks/SecretRotation.ts"
import { insertEntry } from "../audit/Audit.ts"
import { mapped } from "../statements/Errors.ts"
import { columnsOf, select, valuesOf } from "../statements/Table.ts"
import { isDropped } from "./DeliveryRules.ts"
import { lockHealth, storeHealth } from "./Health.ts"
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
export const endpointOf = ({ kinds, newSecret, options, rotatesAt, ...row }: EndpointRow): EndpointRecord => ({
  ...row,
  kinds: kinds.split(",").filter((kind) => kind !== "") as EndpointRecord["kinds"],
  options: storedOptions(options),
  rotation: rotationOf({ newSecret, rotatesAt }),
})

/** The columns of an endpoint, in the order of its table. */
const fields = {
  shop: "text",
  id: "text",
  url: "text",
  description: "text",
  kinds: "text[]",
  status: "text",
  consecutiveFailures: "int4",
  switchedOffAt: "timestamptz",
  createdAt: "timestamptz",
  secret: "text",
  secretSince: "timestamptz",
  newSecret: "text",
  rotatesAt: "timestamptz",
  proven: "bool",
  troubled: "bool",
  standardWebhooks: "bool",
  options: "jsonb",
} as const

/** The columns of an endpoint `e`, named as in {@link EndpointRow}. */
export const columns = select("e", fields)

/** `EndpointStore` over SQL. */
export const layer: Layer.Layer<EndpointStore, never, SqlClient.SqlClient | Signals> = Layer.effect(
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
      find: (shop, id) => find(sql, shop, id).pipe(mapped("Reading an endpoint")),
      // Within a transaction, so that nothing takes effect of a call that is interrupted while it waits for a lock (D49).
      change: (shop, id, changed, audited, seen) =>
        auditing(
          sql,
          shop,
          id,
          audited,
          isSelecting(changed) || changed.options?.ordering !== undefined
            ? changeLocked(sql, signals, shop, id, changed)
            : change(sql, shop, id, changed),
          seen,
        ).pipe(mapped("Changing an endpoint")),
      rotate: (shop, id, anew, audited) =>
        auditing(
          sql,
          shop,
          id,
          audited,
          changeSecrets(sql, shop, id, (before) => SecretRotation.rotate(before, anew)),
        ).pipe(mapped("Rotating a secret")),
      promote: (shop, id, now, audited) =>
        auditing(
          sql,
          shop,
          id,
          audited,
          changeSecrets(sql, shop, id, (before) => SecretRotation.promote(before, now)),
        ).pipe(mapped("Promoting a secret")),
      remove: (shop, id, audited) => removing(sql, shop, id, audited).pipe(mapped("Removing an endpoint")),
      pause: (shop, id, at, audited) =>
        auditing(sql, shop, id, audited, pause(sql, shop, id, at)).pipe(mapped("Pausing an endpoint")),
      turnOn: (shop, id, audited) =>
        auditing(sql, shop, id, audited, turnOn(sql, signals, shop, id)).pipe(mapped("Turning on an endpoint")),
    }
  }),
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

/**
 * Runs a change of an endpoint in a transaction, with the entry of the change (D59). If the caller has `seen` the
 * endpoint otherwise, changes nothing and returns it.
 */
const auditing = <E>(
  sql: SqlClient.SqlClient,
  shop: string,
  id: string,
  audited: Audited<EndpointRecord> | undefined,
  change: Effect.Effect<Option.Option<EndpointRecord>, E>,
  seen?: EndpointRecord,
) =>
  sql.withTransaction(
    audited === undefined && seen === undefined ? change : withEntry(sql, { shop, id, seen }, audited, change),
  )

const withEntry = Effect.fnUntraced(function* <E>(
  sql: SqlClient.SqlClient,
  { id, seen, shop }: { readonly shop: string; readonly id: string; readonly seen: EndpointRecord | undefined },
  audited: Audited<EndpointRecord> | undefined,
  change: Effect.Effect<Option.Option<EndpointRecord>, E>,
) {
  yield* lock(sql, shop, id)
  const before = yield* find(sql, shop, id)
  if (seen !== undefined && Option.isSome(before) && !isConfigured(before.value, seen)) return before
  const after = yield* change
  if (Option.isSome(before)) yield* insertEntry(sql, audited?.(before.value, Option.getOrNull(after)))
  return after
})

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

type Changed = Parameters<EndpointStore["Service"]["change"]>[2]

const change = (sql: SqlClient.SqlClient, shop: string, id: string, changed: Changed) => {
  const assignments: Array<Statement.Fragment> = [
    ...(changed.url === undefined ? [] : [sql`url = ${changed.url}`]),
    ...(changed.description === undefined ? [] : [sql`description = ${changed.description}`]),
    ...(changed.kinds === undefined ? [] : [sql`kinds = ${[...changed.kinds]}::text[]`]),
    ...(changed.standardWebhooks === undefined ? [] : [sql`standard_webhooks = ${changed.standardWebhooks}::bool`]),
    ...(changed.options === undefined
      ? []
      : [sql`options = options || ${JSON.stringify(changed.options)}::text::jsonb`]),
    sql`id = id`,
  ]
  return Effect.map(
    sql<EndpointRow>`UPDATE designwire.endpoints e SET ${sql.csv(assignments)}
WHERE e.shop = ${shop} AND e.id = ${id} RETURNING ${columns}`,
    firstOf,
  ).pipe(Effect.tap(keepPace(sql, { shop, id }, changed.options)))
}

/** Whether a change may deselect events. */
const isSelecting = ({ kinds, options }: Changed): boolean => kinds !== undefined || options?.customizers !== undefined

/**
 * Changes an endpoint within a transaction. Drops the pending deliveries of events that it no longer wants, and puts
 * the others in the order that it asks for.
 */
const changeLocked = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  signals: Signals["Service"],
  shop: string,
  id: string,
  changed: Changed,
) {
  // A transaction that adds deliveries holds the endpoint's row: the statements after this lock see what it added.
  yield* lock(sql, shop, id)
  yield* checkIsolation(sql, { shop, id }, changed.options?.ordering === "object")
  const after = yield* change(sql, shop, id, changed)
  // The lease stays, so that an attempt under way can be settled.
  yield* sql`UPDATE designwire.deliveries d SET status = 'dropped', next_attempt_at = NULL, queue = NULL
FROM designwire.endpoints e, designwire.events ev
WHERE e.shop = ${shop} AND e.id = ${id} AND d.shop = ${shop} AND d.endpoint_id = ${id}
  AND ev.shop = ${shop} AND ev.id = d.event_id AND ${isDropped}`
  if (changed.options?.ordering !== undefined) yield* reorder(sql, shop, id)
  yield* signals.committed(sql, shop)
  return after
})

/** Stores the new secrets of an endpoint within a transaction, and returns the endpoint. */
const changeSecrets = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  shop: string,
  id: string,
  changed: (before: SigningSecrets) => SigningSecrets,
) {
  yield* lock(sql, shop, id)
  const before = yield* find(sql, shop, id)
  if (Option.isNone(before)) return before
  const { rotation, secret, secretSince } = changed(before.value)
  return firstOf(
    yield* sql<EndpointRow>`UPDATE designwire.endpoints e SET secret = ${secret}, secret_since = ${time(secretSince)}::timestamptz,
  new_secret = ${rotation?.secret ?? null}::text, rotates_at = ${time(rotation?.until ?? null)}::timestamptz
WHERE e.shop = ${shop} AND e.id = ${id} RETURNING ${columns}`,
  )
})

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

/** Pauses an endpoint within a transaction, and returns it. */
const pause = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, shop: string, id: string, at: Instant) {
  yield* lock(sql, shop, id)
  const [before] = yield* lockHealth(sql, [{ shop, id }])
  const after = before === undefined ? undefined : EndpointState.pause(before, at)
  if (before !== undefined && after !== undefined) yield* storeHealth(sql, before, after)
  return yield* find(sql, shop, id)
})

/** Turns an endpoint on within a transaction, and returns it. */
const turnOn = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  signals: Signals["Service"],
  shop: string,
  id: string,
) {
  // A transaction that adds deliveries holds the endpoint's row: the statements after this lock see what it added.
  yield* lock(sql, shop, id)
  const [before] = yield* lockHealth(sql, [{ shop, id }])
  if (before === undefined) return Option.none()
  const after = EndpointState.turnOn(before)
  if (after !== undefined) {
    yield* storeHealth(sql, before, after)
    yield* signals.committed(sql, shop)
  }
  return yield* find(sql, shop, id)
})

const time = (instant: number | null): string | null => (instant === null ? null : format(instant))
