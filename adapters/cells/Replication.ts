/** The publication at the source and the subscription at the target: they copy a shop's rows and follow changes. */
import { Effect, Redacted, Schedule } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { causeCodeOf, reasonOf } from "../sql/statements/Reason.ts"
import { type Cell, literal, type Move, MoveError, nameOf } from "./Move.ts"
import { createSlot, dropSlots, lagOf } from "./Slots.ts"
import { announce, doing, step } from "./Steps.ts"

/** How far a copy has got. */
export interface MoveProgress {
  readonly shop: string
  /** Rows of the shop at the source, when the copy was begun or continued. */
  readonly rows: number
  /** Rows copied. */
  readonly copied: number
  /** Bytes of the source's log that the target has not confirmed. */
  readonly lag: number
  /** Errors of the replication. The server of the target logs them. */
  readonly errors: number
}

/** A lag that the target catches up with at once, in bytes. */
const smallLag = 1_000_000

/** A small shop is copied at once. */
const polling = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("500 millis")])

/** Tables that the publication has. The row of `shops` opens the shop, so it moves last. */
const published = ({ tables }: Move) => tables.filter(({ name }) => name !== "shops")

/** Begins to copy. */
export const beginCopy = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const name = nameOf(move)
  const rows = published(move).map((table) => `designwire.${table.name} WHERE (${table.shop} = ${literal(move.shop)})`)
  yield* step("publish")
  yield* move.source.sql.unsafe(
    `CREATE PUBLICATION ${name} FOR TABLE ${rows.join(", ")} WITH (publish_via_partition_root = true)`,
  )
  yield* step("make the slot")
  yield* createSlot(move.source, name)
  yield* step("subscribe")
  // The drain waits until the target has everything on its disk.
  yield* withUrl(
    move,
    `CREATE SUBSCRIPTION ${name} CONNECTION %L PUBLICATION ${name}
WITH (create_slot = false, slot_name = ''${name}'', copy_data = true, synchronous_commit = local)`,
  )
})

/** Whether a copy is under way that can continue. Any other is removed, and begins again. */
export const isCopying = Effect.fnUntraced(function* (move: Move): Effect.fn.Return<boolean, SqlError.SqlError> {
  const subscription = yield* subscriptionOf(move.target, nameOf(move))
  if (subscription === undefined) return false
  const lag = yield* lagOf(move.source, nameOf(move))
  if (lag === undefined || lag.isLost) return false
  const found = yield* move.source.sql`SELECT FROM pg_catalog.pg_publication WHERE pubname = ${nameOf(move)}::text`
  return found.length > 0
})

/** Continues with a copy that is under way, with the current connection string. */
export const resumeCopy = (move: Move): Effect.Effect<void, MoveError | SqlError.SqlError> =>
  Effect.andThen(
    withUrl(move, `ALTER SUBSCRIPTION ${nameOf(move)} CONNECTION %L`),
    move.target.sql.unsafe(`ALTER SUBSCRIPTION ${nameOf(move)} ENABLE`),
  )

/** Removes the subscription, the slots and the publication, of which each may be gone already. */
export const removeReplication = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { source, target } = move
  const name = nameOf(move)
  const subscription = yield* subscriptionOf(target, name)
  if (subscription !== undefined) {
    yield* step("disable the subscription")
    yield* disableSubscription(move)
  }
  yield* step("drop the slots")
  yield* dropSlots(source, name, { of: subscription?.id })
  if (subscription !== undefined) {
    yield* step("drop the subscription")
    // Without its slot, which is in the other server.
    yield* target.sql.withTransaction(
      Effect.andThen(
        target.sql.unsafe(`ALTER SUBSCRIPTION ${name} SET (slot_name = NONE)`),
        target.sql.unsafe(`DROP SUBSCRIPTION ${name}`),
      ),
    )
  }
  yield* step("drop the publication")
  yield* source.sql.unsafe(`DROP PUBLICATION IF EXISTS ${name}`)
})

/** Ends the work of the subscription. */
export const disableSubscription = (move: Move): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(move.target.sql.unsafe(`ALTER SUBSCRIPTION ${nameOf(move)} DISABLE`))

/** The subscription at the target, if there is one. */
const subscriptionOf = ({ sql }: Cell, name: string) =>
  Effect.map(
    sql<{ id: string }>`SELECT s.oid::text AS id FROM pg_catalog.pg_subscription s
JOIN pg_catalog.pg_database d ON d.oid = s.subdbid AND d.datname = current_database() WHERE s.subname = ${name}::text`,
    ([row]) => row,
  )

/** The number of tables that are not copied, and the rows copied so far of those. */
const stateOf = (sql: SqlClient.SqlClient, name: string) =>
  sql<{ table: string; isCopied: boolean; rows: number }>`SELECT c.relname::text AS table,
  r.srsubstate IN ('s', 'r') AS "isCopied", coalesce(p.tuples_processed, 0)::float8 AS rows
FROM pg_catalog.pg_subscription_rel r JOIN pg_catalog.pg_subscription s ON s.oid = r.srsubid
JOIN pg_catalog.pg_class c ON c.oid = r.srrelid
LEFT JOIN pg_catalog.pg_stat_progress_copy p ON p.datname = current_database() AND p.relid = r.srrelid
WHERE s.subname = ${name}::text`

const workOf = (sql: SqlClient.SqlClient, name: string) =>
  Effect.map(
    sql<{ errors: number; isReady: boolean; isRunning: boolean }>`SELECT
  coalesce((SELECT sum(e.apply_error_count + e.sync_error_count) FROM pg_catalog.pg_stat_subscription_stats e
    WHERE e.subid = s.oid), 0)::int4 AS errors,
  NOT EXISTS (SELECT FROM pg_catalog.pg_subscription_rel r WHERE r.srsubid = s.oid AND r.srsubstate <> 'r') AS "isReady",
  EXISTS (
    SELECT FROM pg_catalog.pg_stat_subscription w WHERE w.subid = s.oid AND w.relid IS NULL AND w.pid IS NOT NULL
  ) AS "isRunning"
FROM pg_catalog.pg_subscription s
JOIN pg_catalog.pg_database d ON d.oid = s.subdbid AND d.datname = current_database() WHERE s.subname = ${name}::text`,
    ([row]) => row,
  )

/** Waits until all rows are copied and the target is almost up to date. Fails if the copy can't continue. */
export const untilCopied = Effect.fnUntraced(function* (
  move: Move,
  onProgress: (progress: MoveProgress) => Effect.Effect<void>,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { shop, source, target } = move
  const name = nameOf(move)
  const counts = new Map<string, number>()
  for (const table of published(move)) {
    const [row] = yield* source.sql<{ rows: number }>`SELECT count(*)::float8 AS rows
FROM ${source.sql.literal(`designwire.${table.name}`)} WHERE shop = ${shop}`
    counts.set(table.name, row?.rows ?? 0)
  }
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let known = ""
  let leastLag = Number.POSITIVE_INFINITY
  const look = Effect.gen(function* () {
    yield* announce("watch")
    const work = yield* workOf(target.sql, name)
    const lag = yield* lagOf(source, name)
    if (work === undefined || lag === undefined || lag.isLost) return yield* stuck(move)
    const tables = yield* stateOf(target.sql, name)
    const copied = tables.reduce(
      (sum, { isCopied, rows, table }) => sum + (isCopied ? (counts.get(table) ?? 0) : rows),
      0,
    )
    yield* onProgress({ shop, rows, copied: Math.min(rows, copied), lag: lag.bytes, errors: work.errors })
    const copies = `copy: ${tables.filter(({ isCopied }) => isCopied).length} of ${tables.length} tables, ${copied} rows`
    const errors = work.errors === 0 ? "" : `, ${work.errors} errors, which the log of ${target.name}'s server has`
    yield* doing(copies + errors, copies !== known || (work.isReady && lag.bytes < leastLag))
    known = copies
    leastLag = Math.min(leastLag, lag.bytes)
    return work.isReady && work.isRunning && lag.bytes < smallLag
  })
  yield* Effect.repeat(look, { until: (isCopied) => isCopied, schedule: polling })
})

const stuck = ({ shop, source, target }: Move) =>
  new MoveError({
    message: [
      `The copy of ${shop} in ${target.name} can't continue: its subscription or its replication slot is gone,`,
      `or ${source.name} has kept too little of its log (max_slot_wal_keep_size).`,
      "Run the command again, which copies it from the beginning",
    ].join(" "),
  })

/**
 * Runs a statement at the target with the source's connection string in place of `%L`. The string is sent as a
 * parameter, and errors are raised again without the statement: it appears neither in spans nor in logs of errors.
 */
const withUrl = ({ source, target }: Move, statement: string): Effect.Effect<void, MoveError | SqlError.SqlError> => {
  const { sql } = target
  return sql
    .withTransaction(
      Effect.andThen(
        sql`SELECT set_config('dw_move.url', ${Redacted.value(source.url)}::text, true) IS NULL AS set`,
        sql.unsafe(`DO $move$
BEGIN
  EXECUTE format('${statement}', current_setting('dw_move.url'));
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
              `The server of ${target.name} can't connect to ${source.name} by its URL,`,
              `which must lead there directly from that server. ${reasonOf(error)}`,
            ].join(" "),
          }),
      ),
    )
}
