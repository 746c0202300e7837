/** The settings and rights that a move needs. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { compare } from "../../sql/schema/Migrations.ts"
import { SchemaName } from "../../sql/schema/Schema.ts"
import { type Move, MoveError, type NamedPlace } from "./Places.ts"
import { rightToSubscribe } from "./RightToSubscribe.ts"

/** Slots and processes of one move: one to follow, and one at least to copy tables. */
const needed = 2

/** Why no bucket can move out of a database, as sentences that say what to do. Empty if one can. */
export const obstaclesAtSource = Effect.fnUntraced(function* ({
  name,
  sql,
}: Pick<NamedPlace, "name" | "sql">): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const [found] = yield* sql<{
    version: number
    level: string
    slots: number
    senders: number
    mayReplicate: boolean
    mayPublish: boolean
    role: string
  }>`SELECT current_setting('server_version_num')::int4 AS version, current_setting('wal_level') AS level,
  current_setting('max_replication_slots')::int4 -
    (SELECT count(*)::int4 FROM pg_catalog.pg_replication_slots) AS slots,
  current_setting('max_wal_senders')::int4 - (SELECT count(*)::int4 FROM pg_catalog.pg_stat_replication) AS senders,
  r.rolsuper OR r.rolreplication OR EXISTS (
    SELECT FROM pg_catalog.pg_roles g WHERE g.rolname = 'rds_replication' AND pg_has_role(g.oid, 'USAGE')
  ) AS "mayReplicate",
  has_database_privilege(current_database(), 'CREATE') AS "mayPublish", r.rolname::text AS role
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`
  if (found === undefined) return []
  const set = (setting: string) => `Raise ${setting} on the server of ${name}, and restart it`
  return [
    ...tooOld(name, found.version),
    ...unless(
      found.level === "logical",
      `The server of ${name} has wal_level = ${found.level}. Set wal_level = logical, and restart it`,
    ),
    ...unless(found.slots >= needed, `${name} has too few free replication slots. ${set("max_replication_slots")}`),
    ...unless(found.senders >= needed, `${name} has too few free WAL senders. ${set("max_wal_senders")}`),
    ...unless(
      found.mayReplicate,
      `The user ${found.role} may not replicate from ${name}. Let a superuser run: ALTER ROLE ${found.role} REPLICATION`,
    ),
    ...unless(
      found.mayPublish,
      `The user ${found.role} may not publish in ${name}. Let its owner run: GRANT CREATE ON DATABASE … TO ${found.role}`,
    ),
  ]
})

/** Why no bucket can move into a database, as sentences that say what to do. Empty if one can. */
export const obstaclesAtTarget = Effect.fnUntraced(function* ({
  name,
  sql,
}: Pick<NamedPlace, "name" | "sql">): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const [found] = yield* sql<{
    version: number
    workers: number
    maySubscribe: boolean
    mayCreate: boolean
    role: string
  }>`SELECT current_setting('server_version_num')::int4 AS version,
  current_setting('max_logical_replication_workers')::int4 -
    (SELECT count(*)::int4 FROM pg_catalog.pg_stat_subscription WHERE pid IS NOT NULL) AS workers,
  r.rolsuper OR EXISTS (
    SELECT FROM pg_catalog.pg_roles g WHERE g.rolname = 'pg_create_subscription' AND pg_has_role(g.oid, 'USAGE')
  ) AS "maySubscribe",
  has_database_privilege(current_database(), 'CREATE') AS "mayCreate", r.rolname::text AS role
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`
  if (found === undefined) return []
  const { role } = found
  return [
    ...tooOld(name, found.version),
    ...unless(
      found.workers >= needed,
      `${name} has too few free replication workers. Raise max_logical_replication_workers on its server, and restart it`,
    ),
    ...unless(
      found.maySubscribe,
      `The user ${role} may not subscribe in ${name}. ${rightToSubscribe(found.version, role)}`,
    ),
    ...unless(
      found.mayCreate,
      `The user ${role} may not make a schema in ${name}. Let its owner run: GRANT CREATE ON DATABASE … TO ${role}`,
    ),
  ]
})

/** Fails with all that keeps a bucket from moving. */
export const requireMovable = Effect.fnUntraced(function* (
  move: Move,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const obstacles = [...(yield* obstaclesAtSource(move.source)), ...(yield* obstaclesAtTarget(move.target))]
  if (obstacles.length > 0) return yield* new MoveError({ message: obstacles.join(". ") })
  yield* requireCurrentSource(move)
})

/** Fails unless the source has exactly the tables that this version makes at the target. */
export const requireCurrentSource = Effect.fnUntraced(function* ({
  schema,
  source,
}: Pick<Move, "schema" | "source">): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const { missing, newer } = yield* compare.pipe(
    Effect.provideService(SqlClient.SqlClient, source.sql),
    Effect.provideService(SchemaName, schema),
    Effect.catchTag("NewerSchema", ({ message }) => new MoveError({ message })),
  )
  if (newer.length > 0) return yield* new MoveError({ message: `${schema} in ${source.name} ${ofNewer(newer)}` })
  if (missing.length === 0) return
  return yield* new MoveError({
    message: `${schema} in ${source.name} lacks ${missing.join(", ")}. Run "designwire migrate" first`,
  })
})

/** Says that only a newer version's command can move what is in a schema. */
export const ofNewer = (newer: ReadonlyArray<string>): string =>
  `was migrated by a newer version of designwire: it has ${newer.join(", ")}. Run the command of that version`

const unless = (met: boolean, sentence: string): ReadonlyArray<string> => (met ? [] : [sentence])

const tooOld = (name: string, version: number) =>
  unless(version >= 150_000, `The server of ${name} is older than Postgres 15, which moves need. Update it`)
