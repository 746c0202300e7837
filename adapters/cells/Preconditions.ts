/** The settings and rights that a move needs. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { compare } from "../sql/schema/Migrations.ts"
import { SchemaName } from "../sql/schema/Schema.ts"
import { type Cell, type Move, MoveError } from "./Move.ts"

/** Slots and processes of one move: one to follow, and one at least to copy tables. */
const needed = 2

const unless = (met: boolean, sentence: string): ReadonlyArray<string> => (met ? [] : [sentence])

const tooOld = (name: string, version: number) =>
  unless(version >= 150_000, `The server of ${name} is older than Postgres 15, which moves need. Update it`)

/** Why no shop can move out of a cell, as sentences that say what to do. Empty if one can. */
const obstaclesAtSource = Effect.fnUntraced(function* (
  { name, sql }: Pick<Cell, "name" | "sql">,
  schema: string,
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const [found] = yield* sql<{
    version: number
    level: string
    slots: number
    senders: number
    mayReplicate: boolean
    mayPublish: boolean
    mayMake: boolean
    role: string
  }>`SELECT current_setting('server_version_num')::int4 AS version, current_setting('wal_level') AS level,
  current_setting('max_replication_slots')::int4 -
    (SELECT count(*)::int4 FROM pg_catalog.pg_replication_slots) AS slots,
  current_setting('max_wal_senders')::int4 - (SELECT count(*)::int4 FROM pg_catalog.pg_stat_replication) AS senders,
  r.rolsuper OR r.rolreplication OR EXISTS (
    SELECT FROM pg_catalog.pg_roles g WHERE g.rolname = 'rds_replication' AND pg_has_role(g.oid, 'USAGE')
  ) AS "mayReplicate",
  has_database_privilege(current_database(), 'CREATE') AS "mayPublish",
  has_schema_privilege(${schema}::text, 'CREATE') AS "mayMake", r.rolname::text AS role
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
    ...mayGate(found.mayMake, name, schema, found.role),
  ]
})

const mayGate = (may: boolean, name: string, schema: string, role: string) =>
  unless(may, `The user ${role} may not make functions in ${name}. Use the owner of the schema ${schema}`)

/** Why no shop can move into a cell, as sentences that say what to do. Empty if one can. */
const obstaclesAtTarget = Effect.fnUntraced(function* (
  { name, sql }: Pick<Cell, "name" | "sql">,
  schema: string,
): Effect.fn.Return<ReadonlyArray<string>, SqlError.SqlError> {
  const [found] = yield* sql<{
    version: number
    workers: number
    maySubscribe: boolean
    mayCreate: boolean
    mayMake: boolean
    role: string
  }>`SELECT current_setting('server_version_num')::int4 AS version,
  current_setting('max_logical_replication_workers')::int4 -
    (SELECT count(*)::int4 FROM pg_catalog.pg_stat_subscription WHERE pid IS NOT NULL) AS workers,
  r.rolsuper OR EXISTS (
    SELECT FROM pg_catalog.pg_roles g WHERE g.rolname = 'pg_create_subscription' AND pg_has_role(g.oid, 'USAGE')
  ) AS "maySubscribe",
  has_database_privilege(current_database(), 'CREATE') AS "mayCreate",
  has_schema_privilege(${schema}::text, 'CREATE') AS "mayMake", r.rolname::text AS role
FROM pg_catalog.pg_roles r WHERE r.rolname = current_user`
  if (found === undefined) return []
  const { role } = found
  const right =
    found.version >= 160_000
      ? `Let a superuser run: GRANT pg_create_subscription TO ${role}`
      : `Postgres 15 lets only superusers do so. For the time of the move: ALTER ROLE ${role} SUPERUSER`
  return [
    ...tooOld(name, found.version),
    ...unless(
      found.workers >= needed,
      `${name} has too few free replication workers. Raise max_logical_replication_workers on its server, and restart it`,
    ),
    ...unless(found.maySubscribe, `The user ${role} may not subscribe in ${name}. ${right}`),
    ...unless(
      found.mayCreate,
      `The user ${role} may not subscribe in ${name}. Let its owner run: GRANT CREATE ON DATABASE … TO ${role}`,
    ),
    ...mayGate(found.mayMake, name, schema, role),
  ]
})

/** Fails with all that keeps a shop from moving. */
export const requireMovable = Effect.fnUntraced(function* ({
  schema,
  source,
  target,
}: Pick<Move, "schema" | "source" | "target">): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  const migrations = yield* Effect.forEach([source, target], (cell) => requireCurrent(cell, schema))
  const [one, other] = yield* Effect.forEach([source, target], identityOf)
  const obstacles = [
    ...migrations.flat(),
    ...(yield* obstaclesAtSource(source, schema)),
    ...(yield* obstaclesAtTarget(target, schema)),
    ...unless(one !== other, `${source.name} and ${target.name} are the same database`),
  ]
  if (obstacles.length > 0) return yield* new MoveError({ message: obstacles.join(". ") })
})

/** Both cells need exactly the tables that this version knows. */
const requireCurrent = ({ name, sql }: Cell, schema: string) =>
  compare.pipe(
    Effect.provideService(SqlClient.SqlClient, sql),
    Effect.provideService(SchemaName, schema),
    Effect.map(({ missing, newer }) => [
      ...unless(missing.length === 0, `${name} lacks ${missing.join(", ")}. Run "designwire migrate" on it first`),
      ...unless(
        newer.length === 0,
        `${name} was migrated by a newer version of designwire: it has ${newer.join(", ")}. Run the command of that version`,
      ),
    ]),
    Effect.catchTag("NewerSchema", ({ message }) => Effect.succeed([`${name}: ${message}`])),
  )

/** A database in a running server. A server and its copy may have the same number. */
const identityOf = ({ sql }: Cell) =>
  Effect.map(
    sql<{ identity: string }>`SELECT concat_ws(' ', c.system_identifier, pg_postmaster_start_time(), current_database())
  AS identity FROM pg_control_system() c`,
    ([row]) => row?.identity,
  )
