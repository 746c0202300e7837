/** All storage ports on a Postgres server: `designwire/sql` over a pool of connections, with LISTEN/NOTIFY between hosts. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Queue, type Redacted, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient, SqlError } from "effect/sql"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Sql from "../sql/index.ts"
import { reasonOf } from "../sql/Reason.ts"

export { migrate, migrations, NewerSchema, pending } from "../sql/index.ts"

/** Where the server is, and how many connections a host may hold. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted<string>
  /** Connections of the pool; short statements of many requests share one. Default: 10. */
  readonly maxConnections?: number
}

/** The connections alone, e.g. to migrate with. */
export const layerClient = (
  options: PostgresOptions,
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> =>
  PgClient.layer({
    url: options.url,
    applicationName: "designwire",
    maxConnections: options.maxConnections ?? 10,
    multiplex: true,
  })

/**
 * Hears what other hosts tell, and does something with each message; a lost connection is made again.
 *
 * On connections of its own: listening holds one for ever, and statements that shared it would wait for ever.
 */
const hear = Effect.fnUntraced(function* (channel: string, use: (payload: string) => Effect.Effect<void>) {
  const { config } = yield* PgClient.PgClient
  const listen = Effect.scoped(
    Effect.gen(function* () {
      const client = yield* PgClient.make({ ...config, multiplex: false, maxConnections: 1 })
      const notifications = yield* client.listen(channel)
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
 * find deliveries when they look for themselves.
 */
const listener = Layer.effectDiscard(
  Effect.gen(function* () {
    const changes = yield* Sql.TokenChanges
    const signal = yield* DeliverySignal
    yield* hear(Sql.tokensChannel, changes.publish)
    yield* hear(Sql.deliveriesChannel, () => signal.wake)
  }),
)

/** Every storage port over the connections at hand, whose database `migrate` has brought up to date. */
export const layerStores: Layer.Layer<StoragePorts, never, PgClient.PgClient | SqlClient.SqlClient> = listener.pipe(
  Layer.provideMerge(Sql.layer),
  Layer.provide(Sql.TokenChanges.layer),
)

/** Every storage port on a server whose database `migrate` has brought up to date, and its connections. */
export const layer = (options: PostgresOptions) => Layer.provideMerge(layerStores, layerClient(options))
