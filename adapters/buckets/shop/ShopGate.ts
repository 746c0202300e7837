/**
 * What a move makes at the source: triggers on every table, for the rows of the shop. Their function notes the keys of
 * changed rows. To close the gate, another function takes its place, which refuses changes like a missing table. So
 * hosts whose map is outdated write nothing there. After the move the bucket refuses the shop as a departed one
 * (`Departures.ts`), without triggers of its own.
 */
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { NotYet, queueing, withoutWaiting } from "../move/Fence.ts"
import { gatesSchema, type MoveError, type NamedPlace, quoted } from "../move/Places.ts"
import { durably } from "../move/Tables.ts"
import { hasDepartures, refusingTrigger } from "./Departures.ts"
import { type ShopTable, shopTables } from "./ShopTables.ts"

/** A shop's gate in a bucket. */
export interface Gate {
  readonly shop: string
  readonly place: NamedPlace
  /** The schema of the bucket. */
  readonly schema: string
  /** The number of the move. */
  readonly number: number
}

/** The table of keys of changed rows. */
export const changesTable = ({ schema }: Gate): string => quoted(gatesSchema(schema), "changes")

const functionOf = ({ number, schema }: Gate): string => quoted(gatesSchema(schema), `move_${number}`)

/** The setting of a transaction that may pass a closed gate. */
const pass = "designwire_move.passes"

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Runs as the command's user: hosts need no right to the schema of gates. */
const defineFunction = (gate: Gate, body: string): string =>
  `CREATE OR REPLACE FUNCTION ${functionOf(gate)}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
${body}
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END $$`

const noting = (gate: Gate): string =>
  defineFunction(
    gate,
    `DECLARE
  changed jsonb;
BEGIN
  IF TG_OP = 'DELETE' THEN
    changed := to_jsonb(OLD);
  ELSE
    changed := to_jsonb(NEW);
  END IF;
  INSERT INTO ${changesTable(gate)} (move, name, key)
  SELECT ${gate.number}, TG_ARGV[0], jsonb_agg(changed -> c.name ORDER BY c.place)
  FROM unnest(TG_ARGV[1:]) WITH ORDINALITY c (name, place);`,
  )

const refusing = (gate: Gate): string =>
  defineFunction(
    gate,
    `BEGIN
  IF current_setting('${pass}', true) IS DISTINCT FROM '${gate.number}' THEN
    RAISE EXCEPTION 'The shop % has moved to another bucket', ${literal(gate.shop)} USING ERRCODE = 'undefined_table';
  END IF;`,
  )

const triggerNames = ({ number }: Gate) => ({ insert: `move_insert_${number}`, change: `move_change_${number}` })

const triggersOn = (gate: Gate, { key, name, shop }: ShopTable): ReadonlyArray<string> => {
  const { change, insert } = triggerNames(gate)
  const calls = `EXECUTE FUNCTION ${functionOf(gate)}(${[name, ...key.map((column) => column.name)].map(literal).join(", ")})`
  const on = `ON ${quoted(gate.schema, name)} FOR EACH ROW`
  const isOfShop = (row: string) => `WHEN (${row}.${quoted(shop)} = ${literal(gate.shop)})`
  return [
    `CREATE OR REPLACE TRIGGER ${insert} BEFORE INSERT ${on} ${isOfShop("NEW")} ${calls}`,
    `CREATE OR REPLACE TRIGGER ${change} BEFORE UPDATE OR DELETE ${on} ${isOfShop("OLD")} ${calls}`,
  ]
}

/** Makes the gate, open, and forgets what was noted before. No table has it yet. */
export const makeGate = (gate: Gate): Effect.Effect<void, SqlError.SqlError> =>
  durably(
    gate.place.sql,
    Effect.forEach(
      [
        `CREATE SCHEMA IF NOT EXISTS ${quoted(gatesSchema(gate.schema))}`,
        `CREATE TABLE IF NOT EXISTS ${changesTable(gate)} (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, move integer NOT NULL, name text NOT NULL, key jsonb NOT NULL
)`,
        `DELETE FROM ${changesTable(gate)} WHERE move = ${gate.number}`,
        noting(gate),
      ],
      (statement) => gate.place.sql.unsafe(statement),
      { discard: true },
    ),
  )

/**
 * Puts the gate in front of every table: once this has ended, every change of the shop is noted. Locks one table after
 * the other, so that it can't come into a deadlock with hosts.
 */
export const hangGate = Effect.fnUntraced(function* (
  gate: Gate,
): Effect.fn.Return<void, NotYet | MoveError | SqlError.SqlError> {
  for (const table of yield* shopTables(gate.place.sql, gate.schema)) {
    yield* onTable(gate, table, triggersOn(gate, table))
  }
})

/** Changes the triggers of a table in a transaction that waits for the table no longer than hosts may. */
const onTable = ({ place, schema }: Gate, { name }: ShopTable, changes: ReadonlyArray<string>) =>
  place.sql
    .withTransaction(
      Effect.andThen(
        place.sql`SELECT set_config('lock_timeout', ${String(queueing)}, true) AS waits`,
        Effect.forEach(changes, (change) => place.sql.unsafe(change), { discard: true }),
      ),
    )
    .pipe(withoutWaiting(`something uses ${schema}.${name} for over ${queueing} ms`))

/** Closes the gate. Once {@link awaitWriters} has ended, hosts can write nothing of the shop any more. */
export const closeGate = (gate: Gate): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(durably(gate.place.sql, gate.place.sql.unsafe(refusing(gate))))

/**
 * Waits until all transactions have ended that may have found the gate open, and fails with {@link NotYet} if one stays
 * open for long. A statement that locks a table learns then which function its triggers have; so those that lock one
 * from now on find the gate closed. No lock of ours is needed, for which other shops would queue.
 */
export const awaitWriters = Effect.fnUntraced(function* ({
  place,
  schema,
}: Gate): Effect.fn.Return<void, NotYet | SqlError.SqlError> {
  const writers = Effect.map(
    place.sql<{ id: string }>`SELECT DISTINCT l.virtualtransaction AS id FROM pg_catalog.pg_locks l
JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
JOIN pg_catalog.pg_class c ON c.oid = l.relation JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${schema}::text AND l.granted
  AND l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
    (rows) => rows.map(({ id }) => id),
  )
  const early = new Set(yield* writers)
  yield* Effect.repeat(writers, {
    until: (open) => open.every((id) => !early.has(id)),
    schedule: Schedule.spaced("10 millis"),
  }).pipe(
    Effect.timeoutOrElse({
      duration: queueing,
      orElse: () => new NotYet({ message: `transactions that write to ${schema} stay open for over ${queueing} ms` }),
    }),
  )
})

/** Opens the gate again, if there is one. */
export const openGate = Effect.fnUntraced(function* (gate: Gate): Effect.fn.Return<void, SqlError.SqlError> {
  if (yield* hasGate(gate)) yield* durably(gate.place.sql, gate.place.sql.unsafe(noting(gate)))
})

const hasGate = (gate: Gate) =>
  Effect.map(
    gate.place.sql<{ found: boolean }>`SELECT to_regproc(${functionOf(gate)}) IS NOT NULL AS found`,
    ([row]) => row?.found === true,
  )

/**
 * A condition that holds as long as a table has the gate. It lasts until the transaction ends that has the table. A
 * command that was taken for dead must not change what has come back since.
 */
export const hasGateOn = (gate: Gate, name: string): string =>
  `EXISTS (SELECT FROM pg_catalog.pg_trigger WHERE tgrelid = ${literal(quoted(gate.schema, name))}::regclass
    AND tgname = ${literal(triggerNames(gate).change)})`

/** Runs a transaction at the source that may pass the closed gate. */
export const passingGate = <A, E>({ number, place }: Gate, effect: Effect.Effect<A, E>) =>
  place.sql.withTransaction(
    Effect.andThen(place.sql`SELECT set_config(${pass}, ${String(number)}, true) AS passes`, effect),
  )

/**
 * Removes the gate, table by table, and lets each refuse departed shops in the same transaction: if this shop is one,
 * nothing of it comes in between. Fails with {@link NotYet} if something reads or writes a table for long.
 */
export const removeGate = Effect.fnUntraced(function* (
  gate: Gate,
): Effect.fn.Return<void, NotYet | MoveError | SqlError.SqlError> {
  const { sql } = gate.place
  const refuses = yield* hasDepartures(gate)
  for (const table of yield* shopTables(sql, gate.schema)) {
    const drops = Object.values(triggerNames(gate)).map(
      (name) => `DROP TRIGGER IF EXISTS ${name} ON ${quoted(gate.schema, table.name)}`,
    )
    yield* onTable(gate, table, refuses ? [...drops, refusingTrigger(gate.schema, table)] : drops)
  }
  if (!(yield* hasGate(gate))) return
  yield* sql.unsafe(`DELETE FROM ${changesTable(gate)} WHERE move = ${gate.number}`)
  yield* sql.unsafe(`DROP FUNCTION ${functionOf(gate)}()`)
})
