/** All storage ports on a Postgres server: `designwire/sql` over a pool of connections, with LISTEN/NOTIFY between hosts. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, identity, Layer, Option, Queue, type Redacted, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Sql from "../sql/index.ts"
import { reasonOf } from "../sql/Reason.ts"
import { load } from "../support/Packages.ts"

export { migrate, migrations, NewerSchema, pending } from "../sql/index.ts"

const sqlPg = Effect.promise(() => load(() => import("@effect/sql-pg"), "designwire/postgres", ["@effect/sql-pg"]))

/** What stands between a host and its server. */
export interface PoolerOptions {
  /**
   * `transaction`: the connections lead to a pooler that gives every transaction another session of the server, such as PgBouncer in transaction mode.
   * No statement is then prepared by name, and nothing is kept in a session.
   */
  readonly pooler?: "transaction"
  /**
   * A direct connection, where the others lead to a pooler: to hear what other hosts tell (LISTEN). Behind a pooler, and without it,
   * workers look every second whether there is something to deliver.
   */
  readonly listenUrl?: Redacted.Redacted<string>
}

/** Where the server is, how to speak to it, and how many connections a host may hold. */
export interface PostgresOptions extends PoolerOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted<string>
  /** Connections of the pool; short statements of many requests share one. Default: 10. */
  readonly maxConnections?: number
  /** The schema of the tables. Default: `designwire`. */
  readonly schema?: string
}

/** The connections alone, e.g. to migrate with; what stands on them finds its tables in the schema that the options name. */
export const layerClient = (
  options: PostgresOptions,
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.unwrap(
    Effect.map(sqlPg, ({ PgClient }) =>
      PgClient.layer({
        url: options.url,
        applicationName: "designwire",
        maxConnections: options.maxConnections ?? 10,
        // Through a pooler, answers to statements that share a connection come mixed up.
        multiplex: options.pooler === undefined,
        prepare: options.pooler === undefined,
      }),
    ),
  ).pipe(options.schema === undefined ? identity : Layer.provideMerge(Layer.succeed(Sql.SchemaName, options.schema)))

/**
 * Hears what other hosts tell, and does something with each message; a lost connection is made again.
 *
 * On connections of its own: listening holds one for ever, and statements that shared it would wait for ever.
 */
const hear = Effect.fnUntraced(function* (
  config: PgClient.PgClientConfig,
  channel: string,
  use: (payload: string) => Effect.Effect<void>,
  listening: Effect.Effect<void> = Effect.void,
) {
  const listen = Effect.scoped(
    Effect.gen(function* () {
      const { PgClient } = yield* sqlPg
      const client = yield* PgClient.make({ ...config, multiplex: false, maxConnections: 1 })
      const notifications = yield* client.listen(channel)
      yield* listening
      return yield* Effect.forever(Effect.flatMap(Queue.take(notifications), ({ payload }) => use(payload)))
    }),
  )
  yield* listen.pipe(
    Effect.tapError((error) => Effect.logWarning(`Lost the channel ${channel}; connecting again: ${reasonOf(error)}`)),
    Effect.retry(Schedule.spaced("1 second")),
    Effect.provide(Reactivity.layer),
    Effect.forkScoped,
  )
})

/**
 * Hears of tokens that other hosts revoke and of deliveries that they add. Without the channels a token is trusted for as long as D18 allows, and workers
 * find deliveries when they look for themselves, every second.
 */
const listener = ({ listenUrl, pooler }: PoolerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { PgClient } = yield* sqlPg
      const { config } = yield* PgClient.PgClient
      const changes = yield* Sql.TokenChanges
      const { wakeHere } = yield* Sql.Signals
      if (pooler !== undefined && listenUrl === undefined) return
      const direct = listenUrl === undefined ? config : { ...config, url: listenUrl }
      const named = Sql.inSchema(yield* Sql.SchemaName)
      yield* hear(direct, named(Sql.tokensChannel), changes.heard, changes.listening)
      yield* hear(direct, named(Sql.deliveriesChannel), () => wakeHere)
    }),
  )

/** Every storage port over the connections at hand, whose database `migrate` has brought up to date. */
export const layerStores = (
  options: PoolerOptions = {},
): Layer.Layer<StoragePorts, never, PgClient.PgClient | SqlClient.SqlClient> =>
  listener(options).pipe(Layer.provideMerge(Sql.layer), Layer.provide(Sql.TokenChanges.layer))

/** Every storage port on a server whose database `migrate` has brought up to date, and its connections. */
export const layer = (options: PostgresOptions) => Layer.provideMerge(layerStores(options), layerClient(options))

/** Whether what is told over the connections is heard where hosts listen: not through a pooler, and not at another database. */
export const isHeard = (options: PostgresOptions): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { PgClient } = yield* sqlPg
    const teller = yield* PgClient.make({ url: options.url, prepare: options.pooler === undefined, maxConnections: 1 })
    const listening = yield* PgClient.make({ url: options.listenUrl ?? options.url, maxConnections: 1 })
    const heard = yield* listening.listen("designwire_doctor")
    yield* teller.notify("designwire_doctor", "")
    return Option.isSome(yield* Effect.timeoutOption(Queue.take(heard), "3 seconds"))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
