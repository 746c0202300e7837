/** The schema at the target: a copy that only the subscription writes, until it is opened to hosts. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { migrate } from "../../sql/schema/Migrations.ts"
import { SchemaName } from "../../sql/schema/Schema.ts"
import { copyDepartures, dropGates } from "../shop/Departures.ts"
import { queueing } from "./Fence.ts"
import { type Move, MoveError, quoted } from "./Places.ts"
import { hasSchema, lockTables, tablesOf } from "./Tables.ts"

/** Marks a schema as a copy, in its comment. Such a schema may be dropped at any time. */
const mark = "A copy in the making: the bucket moves here"

/** The trigger and its function that refuse what hosts write whose map is outdated. */
const guard = "not_here_yet"

/** Nothing, an unfinished copy, or tables that hosts may write. */
export type TargetState = "absent" | "copy" | "open"

/** How long another command's last statement may take that was killed, in milliseconds. */
const settling = 30_000

const look = Effect.fnUntraced(function* ({ schema, target }: Move): Effect.fn.Return<TargetState, SqlError.SqlError> {
  const [row] = yield* target.sql<{ isCopy: boolean }>`SELECT
  coalesce(obj_description(oid, 'pg_namespace') = ${mark}::text, false) AS "isCopy"
FROM pg_catalog.pg_namespace WHERE nspname = ${schema}::text`
  if (row === undefined) return "absent"
  return row.isCopy ? "copy" : "open"
})

/**
 * The state of the target. Waits until no transaction of a killed command can change it any more, and holds off others
 * until the current transaction ends.
 */
export const lockedTargetState = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<TargetState, SqlError.SqlError> {
  yield* lockTables(move.target.sql, move.schema, "SHARE UPDATE EXCLUSIVE", settling)
  return yield* look(move)
})

/** The state of the target, once no transaction of a killed command can change it any more. */
export const targetState = (move: Move): Effect.Effect<TargetState, SqlError.SqlError> =>
  move.target.sql.withTransaction(lockedTargetState(move))

/**
 * Makes an empty copy by the migrations. Hosts that write to it get the code of a missing table. The subscription
 * writes as a replica, for which ordinary triggers don't fire.
 */
export const createCopy = (move: Move): Effect.Effect<void, MoveError | SqlError.SqlError> =>
  move.target.sql.withTransaction(
    Effect.gen(function* () {
      const { schema, source, target } = move
      const { sql } = target
      yield* migrate.pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(SchemaName, schema),
        Effect.catchTags({
          NewerSchema: ({ message }) => new MoveError({ message }),
          MigrationError: ({ message }) =>
            new MoveError({ message: `The tables can't be made in ${target.name}: ${message}` }),
        }),
      )
      yield* copyDepartures(source, target, schema)
      yield* sql.unsafe(`COMMENT ON SCHEMA ${quoted(schema)} IS '${mark}'`)
      yield* sql.unsafe(`CREATE FUNCTION ${quoted(schema, guard)}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The bucket has not moved here yet' USING ERRCODE = 'undefined_table';
END $$`)
      for (const { name } of yield* tablesOf(sql, schema)) {
        yield* sql.unsafe(`CREATE TRIGGER ${guard} BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE
ON ${quoted(schema, name)} FOR EACH STATEMENT EXECUTE FUNCTION ${quoted(schema, guard)}()`)
      }
    }),
  )

/** Opens the copy to hosts, within a transaction. Nothing writes to it meanwhile, and its readers must end soon. */
export const openCopy = Effect.fnUntraced(function* ({
  schema,
  target,
}: Move): Effect.fn.Return<void, SqlError.SqlError> {
  const { sql } = target
  yield* lockTables(sql, schema, "ACCESS EXCLUSIVE", queueing)
  for (const { name } of yield* tablesOf(sql, schema)) {
    yield* sql.unsafe(`DROP TRIGGER IF EXISTS ${guard} ON ${quoted(schema, name)}`)
  }
  yield* sql.unsafe(`DROP FUNCTION ${quoted(schema, guard)}()`)
  yield* sql.unsafe(`COMMENT ON SCHEMA ${quoted(schema)} IS NULL`)
})

/** Drops the copy, if there is one. Never drops a schema that is open. */
export const dropCopy = (move: Move): Effect.Effect<void, MoveError | SqlError.SqlError> =>
  move.target.sql.withTransaction(
    Effect.gen(function* () {
      const { schema, target } = move
      const state = yield* lockedTargetState(move)
      if (state === "open") return yield* foreign(move)
      if (state !== "copy") return
      yield* target.sql.unsafe(`DROP SCHEMA ${quoted(schema)} CASCADE`)
      yield* dropGates(target.sql, schema)
    }),
  )

const foreign = ({ schema, target }: Move) =>
  new MoveError({
    message: [
      `The database ${target.name} has a schema ${schema} that is not a copy made by a move.`,
      "Look at what is in it, and drop or rename it",
    ].join(" "),
  })

/** Fails if the target has a schema of the bucket's name. */
export const requireNoSchema = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  if (yield* hasSchema(move.target.sql, move.schema)) return yield* foreign(move)
})
