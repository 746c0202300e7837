/** All storage ports on a Postgres server: `designwire/sql` over a pool of connections, with LISTEN/NOTIFY between hosts. */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Queue, type Redacted, Schedule } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { RateLimits } from "../../core/ports/RateLimits.ts"
import type { ResourceStore } from "../../core/ports/ResourceStore.ts"
import type { ShopStore } from "../../core/ports/ShopStore.ts"
import type { TokenStore } from "../../core/ports/TokenStore.ts"
import * as Sql from "../sql/index.ts"

export { migrate, migrations, pending } from "../sql/index.ts"

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

/** Hears of tokens that other hosts revoke. Without the connection a token is trusted for as long as D18 allows. */
const listener = Layer.effectDiscard(
  Effect.gen(function* () {
    const client = yield* PgClient.PgClient
    const revocations = yield* Sql.Revocations
    const listen = Effect.scoped(
      Effect.gen(function* () {
        const notifications = yield* client.listen(Sql.revokedChannel)
        return yield* Effect.forever(
          Effect.flatMap(Queue.take(notifications), (notification) => revocations.publish(notification.payload)),
        )
      }),
    )
    yield* listen.pipe(
      Effect.tapError((error) => Effect.logWarning("Lost the channel of revoked tokens; connecting again", error)),
      Effect.retry(Schedule.spaced("1 second")),
      Effect.forkScoped,
    )
  }),
)

/** Every storage port over the connections at hand, whose database `migrate` has brought up to date. */
export const layerStores: Layer.Layer<
  ShopStore | ResourceStore | TokenStore | RateLimits,
  never,
  PgClient.PgClient | SqlClient.SqlClient
> = Layer.merge(Sql.layer, listener).pipe(Layer.provide(Sql.Revocations.layer))

/** Every storage port on a server whose database `migrate` has brought up to date, and its connections. */
export const layer = (options: PostgresOptions) => Layer.provideMerge(layerStores, layerClient(options))
