/**
 * The tables. Every key starts with `shop`, so that they can be partitioned or spread by it. Two indexes do
 * not: that of the tokens' digests, because a request brings a token before anybody knows its shop, and that of the deliveries that wait for their time.
 */
import { Data, Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"

/** The SQL of each version of the schema, in order. One that was released is never edited. */
export const migrations: Readonly<Record<string, ReadonlyArray<string>>> = {
  "1_resources": [
    `CREATE TABLE designwire.shops (
  id text COLLATE "C" PRIMARY KEY,
  domain text NOT NULL,
  currency text NOT NULL,
  plan text NOT NULL,
  rounding_step bigint NOT NULL,
  image_base text NOT NULL
)`,
    `CREATE TABLE designwire.tokens (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  hint text NOT NULL,
  digest text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  PRIMARY KEY (shop, id)
)`,
    `CREATE UNIQUE INDEX tokens_digest ON designwire.tokens (digest)`,
    `CREATE TABLE designwire.customizers (
  shop text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  title text NOT NULL,
  platform_product_id text NOT NULL,
  asset_base text NOT NULL,
  version integer,
  PRIMARY KEY (shop, id)
)`,
    `CREATE TABLE designwire.customizer_versions (
  shop text COLLATE "C" NOT NULL,
  customizer_id bigint NOT NULL,
  version integer NOT NULL,
  definition text NOT NULL,
  published_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop, customizer_id, version)
)`,
    `CREATE TABLE designwire.designs (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  order_id text COLLATE "C",
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  wire text NOT NULL,
  etag text NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (shop, id)
)`,
    `CREATE INDEX designs_of_order ON designwire.designs (shop, order_id, position) WHERE order_id IS NOT NULL`,
    `CREATE TABLE designwire.orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  ordered_at timestamptz(3) NOT NULL,
  head text NOT NULL,
  etag text NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (shop, id)
)`,
    `CREATE INDEX orders_newest ON designwire.orders (shop, ordered_at DESC, id DESC)`,
    // Orders of each day; the day '-infinity' counts them all.
    `CREATE TABLE designwire.order_counts (
  shop text COLLATE "C" NOT NULL,
  day date NOT NULL,
  orders integer NOT NULL,
  PRIMARY KEY (shop, day)
)`,
    // Counters of the last minute: losing them with a crash of the database is cheaper than writing each to its log.
    // Every request updates a row: room on its page lets the update stay there.
    `CREATE UNLOGGED TABLE designwire.rate_windows (
  shop text COLLATE "C" NOT NULL,
  token_id text COLLATE "C" NOT NULL,
  accepted bigint[] NOT NULL,
  granted integer NOT NULL,
  PRIMARY KEY (shop, token_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.5, autovacuum_vacuum_cost_delay = 0)`,
  ],
  "2_webhooks": [
    `CREATE TABLE designwire.endpoints (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  description text NOT NULL,
  kinds text[] NOT NULL,
  status text NOT NULL,
  consecutive_failures integer NOT NULL,
  switched_off_at timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  secret text NOT NULL,
  PRIMARY KEY (shop, id)
)`,
    `CREATE TABLE designwire.events (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  event text NOT NULL,
  test boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (shop, id)
)`,
    `CREATE INDEX events_oldest ON designwire.events (shop, created_at)`,
    // available_at: when a delivery is due, null for what is finished or held. A claim changes leased_until and claim_token alone, which no index knows.
    `CREATE TABLE designwire.deliveries (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event text NOT NULL,
  test boolean NOT NULL,
  status text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  next_attempt_at timestamptz(3),
  available_at timestamptz(3),
  leased_until timestamptz(3),
  claim_token text,
  attempts integer NOT NULL,
  PRIMARY KEY (shop, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
    `CREATE INDEX deliveries_available ON designwire.deliveries (shop, endpoint_id, available_at) WHERE available_at IS NOT NULL`,
    `CREATE INDEX deliveries_due ON designwire.deliveries (available_at) WHERE status = 'pending'`,
    `CREATE INDEX deliveries_log ON designwire.deliveries (shop, endpoint_id, created_at DESC, id DESC)`,
    `CREATE INDEX deliveries_of_event ON designwire.deliveries (shop, event_id)`,
    `CREATE TABLE designwire.attempts (
  shop text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  at timestamptz(3) NOT NULL,
  status_code integer,
  duration_ms integer NOT NULL,
  response_start text,
  error text,
  PRIMARY KEY (shop, delivery_id, number)
)`,
  ],
  "3_definition_digests": [
    // Versions from before have none: no transaction that published one is still open.
    `ALTER TABLE designwire.customizer_versions ADD COLUMN digest text NOT NULL DEFAULT ''`,
  ],
  "4_queues": [
    // In which queue a pending delivery is (DeliveryRules.ts), null for what is finished. Each queue has an index of its own, so that adding
    // a delivery writes one of them, and a claim, which changes leased_until and claim_token alone, none.
    `ALTER TABLE designwire.deliveries ADD COLUMN queue text`,
    `UPDATE designwire.deliveries SET queue = CASE
  WHEN available_at IS NULL THEN 'held' WHEN available_at <= now() THEN 'due' ELSE 'waiting'
END WHERE status = 'pending'`,
    `DROP INDEX designwire.deliveries_available`,
    `DROP INDEX designwire.deliveries_due`,
    `ALTER TABLE designwire.deliveries DROP COLUMN available_at`,
    `CREATE INDEX deliveries_due ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) WHERE queue = 'due'`,
    `CREATE INDEX deliveries_waiting ON designwire.deliveries (next_attempt_at) WHERE queue = 'waiting'`,
    `CREATE INDEX deliveries_not_due ON designwire.deliveries (shop, endpoint_id) WHERE queue IN ('waiting', 'held')`,
    // Upkeep goes through these forwards, and passes over what is pending without a look at the table; the log is read backwards.
    `DROP INDEX designwire.deliveries_log`,
    `CREATE INDEX deliveries_log ON designwire.deliveries (shop, endpoint_id, created_at, id) INCLUDE (queue)`,
    `DROP INDEX designwire.events_oldest`,
    `CREATE INDEX events_oldest ON designwire.events (shop, created_at, id)`,
    // Who has received an event, where the delivery was dropped from the log. A row goes with its event.
    `CREATE TABLE designwire.received (
  shop text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (shop, event_id, endpoint_id)
)`,
    `CREATE INDEX endpoints_switched_off ON designwire.endpoints (shop, id) WHERE status = 'switched_off'`,
    // Orders that order_counts does not count yet: every new order adds a row of its own, so that none waits for another.
    `CREATE TABLE designwire.uncounted_orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  PRIMARY KEY (shop, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  ],
  "5_proven": [
    // Whether an endpoint's last attempt succeeded promptly. What is due at the others has a queue of its own, so that no claim of the rest walks past it.
    `ALTER TABLE designwire.endpoints ADD COLUMN proven boolean NOT NULL DEFAULT false`,
    `CREATE INDEX deliveries_unproven ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) WHERE queue = 'unproven'`,
  ],
}

const table = "designwire.migrations"

/** A number of our own, so that hosts which start at the same time migrate one after the other. */
const lock = 7_361_950_021

const run = Migrator.make({})({
  loader: Effect.suspend(() =>
    Migrator.fromRecord(
      Object.fromEntries(
        Object.entries(migrations).map(([name, statements]) => [
          name,
          SqlClient.SqlClient.use((sql) =>
            Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
          ),
        ]),
      ),
    ),
  ),
  table,
})

/** The database has migrations that this version does not know: a newer version has made them. Nothing may be read or written. */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{ readonly message: string }> {}

/** Brings the database up to date, in one transaction. Answers the names of the migrations that it ran. */
export const migrate: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = SqlClient.SqlClient.use((sql) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${lock})`
      yield* pending
      yield* sql`CREATE SCHEMA IF NOT EXISTS designwire`
      const done = yield* run
      return done.map(([id, name]) => `${id}_${name}`)
    }),
  ),
)

/** The names of the migrations that the database still lacks, in order. */
export const pending: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`
    const done =
      found?.found === true
        ? yield* sql<{
            id: number
            name: string
          }>`SELECT migration_id AS id, name FROM designwire.migrations ORDER BY 1`
        : []
    const known = Object.keys(migrations)
    const latest = Math.max(...known.map(idOf))
    const newer = done.filter(({ id }) => id > latest).map(({ id, name }) => `${id}_${name}`)
    if (newer.length > 0) {
      return yield* new NewerSchema({
        message: `The database was migrated by a newer version of designwire: it has ${newer.join(", ")}; the latest that this version knows is ${known.at(-1)}. Use that version`,
      })
    }
    const ids = new Set(done.map(({ id }) => id))
    return known.filter((name) => !ids.has(idOf(name)))
  }),
)

const idOf = (name: string): number => Number.parseInt(name, 10)

/** What {@link migrate} would run, as a script for people who run SQL by hand. Empty where nothing is pending. */
export const pendingSql: Effect.Effect<string, NewerSchema | SqlError.SqlError, SqlClient.SqlClient> = Effect.suspend(
  () => Effect.map(pending, script),
)

/** A script that runs migrations and keeps account of it, in one transaction. */
const script = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? ""
    : [
        "BEGIN",
        `SELECT pg_advisory_xact_lock(${lock})`,
        "CREATE SCHEMA IF NOT EXISTS designwire",
        // As Migrator makes it.
        `CREATE TABLE IF NOT EXISTS ${table} (
  migration_id integer PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL
)`,
        ...names.flatMap((name) => {
          const [id, title] = name.split(/_(.*)/s)
          return [
            `-- ${name}\nINSERT INTO ${table} (migration_id, name) VALUES (${id}, '${title}')`,
            ...(migrations[name] ?? []),
          ]
        }),
        "COMMIT",
      ]
        .map((statement) => `${statement};\n`)
        .join("")

/** The script of all migrations: what an empty database takes. */
export const allSql: string = script(Object.keys(migrations))
