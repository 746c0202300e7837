/** How far a copy has got. */
import { Effect, Schedule } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Move, MoveError, moveName, quoted } from "./Places.ts"
import { lagOf, slotName } from "./Slots.ts"
import { tablesOf } from "./Tables.ts"

/** How far a move has got. */
export interface MoveProgress {
  /** Tables of the bucket that are replicated. */
  readonly tables: number
  /** Those whose rows are all copied. */
  readonly copied: number
  /** Bytes of the tables at the source, with their indexes, roughly. */
  readonly bytes: number
  /** Bytes of the tables at the target. */
  readonly copiedBytes: number
  /** Bytes of the source's log that the target has not confirmed. */
  readonly lag: number
  /** Errors of the replication since the copy was begun. The server of the target logs them. */
  readonly errors: number
  /** Whether the target follows the source at the moment. After an error it does so again within seconds. */
  readonly isRunning: boolean
}

/** A lag that the target catches up with at once, in bytes. */
const smallLag = 1_000_000

/** A small bucket is copied at once. */
const polling = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("500 millis")])

/** The tables of a subscription, and how many are copied. */
export const copiedTables = (
  sql: SqlClient.SqlClient,
  schema: string,
): Effect.Effect<Pick<MoveProgress, "tables" | "copied">, SqlError.SqlError> =>
  Effect.map(
    sql<{ tables: number; copied: number }>`SELECT count(*)::int4 AS tables,
  count(*) FILTER (WHERE r.srsubstate = 'r')::int4 AS copied
FROM pg_catalog.pg_subscription_rel r JOIN pg_catalog.pg_subscription s ON s.oid = r.srsubid
JOIN pg_catalog.pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
WHERE s.subname = ${moveName(schema)}::text`,
    ([row]) => row ?? { tables: 0, copied: 0 },
  )

const bytesOf = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.map(
    sql<{ bytes: number }>`SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${schema}::text AND c.relkind = 'r'`,
    ([row]) => row?.bytes ?? 0,
  )

const workOf = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.map(
    sql<{ errors: number; isRunning: boolean }>`SELECT
  coalesce(sum(e.apply_error_count + e.sync_error_count), 0)::int4 AS errors,
  EXISTS (
    SELECT FROM pg_catalog.pg_stat_subscription w WHERE w.subid = min(s.oid) AND w.relid IS NULL AND w.pid IS NOT NULL
  ) AS "isRunning"
FROM pg_catalog.pg_stat_subscription_stats e JOIN pg_catalog.pg_subscription s ON s.oid = e.subid
JOIN pg_catalog.pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
WHERE s.subname = ${moveName(schema)}::text`,
    ([row]) => row ?? { errors: 0, isRunning: false },
  )

/** How far the copy has got; `undefined` if it can't go on, or is not begun. */
export const progressOf = Effect.fnUntraced(function* ({
  schema,
  source,
  target,
}: Pick<Move, "schema" | "source" | "target">): Effect.fn.Return<MoveProgress | undefined, SqlError.SqlError> {
  const { copied, tables } = yield* copiedTables(target.sql, schema)
  const lag = yield* lagOf(source.sql, yield* slotName(source, schema))
  if (tables === 0 || lag === undefined || lag.isLost) return undefined
  const bytes = yield* bytesOf(source.sql, schema)
  const copiedBytes = yield* bytesOf(target.sql, schema)
  return { tables, copied, bytes, copiedBytes, lag: lag.bytes, ...(yield* workOf(target.sql, schema)) }
})

/** Waits until all tables are copied and the target is almost up to date. Fails if the copy can't go on. */
export const untilCopied = Effect.fnUntraced(function* (
  move: Move,
  onProgress: (progress: MoveProgress) => Effect.Effect<void>,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const look = Effect.gen(function* () {
    yield* move.step("watch")
    const progress = yield* progressOf(move)
    if (progress === undefined) return yield* stuck(move)
    yield* onProgress(progress)
    return progress
  })
  yield* Effect.repeat(look, {
    until: ({ copied, isRunning, lag, tables }) => copied === tables && lag < smallLag && isRunning,
    schedule: polling,
  })
})

const stuck = ({ schema, source, target }: Move) =>
  new MoveError({
    message: [
      `The copy of ${schema} in ${target.name} can't go on: its subscription or its replication slot is gone,`,
      `or ${source.name} has kept too little of its log (max_slot_wal_keep_size).`,
      "Run the command again, which copies it from the beginning",
    ].join(" "),
  })

/** Statistics are not copied. Without them, the first statements of hosts would have bad plans. */
export const analyze = Effect.fnUntraced(function* ({
  schema,
  target,
}: Move): Effect.fn.Return<void, SqlError.SqlError> {
  const tables = yield* tablesOf(target.sql, schema)
  yield* target.sql.unsafe(`ANALYZE ${tables.map(({ name }) => quoted(schema, name)).join(", ")}`)
})
