/** What moves of buckets and moves of shops read and write in the directory alike. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { clientIn } from "../../sql/schema/Schema.ts"
import { directoryChannel, directorySchema } from "../DirectorySchema.ts"
import { durably } from "./Tables.ts"

/** `sql` is the client of the directory's database. */
export const directoryRows = (sql: SqlClient.SqlClient, schema: string) => {
  const directory = clientIn(sql, directorySchema(schema))

  /** The databases of the buckets, by number. */
  const databases: Effect.Effect<ReadonlyArray<string>, SqlError.SqlError> = Effect.map(
    directory<{ database: string }>`SELECT database FROM designwire.buckets ORDER BY bucket`,
    (rows) => rows.map(({ database }) => database),
  )

  return {
    directory,
    databases,

    /** Runs the beginning of moves, while no other move begins: a bucket and its shops never move at the same time. */
    beginning: <A, E>(begin: Effect.Effect<A, E>) =>
      durably(
        directory,
        Effect.andThen(
          directory`LOCK TABLE designwire.moves, designwire.shop_moves IN SHARE ROW EXCLUSIVE MODE`,
          begin,
        ),
      ),

    /** Lets hosts know, once the transaction is committed, that the directory has changed. */
    notify: (change: string): Effect.Effect<void, SqlError.SqlError> =>
      Effect.asVoid(sql`SELECT pg_notify(${directoryChannel(schema)}, ${change}) AS sent`),
  }
}
