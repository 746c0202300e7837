import { Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { AuditEntry } from "../../../core/model/audit/AuditEntry.ts"
import { format } from "../../../core/model/Instant.ts"
import { type AuditQuery, AuditStore } from "../../../core/ports/AuditStore.ts"
import { mapped } from "../statements/Errors.ts"
import { fitting, rows } from "../statements/Rows.ts"

/** `AuditStore` over SQL. */
export const layerAudit: Layer.Layer<AuditStore, never, SqlClient.SqlClient> = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      add: (entry) => sql.withTransaction(insertEntries(sql, [entry])).pipe(mapped("Adding an audit entry")),
      list: (query) => list(sql, query).pipe(mapped("Reading audit entries")),
    }
  }),
)

/** Adds entries within the transaction of what they are about. */
export const insertEntries = (
  sql: SqlClient.SqlClient,
  entries: ReadonlyArray<AuditEntry>,
): Effect.Effect<void, SqlError.SqlError> =>
  sql`INSERT INTO designwire.audit_entries (shop, at, id, subject_type, subject_id, entry)
SELECT r.shop, r.at, r.id, r.subject_type, r.subject_id, r.entry FROM ${rows(
    "r",
    { shop: "text", at: "timestamptz", id: "text", subject_type: "text", subject_id: "text", entry: "text" },
    entries.map((entry) => ({
      shop: entry.shop,
      at: entry.at,
      id: entry.id,
      subject_type: entry.subject.type,
      subject_id: entry.subject.id,
      entry: JSON.stringify(entry),
    })),
  )} ON CONFLICT DO NOTHING`.pipe(Effect.asVoid)

/** {@link insertEntries} for a change that may have none. */
export const insertEntry = (sql: SqlClient.SqlClient, entry: AuditEntry | null | undefined) =>
  entry === null || entry === undefined ? Effect.void : insertEntries(sql, [entry])

/**
 * Makes transactions that create the same thing wait for each other, so that the second sees what the first has
 * created: they have no row that they could lock.
 */
export const lockCreation = (sql: SqlClient.SqlClient, kind: string, shop: string, id = "") =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`designwire ${kind} ${shop} ${id}`}, 0)) IS NULL AS locked`

const list = (sql: SqlClient.SqlClient, { after, bytes, from, limit, shop, subject, until }: AuditQuery) => {
  const conditions: ReadonlyArray<Statement.Fragment> = [
    sql`a.shop = ${shop}`,
    ...(subject === null ? [] : [sql`a.subject_type = ${subject.type}`]),
    ...(subject === null || subject.id === null ? [] : [sql`a.subject_id = ${subject.id}`]),
    ...(from === null ? [] : [sql`a.at >= ${format(from)}::timestamptz`]),
    ...(until === null ? [] : [sql`a.at < ${format(until)}::timestamptz`]),
    ...(after === null ? [] : [sql`(a.at, a.id) < (${format(after.at)}::timestamptz, ${after.id})`]),
  ]
  return Effect.map(
    sql<{ entry: string }>`SELECT l.entry FROM (${fitting(
      sql,
      sql`SELECT a.at, a.id, a.entry, octet_length(a.entry) AS bytes FROM designwire.audit_entries a
WHERE ${sql.and(conditions)} ORDER BY a.at DESC, a.id DESC LIMIT ${limit}::int4`,
      sql.literal("at DESC, id DESC"),
      bytes,
    )}) l ORDER BY l.at DESC, l.id DESC`,
    (found) => found.map(({ entry }) => JSON.parse(entry) as AuditEntry),
  )
}
