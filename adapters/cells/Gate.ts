/**
 * The gate of a shop in a cell: triggers on every table, only for the shop's rows. Their function decides what passes,
 * so that a gate opens and closes without a lock on tables, for which other shops would queue. Replication passes every
 * gate.
 */
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { causeCodeOf } from "../sql/statements/Reason.ts"
import { type Cell, durably, literal, type Move, NotYet, outlastingVacuum, queueing, type ShopTable } from "./Move.ts"

/**
 * - `open`: everything passes;
 * - `closed`: changes are refused like a missing table. Statements of workers and upkeep about many shops leave the
 *   shop out instead, so that the others continue;
 * - `departed`: the same, but rows may be deleted.
 */
export type GateState = "open" | "closed" | "departed"

type Gate = Pick<Move, "id" | "shop" | "tables">

const functionOf = ({ id }: Gate): string => `designwire.move_gate_${id}`

const triggersOf = ({ id }: Gate) => ({ insert: `move_insert_${id}`, change: `move_change_${id}` })

/** Tables of which upkeep deletes rows of many shops with one statement. */
const swept = [
  ...["attempt_counts", "audit_entries", "deliveries", "dropped_events", "events", "inbox", "kept_answers"],
  ...["notices", "paces", "received", "settings_marks", "uncounted_orders", "unstored_orders"],
]

/** Tables that workers and upkeep write to for many shops with one statement, and clients only along with others. */
const added = ["dropped_events", "order_counts", "received"]
const updated = ["events", "notices", "paces", "tokens"]

const among = (tables: ReadonlyArray<string>): string => `TG_TABLE_NAME IN (${tables.map(literal).join(", ")})`

const refusal = ({ shop }: Gate) =>
  `RAISE EXCEPTION 'The shop % has moved to another cell', ${literal(shop)} USING ERRCODE = 'undefined_table';`

const bodyOf = (gate: Gate, state: GateState): string => {
  if (state === "open") return "IF TG_OP = 'DELETE' THEN RETURN OLD; END IF; RETURN NEW;"
  const deletes =
    state === "departed"
      ? "RETURN OLD;"
      : `IF ${among(swept)} THEN RETURN NULL; END IF;
    ${refusal(gate)}`
  return `IF TG_OP = 'DELETE' THEN
    ${deletes}
  ELSIF ${among(added)} OR TG_OP = 'UPDATE' AND ${among(updated)} THEN
    RETURN NULL;
  ELSIF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'deliveries' THEN
    -- A claim that began before the gate closed would return what it could not lease.
    IF NEW.claim_token IS NOT NULL AND NEW.claim_token IS DISTINCT FROM OLD.claim_token THEN
      ${refusal(gate)}
    END IF;
    -- Unless a client has asked for an attempt.
    IF OLD.claim_token IS NOT NULL OR NEW.next_attempt_at IS NOT DISTINCT FROM OLD.next_attempt_at THEN
      RETURN NULL;
    END IF;
  END IF;
  ${refusal(gate)}`
}

/** Sets what passes, and makes the function if there is none. It is part of the current transaction. */
export const setGate = ({ sql }: Cell, gate: Gate, state: GateState): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(
    sql.unsafe(`CREATE OR REPLACE FUNCTION ${functionOf(gate)}() RETURNS trigger LANGUAGE plpgsql AS $gate$
BEGIN
  ${bodyOf(gate, state)}
END $gate$`),
  )

/** Puts the gate in front of every table, one after the other, so that it can't come into a deadlock with hosts. */
export const hangGate = (cell: Cell, gate: Gate): Effect.Effect<void, NotYet | SqlError.SqlError> => {
  const { change, insert } = triggersOf(gate)
  const triggers = ({ name, shop }: ShopTable) => {
    const on = `ON designwire.${name} FOR EACH ROW`
    const isOfShop = (row: string) =>
      `WHEN (${row}.${shop} = ${literal(gate.shop)}) EXECUTE FUNCTION ${functionOf(gate)}()`
    return [
      `CREATE OR REPLACE TRIGGER ${insert} BEFORE INSERT ${on} ${isOfShop("NEW")}`,
      `CREATE OR REPLACE TRIGGER ${change} BEFORE UPDATE OR DELETE ${on} ${isOfShop("OLD")}`,
    ]
  }
  return Effect.forEach(gate.tables, (table) => onTable(cell, table, triggers(table)), { discard: true })
}

/** Removes the gate, table by table. */
export const dropGate = Effect.fnUntraced(function* (
  cell: Cell,
  gate: Gate,
): Effect.fn.Return<void, NotYet | SqlError.SqlError> {
  const drops = ({ name }: ShopTable) =>
    Object.values(triggersOf(gate)).map((trigger) => `DROP TRIGGER IF EXISTS ${trigger} ON designwire.${name}`)
  if (!(yield* hasGate(cell, gate))) return
  yield* Effect.forEach(gate.tables, (table) => onTable(cell, table, drops(table)), { discard: true })
  yield* cell.sql.unsafe(`DROP FUNCTION ${functionOf(gate)}()`)
})

const hasGate = ({ sql }: Cell, gate: Gate) =>
  Effect.map(
    sql.unsafe<{ found: boolean }>(`SELECT to_regproc('${functionOf(gate)}') IS NOT NULL AS found`),
    ([row]) => row?.found === true,
  )

/** Changes the triggers of a table, and waits for it no longer than hosts may, several times. */
const onTable = ({ name: cell, sql }: Cell, { name }: ShopTable, changes: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [held] = yield* sql<{ byVacuum: boolean }>`SELECT EXISTS (
  SELECT FROM pg_catalog.pg_locks l
  JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
  WHERE l.relation = ${sql.literal(`'designwire.${name}'`)}::regclass AND l.granted AND l.mode = 'ShareUpdateExclusiveLock'
) AS "byVacuum"`
    const waits = held?.byVacuum === true ? outlastingVacuum : queueing
    const changing = Effect.forEach(changes, (change) => sql.unsafe(change), { discard: true })
    yield* withoutWaiting(`something uses ${name} in ${cell} for over ${waits} ms`)(durably(sql, changing, waits))
  }).pipe(Effect.retry({ while: (error) => error._tag === "NotYet", schedule: Schedule.spaced("1 second"), times: 60 }))

/** Turns a lock that was not free in time into {@link NotYet}. */
export const withoutWaiting =
  (message: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>): Effect.Effect<A, E | SqlError.SqlError | NotYet, R> =>
    Effect.catch(
      effect,
      (error): Effect.Effect<never, E | SqlError.SqlError | NotYet> =>
        ["55P03", "57014", "40P01"].includes(causeCodeOf(error) ?? "") ? new NotYet({ message }) : Effect.fail(error),
    )

/**
 * Waits until all transactions have ended that may have found the gate open. A statement that locks a table learns then
 * which function its triggers have; so those that lock one from now on find the gate closed. Locks of indexes don't
 * count: VACUUM has such ones, and may take long.
 */
export const awaitWriters = Effect.fnUntraced(function* (
  { name, sql }: Cell,
  { schema }: Pick<Move, "schema">,
): Effect.fn.Return<void, NotYet | SqlError.SqlError> {
  const writers = Effect.map(
    sql<{ id: string }>`SELECT DISTINCT l.virtualtransaction AS id FROM pg_catalog.pg_locks l
JOIN pg_catalog.pg_database d ON d.oid = l.database AND d.datname = current_database()
JOIN pg_catalog.pg_class c ON c.oid = l.relation JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${schema}::text AND c.relkind IN ('r', 'p') AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
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
      orElse: () => new NotYet({ message: `a transaction that writes in ${name} stays open for over ${queueing} ms` }),
    }),
  )
})
