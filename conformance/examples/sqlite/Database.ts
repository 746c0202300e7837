import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { StorageError } from "designwire/ports"
import { Effect } from "effect"

/** Records are stored as JSON beside their indexed columns. Texts compare bytewise, which is by code point. */
const schema = `
CREATE TABLE IF NOT EXISTS shops (id TEXT PRIMARY KEY, plan TEXT, record TEXT);
CREATE TABLE IF NOT EXISTS removed (shop TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS tokens (shop TEXT, id TEXT, digest TEXT UNIQUE, created_at INTEGER, record TEXT, PRIMARY KEY (shop, id));
CREATE TABLE IF NOT EXISTS counted (shop TEXT, token TEXT, times TEXT, PRIMARY KEY (shop, token));
CREATE TABLE IF NOT EXISTS customizers (shop TEXT, id INTEGER, record TEXT, PRIMARY KEY (shop, id));
CREATE TABLE IF NOT EXISTS versions (shop TEXT, customizer INTEGER, version INTEGER, definition TEXT, digest TEXT, published_at INTEGER, PRIMARY KEY (shop, customizer, version));
CREATE TABLE IF NOT EXISTS designs (shop TEXT, id TEXT, revision INTEGER, status TEXT, order_id TEXT, position INTEGER, record TEXT, PRIMARY KEY (shop, id));
CREATE INDEX IF NOT EXISTS designs_of_order ON designs (shop, order_id, position);
CREATE TABLE IF NOT EXISTS orders (shop TEXT, id TEXT, ordered_at INTEGER, revision INTEGER, record TEXT, PRIMARY KEY (shop, id));
CREATE TABLE IF NOT EXISTS unstored_orders (shop TEXT, id TEXT, cancelled INTEGER, empty INTEGER, until INTEGER, PRIMARY KEY (shop, id));
CREATE TABLE IF NOT EXISTS answers (shop TEXT, key TEXT, request TEXT, answer TEXT, texts INTEGER, until INTEGER, PRIMARY KEY (shop, key));
CREATE TABLE IF NOT EXISTS marks (shop TEXT, id TEXT, epoch INTEGER, until INTEGER, PRIMARY KEY (shop, id));
CREATE TABLE IF NOT EXISTS inbox (shop TEXT, id TEXT, record TEXT, body TEXT, PRIMARY KEY (shop, id));
CREATE INDEX IF NOT EXISTS inbox_of_order ON inbox (shop, record ->> '$.orderId');
CREATE INDEX IF NOT EXISTS orders_by_time ON orders (shop, ordered_at, id);
CREATE INDEX IF NOT EXISTS orders_by_name ON orders (shop, lower(iif(json_valid(json_extract(record, '$.head') || ']}'), json_extract(json_extract(record, '$.head') || ']}', '$.name'), NULL)), ordered_at DESC, id DESC);
CREATE TABLE IF NOT EXISTS endpoints (shop TEXT, id TEXT, created_at INTEGER, active INTEGER, standing TEXT, record TEXT, PRIMARY KEY (shop, id));
CREATE TABLE IF NOT EXISTS events (shop TEXT, id TEXT, created_at INTEGER, record TEXT, body TEXT, position INTEGER, kind TEXT, PRIMARY KEY (shop, id));
CREATE INDEX IF NOT EXISTS events_feed ON events (shop, kind, position) WHERE kind IS NOT NULL;
CREATE INDEX IF NOT EXISTS events_of_order ON events (shop, record ->> '$.subject.order');
CREATE INDEX IF NOT EXISTS events_of_design ON events (shop, record ->> '$.subject.design');
-- The positions of the last event of the feed that was written, and of the last that was dropped.
CREATE TABLE IF NOT EXISTS feeds (shop TEXT PRIMARY KEY, written INTEGER, dropped INTEGER DEFAULT 0);
CREATE TABLE IF NOT EXISTS deliveries (shop TEXT, endpoint TEXT, id TEXT, event TEXT, status TEXT, test INTEGER, created_at INTEGER,
  due INTEGER, leased_until INTEGER DEFAULT -1e15, token TEXT, record TEXT, line TEXT, line_place INTEGER, PRIMARY KEY (shop, endpoint, id));
CREATE INDEX IF NOT EXISTS deliveries_in_line ON deliveries (shop, endpoint, line, line_place) WHERE line IS NOT NULL AND status = 'pending';
CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due, id) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS deliveries_by_time ON deliveries (shop, created_at, id);
CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (shop, event);
CREATE TABLE IF NOT EXISTS received (shop TEXT, endpoint TEXT, event TEXT, PRIMARY KEY (shop, endpoint, event));
CREATE TABLE IF NOT EXISTS attempt_counts (shop TEXT, endpoint TEXT, hour INTEGER, record TEXT, PRIMARY KEY (shop, endpoint, hour));
CREATE TABLE IF NOT EXISTS paces (shop TEXT, endpoint TEXT, record TEXT, PRIMARY KEY (shop, endpoint));
CREATE TABLE IF NOT EXISTS audit (shop TEXT, at INTEGER, id TEXT, type TEXT, subject TEXT, record TEXT, PRIMARY KEY (shop, at, id));
CREATE TABLE IF NOT EXISTS notices (shop TEXT, id TEXT, created_at INTEGER, due INTEGER, leased_until INTEGER DEFAULT -1e15, token TEXT,
  attempts INTEGER DEFAULT 0, record TEXT, PRIMARY KEY (shop, id));

-- What may be sent as things stand (DeliveryState.maySend), and from when on it can be claimed.
CREATE VIEW IF NOT EXISTS behind AS
SELECT d.shop, d.endpoint, d.id FROM deliveries d
JOIN deliveries f ON f.shop = d.shop AND f.endpoint = d.endpoint AND f.line = d.line AND f.line IS NOT NULL
WHERE d.status = 'pending' AND f.status = 'pending' AND (f.line_place, f.rowid) < (d.line_place, d.rowid);
CREATE VIEW IF NOT EXISTS sendable AS
SELECT d.*, e.standing, max(d.due, d.leased_until) AS open_at FROM deliveries d
JOIN shops s ON s.id = d.shop JOIN endpoints e ON e.shop = d.shop AND e.id = d.endpoint
WHERE d.status = 'pending' AND s.plan <> 'free' AND (d.test OR e.active)
  AND NOT EXISTS (SELECT 1 FROM behind b WHERE b.shop = d.shop AND b.endpoint = d.endpoint AND b.id = d.id);
`

/** Tables with a column `shop`. */
export const tables = [
  ...[
    "tokens",
    "counted",
    "customizers",
    "versions",
    "designs",
    "orders",
    "endpoints",
    "events",
    "deliveries",
    "received",
  ],
  ...["attempt_counts", "paces", "notices", "feeds", "unstored_orders", "answers", "marks", "inbox", "audit"],
] as const

/** SQLite's error while another process writes: a retry may succeed. */
const busy = [5, 6]

/**
 * A connection to a file. Statements are synchronous, so the statements of one effect are not interleaved with others
 * of this process.
 */
export class Database {
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#sqlite = new DatabaseSync(path)
    // A commit survives a crash of the process; a crash of the machine may lose only the last commits.
    this.#sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    this.#sqlite.exec(schema)
  }

  close(): void {
    this.#sqlite.close()
  }

  /** Rows, typed by the caller according to the schema. */
  all<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<A> {
    const rows: ReadonlyArray<unknown> = this.#prepare(sql).all(...values)
    return rows as ReadonlyArray<A>
  }

  first<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): A | undefined {
    return this.#prepare(sql).get(...values) as A | undefined
  }

  /** Runs a statement and returns the number of changed rows. */
  run(sql: string, ...values: ReadonlyArray<SQLInputValue>): number {
    return Number(this.#prepare(sql).run(...values).changes)
  }

  /** The records in rows of JSON. */
  records<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<A> {
    return this.all<{ readonly record: string }>(sql, ...values).map(({ record }) => JSON.parse(record) as A)
  }

  /** The first of the records, and as many of the next ones as have at most so many bytes together. */
  fitting<A>(bytes = Number.POSITIVE_INFINITY, sql: string, ...values: ReadonlyArray<SQLInputValue>): ReadonlyArray<A> {
    const records: Array<A> = []
    let reached = 0
    for (const row of this.#prepare(sql).iterate(...values)) {
      const { record } = row as { readonly record: string }
      reached += Buffer.byteLength(record)
      if (records.length > 0 && reached > bytes) break
      records.push(JSON.parse(record) as A)
    }
    return records
  }

  record<A>(sql: string, ...values: ReadonlyArray<SQLInputValue>): A | undefined {
    return this.records<A>(sql, ...values)[0]
  }

  /** Runs the statements atomically. */
  attempt<A>(what: string, run: () => A): Effect.Effect<A, StorageError> {
    return Effect.try({
      try: () => {
        this.#sqlite.exec("BEGIN IMMEDIATE")
        try {
          const answer = run()
          this.#sqlite.exec("COMMIT")
          return answer
        } finally {
          if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK")
        }
      },
      catch: (cause) => {
        const code = cause instanceof Error && "errcode" in cause ? Number(cause.errcode) & 0xff : -1
        const reason = cause instanceof Error ? cause.message : String(cause)
        return new StorageError({ message: `${what}: ${reason}`, cause, isRetryable: busy.includes(code) })
      },
    })
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const prepared = this.#sqlite.prepare(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}
