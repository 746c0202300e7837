/**
 * All storage ports over the embedder's own pool, and calls within the embedder's own transaction: of `pg`,
 * postgres.js, Drizzle, Kysely, Knex, Prisma, or anything else that runs SQL with `$1` …. This package depends on none
 * of them.
 */
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Sql from "../sql/index.ts"
import { defaultLockWait, LockWait } from "../sql/statements/Waits.ts"
import { layerListening } from "../sql/webhooks/Listening.ts"
import { type ClientOptions, layerClient } from "./Client.ts"
import { listenOver } from "./Listening.ts"
import type { OwnPool } from "./Query.ts"

export { type ClientOptions, layerClient } from "./Client.ts"
export { type DrizzleTransactionLike, fromDrizzle } from "./Drizzle.ts"
export { fromKnex, type KnexTransactionLike } from "./Knex.ts"
export { fromKysely, type KyselyTransactionLike } from "./Kysely.ts"
export { fromPg, fromPgPool, type PgClientLike, type PgPoolClientLike, type PgPoolLike } from "./Pg.ts"
export {
  fromPostgresJs,
  fromPostgresJsPool,
  type PostgresJsPoolLike,
  type PostgresJsTransactionLike,
} from "./PostgresJs.ts"
export { fromPrisma, type PrismaTransactionLike } from "./Prisma.ts"
export type { Listener, OwnPool, Query, Reserved, Row } from "./Query.ts"
export { within } from "./Transaction.ts"

/** How the stores use a pool. */
export interface ConnectionOptions extends ClientOptions {
  /**
   * `transaction`: the pool leads to a pooler that gives every transaction another session of the server, such as
   * PgBouncer in transaction mode. Nothing listens then: workers look for deliveries every second.
   */
  readonly pooler?: "transaction"
}

/**
 * Every storage port over a pool, and the pool as a `SqlClient`, to migrate with and for {@link within}. The database
 * must be migrated.
 */
export const layerStores = (
  pool: OwnPool,
  options: ConnectionOptions = {},
): Layer.Layer<StoragePorts | SqlClient.SqlClient> => {
  const listening =
    pool.listen === undefined || options.pooler !== undefined ? Layer.empty : layerListening(listenOver(pool.listen))
  return listening.pipe(
    Layer.provideMerge(Sql.layer),
    Layer.provide(Sql.TokenChanges.layer),
    Layer.provide(Layer.succeed(Sql.SharedConnections, false)),
    Layer.provide(Layer.succeed(LockWait, options.lockWait ?? defaultLockWait)),
    Layer.provideMerge(layerClient(pool, options)),
  )
}
