import { type AuditEntry, type Audited, AuditStore } from "designwire/ports"
import type { Database } from "./Database.ts"
import type { Host } from "./Host.ts"

/** Entries of changes. */
export const makeAudit = ({ database }: Host): AuditStore["Service"] =>
  AuditStore.of({
    add: (entry) => database.attempt("Adding an entry", () => addEntry(database, entry)),
    list: ({ after, bytes, from, limit, shop, subject, until }) =>
      database.attempt("Reading entries", () =>
        database.fitting<AuditEntry>(
          bytes,
          `SELECT record FROM audit WHERE shop = ? AND at >= ? AND at < ? AND (at, id) < (?, ?)
             AND type = coalesce(?, type) AND subject = coalesce(?, subject) ORDER BY at DESC, id DESC LIMIT ?`,
          ...[shop, from ?? -1e15, until ?? 1e15, after?.at ?? 1e15, after?.id ?? ""],
          ...[subject?.type ?? null, subject?.id ?? null, limit],
        ),
      ),
  })

/** Stores the entry of a change, if it has one, in the transaction of the change. */
export const addEntry = (database: Database, entry: AuditEntry | null | undefined): void => {
  if (entry === null || entry === undefined) return
  const { at, id, shop, subject } = entry
  const sql = "INSERT OR IGNORE INTO audit (shop, at, id, type, subject, record) VALUES (?, ?, ?, ?, ?, ?)"
  database.run(sql, shop, at, id, subject.type, subject.id, JSON.stringify(entry))
}

/** Stores the entry of a change from one record to another. */
export const addChange = <A>(
  database: Database,
  audited: Audited<A> | undefined,
  before: A | undefined,
  after: A | undefined,
): void => {
  if (before !== undefined || after !== undefined) addEntry(database, audited?.(before ?? null, after ?? null))
}
