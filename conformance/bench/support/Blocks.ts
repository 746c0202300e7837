import { Data, Effect, Layer, Redacted } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { layerClient } from "../../../adapters/postgres/index.ts"
import { Work } from "../../index.ts"

interface Explained {
  readonly "QUERY PLAN": readonly [
    { readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number } },
  ]
}

/** Ends a transaction without a trace. */
class Counted extends Data.TaggedError("Counted")<{ readonly blocks: number }> {}

/**
 * Counts the blocks that a Postgres server touches for the statements of a call: each statement runs once more under
 * EXPLAIN in a transaction that is rolled back. Before that the server vacuums and analyzes its tables, as it does
 * periodically, so that leftovers of other cases don't count.
 */
export const layerBlocks = (url: string) =>
  Layer.effect(
    Work,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const blocksOf = (text: string, values: ReadonlyArray<unknown>) =>
        Effect.gen(function* () {
          const [row] = yield* sql.unsafe<Explained>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)
          const plan = row?.["QUERY PLAN"][0].Plan
          return yield* new Counted({
            blocks: (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0),
          })
        }).pipe(
          sql.withTransaction,
          Effect.catchTag("Counted", ({ blocks }) => Effect.succeed(blocks)),
        )
      return {
        unit: "blocks",
        of: Effect.fnUntraced(function* (call: Effect.Effect<unknown, unknown>) {
          yield* sql`VACUUM ANALYZE`
          // Hosts do some periodic work after the call that finds it due; the second call does not.
          yield* call
          const statements: Array<readonly [text: string, values: ReadonlyArray<unknown>]> = []
          const noting: Statement.Transformer = (statement) =>
            Effect.sync(() => {
              statements.push(statement.compile())
              return statement
            })
          yield* Effect.provideService(call, Statement.CurrentTransformer, noting)
          const blocks = yield* Effect.forEach(statements, ([text, values]) => blocksOf(text, values))
          return blocks.reduce((sum, each) => sum + each, 0)
        }),
      }
    }),
  ).pipe(Layer.provide(layerClient({ url: Redacted.make(url), maxConnections: 1 })))
