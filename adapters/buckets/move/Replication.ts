/** The publication at the source and the subscription at the target, which copy a bucket and follow its changes. */
import { Effect, Redacted } from "effect"
import type { SqlError } from "effect/sql"
import { causeCodeOf, reasonOf } from "../../sql/statements/Reason.ts"
import { createCopy, dropCopy, targetState } from "./Copy.ts"
import { closedSchema, type Move, MoveError, moveName, type NamedPlace, quoted } from "./Places.ts"
import { createSlot, dropSlots, lagOf, slotName } from "./Slots.ts"
import { hasSchema, migrationsIn, migrationsTable, tablesOf } from "./Tables.ts"

/** Begins to copy. Each part is made unless it is there, in an order that {@link isCopying} relies on. */
export const beginCopy = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { schema, source, step } = move
  const slot = yield* slotName(source, schema)
  yield* step("publish")
  yield* publish(move)
  yield* step("make the slot")
  yield* createSlot(source, slot)
  yield* step("make the tables")
  yield* createCopy(move)
  yield* step("subscribe")
  // Once a table is copied, its slot is dropped: a crash must not undo the copy. Besides, the switch takes less time.
  yield* withUrl(
    move,
    `CREATE SUBSCRIPTION ${quoted(moveName(schema))} CONNECTION %L PUBLICATION ${quoted(moveName(schema))}
WITH (create_slot = false, slot_name = '${slot}', copy_data = true, synchronous_commit = local)`,
  )
})

/** Whether a copy is under way that can go on. Any other is removed, and begins again. */
export const isCopying = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<boolean, SqlError.SqlError> {
  const { schema, source, target } = move
  if ((yield* targetState(move)) !== "copy") return false
  const subscription = yield* subscriptionOf(target, schema)
  if (subscription?.enabled !== true || !(yield* isPublished(source, schema))) return false
  const lag = yield* lagOf(source.sql, yield* slotName(source, schema))
  if (lag === undefined || lag.isLost) return false
  const closed = closedSchema(schema)
  const from = (yield* hasSchema(source.sql, closed)) ? closed : schema
  return (yield* migrationsIn(source.sql, from)) === (yield* migrationsIn(target.sql, schema))
})

/** Goes on with a copy that is under way, with the current connection string. */
export const resumeCopy = (move: Move): Effect.Effect<void, MoveError | SqlError.SqlError> =>
  withUrl(move, `ALTER SUBSCRIPTION ${quoted(moveName(move.schema))} CONNECTION %L`)

/** Removes the copy and all that feeds it. */
export const removeCopy = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { schema, source, step, target } = move
  const subscription = yield* subscriptionOf(target, schema)
  if (subscription !== undefined) {
    yield* step("disable the subscription")
    yield* disableSubscription(target, schema)
  }
  yield* step("drop the slots")
  yield* dropSlots(source, yield* slotName(source, schema), subscription?.id)
  yield* step("drop the subscription")
  yield* dropSubscription(target, schema)
  yield* step("drop the copy")
  yield* dropCopy(move)
  yield* step("drop the publication")
  yield* unpublish(source, schema)
})

/** Ends the work of the subscription. */
export const disableSubscription = ({ sql }: NamedPlace, schema: string): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql.unsafe(`ALTER SUBSCRIPTION ${quoted(moveName(schema))} DISABLE`))

/** Drops the subscription, if there is one, without its slot, which is in the other database. */
export const dropSubscription = Effect.fnUntraced(function* (
  place: NamedPlace,
  schema: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  if ((yield* subscriptionOf(place, schema)) === undefined) return
  const { sql } = place
  const name = quoted(moveName(schema))
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* disableSubscription(place, schema)
      yield* sql.unsafe(`ALTER SUBSCRIPTION ${name} SET (slot_name = NONE)`)
      yield* sql.unsafe(`DROP SUBSCRIPTION ${name}`)
    }),
  )
})

/** Drops the publication, if there is one. */
export const unpublish = ({ sql }: NamedPlace, schema: string): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql.unsafe(`DROP PUBLICATION IF EXISTS ${quoted(moveName(schema))}`))

/** Publishes the logged tables. Their rows are found by their primary keys or, without one, by all columns. */
const publish = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<void, SqlError.SqlError> {
  const { schema, source } = move
  const { sql } = source
  if (yield* isPublished(source, schema)) return
  const keyless = yield* sql<{ name: string }>`SELECT c.relname::text AS name
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${schema}::text AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relreplident IN ('d', 'n')
AND NOT EXISTS (
  SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary AND c.relreplident = 'd'
)`
  for (const { name } of keyless) yield* sql.unsafe(`ALTER TABLE ${quoted(schema, name)} REPLICA IDENTITY FULL`)
  const tables = (yield* tablesOf(sql, schema)).filter(({ logged, name }) => logged && name !== migrationsTable)
  // The tables at the target have no partitions.
  yield* sql.unsafe(`CREATE PUBLICATION ${quoted(moveName(schema))}
FOR TABLE ${tables.map(({ name }) => quoted(schema, name)).join(", ")} WITH (publish_via_partition_root = true)`)
})

const isPublished = ({ sql }: NamedPlace, schema: string): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`SELECT 1 AS found FROM pg_catalog.pg_publication WHERE pubname = ${moveName(schema)}::text`,
    (rows) => rows.length > 0,
  )

/** The subscription at the target, if there is one. */
const subscriptionOf = ({ sql }: NamedPlace, schema: string) =>
  Effect.map(
    sql<{ id: string; enabled: boolean }>`SELECT s.oid::text AS id, s.subenabled AS enabled
FROM pg_catalog.pg_subscription s JOIN pg_catalog.pg_database d ON d.oid = s.subdbid
WHERE d.datname = current_database() AND s.subname = ${moveName(schema)}::text`,
    ([row]) => row,
  )

/**
 * Runs a statement at the target with the source's connection string in place of `%L`. The string is sent as a
 * parameter, and errors are raised again without the statement: it appears neither in spans nor in logs of errors.
 */
const withUrl = ({ source, target }: Move, statement: string): Effect.Effect<void, MoveError | SqlError.SqlError> => {
  const { sql } = target
  return sql
    .withTransaction(
      Effect.andThen(
        sql`SELECT set_config('designwire_move.url', ${Redacted.value(source.url)}::text, true) IS NULL AS set`,
        sql.unsafe(`DO $move$
BEGIN
  EXECUTE format($statement$${statement}$statement$, current_setting('designwire_move.url'));
EXCEPTION WHEN OTHERS THEN
  RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM;
END
$move$`),
      ),
    )
    .pipe(
      Effect.asVoid,
      Effect.catchIf(
        (error) => causeCodeOf(error)?.startsWith("08") === true,
        (error) =>
          new MoveError({
            message: [
              `The server of ${target.name} can't connect to ${source.name} by the URL of ${source.name}.`,
              `It must lead there directly, from that server. ${reasonOf(error)}`,
            ].join(" "),
          }),
      ),
    )
}
