/** Entries of changes (D59), each a JSON text. The indexes serve pages of all, of one type, and of one thing. */
export const auditEntries: ReadonlyArray<string> = [
  `CREATE TABLE designwire.audit_entries (
  shop text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  id text COLLATE "C" NOT NULL,
  subject_type text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (shop, at, id)
)`,
  "CREATE INDEX audit_entries_type ON designwire.audit_entries (shop, subject_type, at, id)",
  "CREATE INDEX audit_entries_subject ON designwire.audit_entries (shop, subject_type, subject_id, at, id)",
]
