/** Reads of pages and of long orders, which may have megabytes, apart from the short reads that share connections. */
import { Context, Effect, Layer, PartitionedSemaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { inTransaction, readAlone } from "./Transaction.ts"

/** How many connections of a pool page reads may take at once. Further ones wait, and shops take turns. Default: 4. */
export const PageConnections = Context.Reference<number>("designwire/sql/PageConnections", { defaultValue: () => 4 })

/** The most page connections of a pool, so that half of it stays free for everything else. */
export const pageConnectionsOf = (maxConnections: number): number =>
  Math.max(1, Math.min(4, Math.floor(maxConnections / 2)))

/**
 * Runs the statements of a shop's page outside of transactions on a connection that nothing else uses meanwhile: no
 * other read queues behind them. If they are interrupted, the server cancels the current one; over an embedder's pool,
 * which can't cancel, they end first. In either case nothing of them is left once the interruption is complete.
 *
 * Within a transaction they run on its connection.
 */
export class PageReads extends Context.Service<
  PageReads,
  (shop: string) => <A, E, R>(statements: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>
>()("designwire/sql/PageReads") {
  static readonly layer = Layer.effect(
    PageReads,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const alone = yield* readAlone(sql)
      const places = PartitionedSemaphore.makeUnsafe<string>({ permits: yield* PageConnections })
      return (shop) => (statements) =>
        Effect.flatMap(inTransaction(sql), (within) =>
          within ? statements : places.withPermit(shop)(alone(statements)),
        )
    }),
  )
}
