import { Effect, Layer, Option } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import type { EndpointRecord, EndpointStatus } from "../../core/model/Endpoint.ts"
import type { EndpointKind } from "../../core/model/Event.ts"
import { format } from "../../core/model/Instant.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { mapped } from "./Errors.ts"
import { notifyWorkers, Signals } from "./Signals.ts"

interface EndpointRow {
  readonly shop: string
  readonly id: string
  readonly url: string
  readonly description: string
  readonly kinds: ReadonlyArray<EndpointKind>
  readonly status: EndpointStatus
  readonly consecutiveFailures: number
  readonly switchedOffAt: Date | null
  readonly createdAt: Date
  readonly secret: string
}

const columns =
  'e.shop, e.id, e.url, e.description, e.kinds, e.status, e.consecutive_failures AS "consecutiveFailures", e.switched_off_at AS "switchedOffAt", e.created_at AS "createdAt", e.secret'

const record = (row: EndpointRow): EndpointRecord => ({
  shop: row.shop,
  id: row.id,
  url: row.url,
  description: row.description,
  kinds: row.kinds,
  status: row.status,
  consecutiveFailures: row.consecutiveFailures,
  switchedOffAt: row.switchedOffAt?.getTime() ?? null,
  createdAt: row.createdAt.getTime(),
  secret: row.secret,
})

/** `EndpointStore` over SQL. */
export const layer: Layer.Layer<EndpointStore, never, SqlClient.SqlClient | Signals> = Layer.effect(
  EndpointStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    const all = sql.literal(columns)
    const first = (rows: ReadonlyArray<EndpointRow>) => Option.map(Option.fromUndefinedOr(rows[0]), record)

    const lock = (shop: string, id: string) =>
      sql`SELECT 1 AS locked FROM designwire.endpoints WHERE shop = ${shop} AND id = ${id} FOR UPDATE`

    return {
      add: (endpoint, maximum) =>
        // The shop's row is what racing calls wait for, so that the one behind sees what the one before has added.
        sql
          .withTransaction(
            sql`SELECT 1 AS locked FROM designwire.shops WHERE id = ${endpoint.shop} FOR UPDATE`.pipe(
              Effect.andThen(sql`INSERT INTO designwire.endpoints
  (shop, id, url, description, kinds, status, consecutive_failures, switched_off_at, created_at, secret)
SELECT ${endpoint.shop}, ${endpoint.id}, ${endpoint.url}, ${endpoint.description}, ${[...endpoint.kinds]}::text[],
  ${endpoint.status}, ${endpoint.consecutiveFailures}::int4, ${time(endpoint.switchedOffAt)}::timestamptz,
  ${format(endpoint.createdAt)}::timestamptz, ${endpoint.secret}
WHERE (SELECT count(*) FROM designwire.endpoints WHERE shop = ${endpoint.shop}) < ${maximum}::int4 RETURNING 1 AS added`),
            ),
          )
          .pipe(
            Effect.map((rows) => rows.length > 0),
            mapped("Storing an endpoint"),
          ),
      list: (shop) =>
        sql<EndpointRow>`SELECT ${all} FROM designwire.endpoints e WHERE e.shop = ${shop} ORDER BY e.created_at, e.id`.pipe(
          Effect.map((rows) => rows.map(record)),
          mapped("Reading endpoints"),
        ),
      find: (shop, id) =>
        sql<EndpointRow>`SELECT ${all} FROM designwire.endpoints e WHERE e.shop = ${shop} AND e.id = ${id}`.pipe(
          Effect.map(first),
          mapped("Reading an endpoint"),
        ),
      change: (shop, id, change) => {
        const assignments: Array<Statement.Fragment> = [
          ...(change.url === undefined ? [] : [sql`url = ${change.url}`]),
          ...(change.description === undefined ? [] : [sql`description = ${change.description}`]),
          ...(change.kinds === undefined ? [] : [sql`kinds = ${[...change.kinds]}::text[]`]),
          sql`id = id`,
        ]
        return sql<EndpointRow>`UPDATE designwire.endpoints e SET ${sql.csv(assignments)}
WHERE e.shop = ${shop} AND e.id = ${id} RETURNING ${all}`.pipe(Effect.map(first), mapped("Changing an endpoint"))
      },
      // Whoever adds deliveries at the same time holds the endpoint's row: the statements behind the lock see what was added.
      remove: (shop, id) =>
        sql
          .withTransaction(
            lock(shop, id).pipe(
              Effect.andThen(sql`WITH dropped AS (
  DELETE FROM designwire.deliveries WHERE shop = ${shop} AND endpoint_id = ${id} RETURNING id
), forgotten AS (
  DELETE FROM designwire.attempts a USING dropped WHERE a.shop = ${shop} AND a.delivery_id = dropped.id
)
DELETE FROM designwire.endpoints WHERE shop = ${shop} AND id = ${id} RETURNING 1 AS removed`),
            ),
          )
          .pipe(
            Effect.map((rows) => rows.length > 0),
            mapped("Removing an endpoint"),
          ),
      turnOn: (shop, id) =>
        sql
          .withTransaction(
            lock(shop, id).pipe(
              Effect.andThen(sql<EndpointRow>`WITH e AS (
  UPDATE designwire.endpoints SET status = 'active', consecutive_failures = 0, switched_off_at = NULL
  WHERE shop = ${shop} AND id = ${id} RETURNING *
), freed AS (
  UPDATE designwire.deliveries d SET available_at = d.next_attempt_at
  FROM e JOIN designwire.shops s ON s.id = e.shop AND s.plan <> 'free'
  WHERE d.shop = e.shop AND d.endpoint_id = e.id AND d.status = 'pending' AND d.available_at IS NULL
)
SELECT ${all}, ${notifyWorkers(sql)} AS told FROM e`),
              Effect.tap(signals.committed(sql)),
            ),
          )
          .pipe(Effect.map(first), mapped("Turning on an endpoint")),
    }
  }),
)

const time = (instant: number | null): string | null => (instant === null ? null : format(instant))
