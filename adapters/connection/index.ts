/**
 * All storage ports over a pool of the embedder's own, and calls within the embedder's own transaction: `pg`, postgres.js, Drizzle, Kysely, Knex, Prisma,
 * or anything else that runs SQL with `$1` …. None of these packages is needed by this one.
 */
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Sql from "../sql/index.ts"
import { layerClient, type SchemaOptions } from "./Client.ts"
import { layerListening } from "./Listening.ts"
import type { OwnPool } from "./Query.ts"

export { layerClient, type SchemaOptions } from "./Client.ts"
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
export { within } from "./Within.ts"

/** How the stores use a pool. */
export interface ConnectionOptions extends SchemaOptions {
  /**
   * `transaction`: the pool leads to a pooler that gives every transaction another session of the server, such as PgBouncer in transaction mode. Nobody
   * listens then: workers look every second whether there is something to deliver.
   */
  readonly pooler?: "transaction"
}

/** Every storage port over a pool, whose database `migrate` has brought up to date, and the pool as a `SqlClient`, to migrate with and for {@link within}. */
export const layerStores = (
  pool: OwnPool,
  options: ConnectionOptions = {},
): Layer.Layer<StoragePorts | SqlClient.SqlClient> => {
  const { listen: _, ...deaf } = pool
  return layerListening(options.pooler === undefined ? pool : deaf).pipe(
    Layer.provideMerge(Sql.layer),
    Layer.provide(Sql.TokenChanges.layer),
    Layer.provide(Layer.succeed(Sql.SharedConnections, false)),
    Layer.provideMerge(layerClient(pool, options)),
  )
}
