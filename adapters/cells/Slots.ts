/** The replication slots of a move, in the server of the source. */
import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { causeCodeOf } from "../sql/statements/Reason.ts"
import { onOwnConnection } from "../sql/statements/Transaction.ts"
import { type Cell, MoveError } from "./Move.ts"

/**
 * Makes the slot unless it is there. Waits until all transactions that write to the server at this moment end. On a
 * connection of its own: nothing queues behind it meanwhile, and it ends with the command.
 */
export const createSlot = ({ sql }: Cell, slot: string): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(onOwnConnection(sql), (own) =>
    Effect.asVoid(
      own(sql`SELECT pg_create_logical_replication_slot(${slot}::text, 'pgoutput')::text AS made
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_replication_slots WHERE slot_name = ${slot}::text)`),
    ),
  )

/** How far the target is behind. */
interface Lag {
  /** Bytes of the source's log that the target has not confirmed. They count the changes of all databases. */
  readonly bytes: number
  /** Whether the source has thrown away what the target needs. */
  readonly isLost: boolean
}

/** `undefined` without a slot. */
export const lagOf = ({ sql }: Cell, slot: string): Effect.Effect<Lag | undefined, SqlError.SqlError> =>
  Effect.map(
    sql<Lag>`SELECT greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn))::float8 AS bytes,
  coalesce(wal_status = 'lost', false) AS "isLost"
FROM pg_catalog.pg_replication_slots WHERE slot_name = ${slot}::text`,
    ([row]) => row,
  )

/** Writes to the source's log, and returns the position of that, as text. */
export const markLog = ({ sql }: Cell): Effect.Effect<string, SqlError.SqlError> =>
  Effect.map(
    sql<{ at: string }>`SELECT pg_logical_emit_message(true, 'dw_move', '')::text AS at`,
    ([row]) => row?.at ?? "",
  )

/** Whether the target has stored everything up to a position of the source's log. */
export const hasConfirmed = (
  { sql }: Cell,
  slot: string,
  position: string,
): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql<{ confirmed: boolean }>`SELECT confirmed_flush_lsn >= ${position}::text::pg_lsn AS confirmed
FROM pg_catalog.pg_replication_slots WHERE slot_name = ${slot}::text`,
    ([row]) => row?.confirmed === true,
  )

/** Slots for copying single tables: of one subscription, by its number, or of any. */
export type TableSlots = { readonly of: string | undefined } | "any"

const patternOf = (tables: TableSlots): string | null => {
  const subscription = tables === "any" ? "[0-9]+" : tables.of
  return subscription === undefined ? null : `^pg_${subscription}_sync_`
}

/** The slot, and those for copying single tables, that are there. */
export const slotsOf = ({ sql }: Cell, slot: string, tables: TableSlots) =>
  Effect.map(
    sql<{ slot: string }>`SELECT slot_name::text AS slot FROM pg_catalog.pg_replication_slots
WHERE database = current_database() AND (slot_name = ${slot}::text OR slot_name ~ ${patternOf(tables)}::text)`,
    (rows) => rows.map((row) => row.slot),
  )

/**
 * Drops the slot, and those for copying single tables. Ends what reads them, which may be gone without the server's
 * knowing: after a lost connection it learns of that after a minute (`wal_sender_timeout`).
 */
export const dropSlots = Effect.fnUntraced(function* (
  cell: Cell,
  slot: string,
  tables: TableSlots,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { name, sql } = cell
  const dropped = Effect.gen(function* () {
    const found = yield* slotsOf(cell, slot, tables)
    for (const each of found) {
      yield* Effect.catchIf(
        sql`SELECT pg_terminate_backend(active_pid) AS ended FROM pg_catalog.pg_replication_slots
WHERE slot_name = ${each}::text AND active_pid IS NOT NULL`,
        // Another role reads it: the server notices that it is gone.
        (error) => causeCodeOf(error) === "42501",
        () => Effect.void,
      )
      yield* Effect.catchIf(
        sql`SELECT pg_drop_replication_slot(${each}::text) IS NULL AS dropped`,
        // Somebody reads it still, or has dropped it.
        (error) => ["55006", "42704"].includes(causeCodeOf(error) ?? ""),
        () => Effect.void,
      )
    }
    return found
  })
  yield* dropped.pipe(
    Effect.repeat({
      until: (found) => found.length === 0,
      schedule: Schedule.min([Schedule.exponential("10 millis"), Schedule.spaced("100 millis")]),
    }),
    Effect.timeoutOrElse({
      duration: "2 minutes",
      orElse: () =>
        new MoveError({
          message: `The replication slot ${slot} in ${name} is still in use. Run the command again in a minute`,
        }),
    }),
  )
})
