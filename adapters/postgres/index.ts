/**
 * All storage ports on a Postgres server: `designwire/sql` over a pool of connections, with LISTEN/NOTIFY between
 * hosts.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, identity, Layer, Option, Queue, Redacted, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Sql from "../sql/index.ts"
import { PageConnections, pageConnectionsOf } from "../sql/statements/PageReads.ts"
import { measuring } from "../sql/statements/PoolMetrics.ts"
import { causeCodeOf } from "../sql/statements/Reason.ts"
import { joinable } from "../sql/statements/Transaction.ts"
import { defaultLockWait, LockWait, type Waits } from "../sql/statements/Waits.ts"
import { type Listen, layerListening } from "../sql/webhooks/Listening.ts"
import { load, optionalPackages } from "../support/Packages.ts"
import { watchCertificate } from "./Certificate.ts"

export { migrate, migrations, NewerSchema, pending } from "../sql/index.ts"

const sqlPg = Effect.promise(() =>
  load(() => import("@effect/sql-pg"), "designwire/postgres", optionalPackages.postgres),
)

/** The pooler between a host and its server. */
export interface PoolerOptions {
  /**
   * `transaction`: the connections lead to a pooler that gives every transaction another session of the server, such as
   * PgBouncer in transaction mode. Statements are then not prepared by name, and sessions keep no state.
   */
  readonly pooler?: "transaction" | undefined
  /**
   * A direct connection to listen on (LISTEN) if the others lead to a pooler. Behind a pooler, workers without one look
   * for deliveries every second.
   */
  readonly listenUrl?: Redacted.Redacted<string> | undefined
}

/** The server, and a host's connections to it. */
export interface PostgresOptions extends PoolerOptions, Waits {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted<string>
  /**
   * Connections. Short statements share a fifth of them. Of eight or more, two are for the worker and one is for
   * upkeep; the others are for transactions and long reads. One or two serve everything. Default: 14.
   */
  readonly maxConnections?: number | undefined
  /** The schema of the tables. Default: `designwire`. */
  readonly schema?: string
}

const defaultConnections = 14

const defaultPort = 5432

/**
 * The server and the database that a URL names, for spans of statements: `PgClient` does not read them from the URL. An
 * unusual URL, such as one with a socket, is left to the client.
 */
const placeOf = (url: Redacted.Redacted) => {
  const given = URL.parse(Redacted.value(url))
  const plain = /^[\w.-]+$/
  const database = given?.pathname.slice(1) ?? ""
  if (given === null || !plain.test(given.hostname) || !plain.test(database)) return {}
  if (["host", "port", "dbname"].some((name) => given.searchParams.has(name))) return {}
  return { host: given.hostname, port: Number(given.port) || defaultPort, database }
}

/** The shares of a process's connections. Work waits only for work of its own kind. */
interface Shares {
  /**
   * For short statements, which share them. A pool whose connections are shared may leave a call that needs one to
   * itself waiting, though it could open another: the others are pools of their own.
   */
  readonly shared: number
  /** For the worker: a claim and a settlement run at the same time. */
  readonly dispatch: number
  readonly upkeep: number
  /** For transactions and long reads. */
  readonly own: number
}

const sharesOf = (size: number): Shares => {
  const shared = Math.ceil(size / 5)
  const dispatch = size >= 8 ? 2 : size >= 4 ? 1 : 0
  const upkeep = size >= 8 ? 1 : 0
  return { shared, dispatch, upkeep, own: size - shared - dispatch - upkeep }
}

/** Of four or more connections, changes leave these to long reads, however many changes wait for locks. */
const leftForReads = 2

/** Reserves a connection for a change. */
const leaving = (reserve: SqlClient.SqlClient["reserve"], size: number): SqlClient.SqlClient["reserve"] => {
  const places = Semaphore.makeUnsafe(size < 4 ? size : size - leftForReads)
  const place = Effect.acquireRelease(places.take(1), () => places.release(1), { interruptible: true })
  return Effect.andThen(place, reserve)
}

/**
 * Some poolers refuse connections with settings. Then statements wait for locks as long as the role's `lock_timeout`
 * says.
 */
const unlessRefused = (
  limited: SqlClient.SqlClient["reserve"],
  unlimited: SqlClient.SqlClient["reserve"],
): SqlClient.SqlClient["reserve"] => {
  let reserve = limited
  return Effect.suspend(() =>
    Effect.catch(reserve, (error) => {
      if (reserve !== limited || causeCodeOf(error) !== protocolViolation) return Effect.fail(error)
      reserve = unlimited
      return reserve
    }),
  )
}

/** The SQLSTATE of "unsupported startup parameter". */
const protocolViolation = "08P01"

/** Only the connections, e.g. to migrate with. Stores over them use the tables of the schema that the options name. */
export const layerClient = (
  options: PostgresOptions,
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.unwrap(
    Effect.map(sqlPg, ({ PgClient }) => {
      const size = options.maxConnections ?? defaultConnections
      const isPooled = options.pooler !== undefined
      const connect = (settings: PgClient.PgPoolConfig) =>
        PgClient.make({
          url: options.url,
          ...placeOf(options.url),
          applicationName: "designwire",
          prepare: !isPooled,
          // The stores have more statements than the driver's default. Few connections carry most of them.
          preparedStatementCacheSize: 1_000,
          ...settings,
        })
      return PgClient.layerFrom(
        Effect.gen(function* () {
          yield* watchCertificate(options.url)
          // Through a pooler, the results of statements that share a connection get mixed up.
          if (isPooled || size <= 2) {
            const sql = yield* connect({ maxConnections: size, multiplex: !isPooled })
            return joinable(sql, { ...options, reserve: (yield* measuring(size))(sql.reserve) })
          }
          const shares = sharesOf(size)
          const sql = yield* connect({ maxConnections: shares.shared, multiplex: true })
          const own = yield* connect({ maxConnections: shares.own })
          const measured = yield* measuring(shares.own)
          const lockTimeout = { lock_timeout: String(options.lockWait ?? defaultLockWait) }
          const lane = (maxConnections: number) =>
            Effect.map(
              Effect.all([connect({ maxConnections, startupParameters: lockTimeout }), connect({ maxConnections })]),
              ([limited, unlimited]) => unlessRefused(limited.reserve, unlimited.reserve),
            )
          return joinable(sql, {
            ...options,
            reserve: measured(leaving(own.reserve, shares.own)),
            reserveRead: measured(own.reserve),
            lanes: new Map([
              ...(shares.dispatch > 0 ? [["dispatch", yield* lane(shares.dispatch)] as const] : []),
              ...(shares.upkeep > 0 ? [["upkeep", yield* lane(shares.upkeep)] as const] : []),
            ]),
          })
        }),
      )
    }),
  ).pipe(options.schema === undefined ? identity : Layer.provideMerge(Layer.succeed(Sql.SchemaName, options.schema)))

/**
 * Listens to all channels over one connection of its own: listening occupies it for good, and statements that shared it
 * would wait forever.
 */
const listenOver =
  (config: PgClient.PgClientConfig): Listen =>
  (channels, handle) =>
    Effect.gen(function* () {
      const { PgConnection } = yield* sqlPg
      const connection = yield* Effect.flatMap(PgConnection.make({ ...config, multiplex: false }), ({ pin }) => pin)
      const queues = yield* Effect.forEach(channels, (channel) => connection.listen(channel))
      const handleNext = (queue: (typeof queues)[number]) =>
        Effect.flatMap(Queue.take(queue), ({ channel, payload }) => handle(channel, payload))
      return Effect.raceAllFirst(queues.map((queue) => Effect.forever(handleNext(queue))))
    })

const listening = ({ listenUrl, pooler }: PoolerOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { PgClient } = yield* sqlPg
      const { config } = yield* PgClient.PgClient
      if (pooler !== undefined && listenUrl === undefined) return Layer.empty
      const direct = { ...config, ...{ host: undefined, port: undefined, database: undefined }, url: listenUrl }
      return layerListening(listenOver(listenUrl === undefined ? config : direct))
    }),
  )

/** Every storage port over the `PgClient` in the context. The database must be migrated. */
export const layerStores = (
  options: PoolerOptions & Pick<PostgresOptions, "lockWait" | "maxConnections"> = {},
): Layer.Layer<StoragePorts, never, PgClient.PgClient | SqlClient.SqlClient> =>
  listening(options).pipe(
    Layer.provideMerge(Sql.layer),
    Layer.provide(Sql.TokenChanges.layer),
    Layer.provide(Layer.succeed(LockWait, options.lockWait ?? defaultLockWait)),
    Layer.provide(Layer.succeed(PageConnections, pageConnectionsOf(options.maxConnections ?? defaultConnections))),
  )

/** Every storage port on a server, and the connections to it. The database must be migrated. */
export const layer = (options: PostgresOptions) => Layer.provideMerge(layerStores(options), layerClient(options))

/** Whether a NOTIFY over the connections reaches the listening one: not through a pooler, nor from another database. */
export const isHeard = (options: PostgresOptions): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { PgClient } = yield* sqlPg
    const sending = yield* PgClient.make({ url: options.url, prepare: options.pooler === undefined, maxConnections: 1 })
    const listening = yield* PgClient.make({ url: options.listenUrl ?? options.url, maxConnections: 1 })
    const notifications = yield* listening.listen("designwire_doctor")
    yield* sending.notify("designwire_doctor", "")
    return Option.isSome(yield* Effect.timeoutOption(Queue.take(notifications), "3 seconds"))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
