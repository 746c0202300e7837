/**
 * The tables. Every key starts with `shop`, so that they can be partitioned or spread by it. Three indexes do
 * not: that of the tokens' digests, because a request brings a token before anybody knows its shop, and those of the deliveries that wait for their time and of
 * the notices that are to be told.
 */
import { Data, Effect } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { clientIn, inSchema, lockIn, SchemaName } from "./Schema.ts"

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
  "6_growth": [
    // The delivery that an event makes for an endpoint is found by its id, which is both of theirs. Redeliveries and recovered ones have other ids.
    `DROP INDEX designwire.deliveries_of_event`,
    `CREATE INDEX deliveries_of_event ON designwire.deliveries (shop, event_id)
WHERE id <> 'dlv_' || substr(event_id, 5) || substr(endpoint_id, 5)`,
    // Orders of each hour, day and month in UTC, by its beginning; the unit 'all' counts them all.
    `DROP TABLE designwire.order_counts`,
    `CREATE TABLE designwire.order_counts (
  shop text COLLATE "C" NOT NULL,
  unit text COLLATE "C" NOT NULL,
  since timestamp NOT NULL,
  orders integer NOT NULL,
  PRIMARY KEY (shop, unit, since)
)`,
    `TRUNCATE designwire.uncounted_orders`,
    `ALTER TABLE designwire.uncounted_orders DROP COLUMN day, ADD COLUMN ordered_at timestamptz(3) NOT NULL`,
    `INSERT INTO designwire.order_counts (shop, unit, since, orders) SELECT o.shop, u.unit,
  CASE u.unit WHEN 'all' THEN '-infinity' ELSE date_trunc(u.unit, o.ordered_at AT TIME ZONE 'UTC') END, count(*)
FROM designwire.orders o CROSS JOIN (VALUES ('all'), ('month'), ('day'), ('hour')) u (unit) GROUP BY 1, 2, 3`,
  ],
  "7_notices": [
    // next_attempt_at: when it is to be told; null once it was, or was given up.
    `CREATE TABLE designwire.notices (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  body text NOT NULL,
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  claim_token text,
  attempts integer NOT NULL,
  PRIMARY KEY (shop, id)
)`,
    `CREATE INDEX notices_newest ON designwire.notices (shop, created_at, id)`,
    `CREATE INDEX notices_due ON designwire.notices (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
  ],
  "8_removed_shops": [
    `CREATE TABLE designwire.removed_shops (
  shop text COLLATE "C" PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL
)`,
  ],
  "9_feed": [
    // Where an event stands in the feed (Feed.ts). Events from before stand in the order in which they happened. That the sequence was used tells
    // its last value from a first one that is still to come.
    `CREATE SEQUENCE designwire.feed_positions`,
    `ALTER TABLE designwire.events ADD COLUMN position bigint`,
    `UPDATE designwire.events ev SET position = o.position
FROM (SELECT shop, id, row_number() OVER (ORDER BY created_at, id) AS position FROM designwire.events) o WHERE ev.shop = o.shop AND ev.id = o.id`,
    `SELECT setval('designwire.feed_positions', (SELECT count(*) + 1 FROM designwire.events))`,
    `ALTER TABLE designwire.events ALTER COLUMN position SET DEFAULT nextval('designwire.feed_positions'), ALTER COLUMN position SET NOT NULL`,
    `CREATE INDEX events_feed ON designwire.events (shop, event, position) WHERE NOT test`,
    // The position of the last event of each shop that was dropped.
    `CREATE TABLE designwire.dropped_events (
  shop text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL
)`,
  ],
  "10_rotation": [
    // The new secret of a rotation, sealed, and when it takes the place of the old one; since when the secret signs, null where no other one did before.
    `ALTER TABLE designwire.endpoints ADD COLUMN secret_since timestamptz(3), ADD COLUMN new_secret text, ADD COLUMN rotates_at timestamptz(3)`,
  ],
  "11_standard_webhooks": [
    `ALTER TABLE designwire.endpoints ADD COLUMN standard_webhooks boolean NOT NULL DEFAULT false`,
  ],
  "12_attempt_log": [
    // A delivery's attempts, in order, as objects with the members of `Attempt`: most have one, and it is written with the outcome.
    `ALTER TABLE designwire.deliveries ADD COLUMN attempt_log jsonb NOT NULL DEFAULT '[]'`,
    `UPDATE designwire.deliveries d SET attempt_log = a.log FROM (
  SELECT shop, delivery_id, jsonb_agg(jsonb_build_object('number', number, 'at', (extract(epoch FROM at) * 1000)::int8, 'statusCode', status_code,
    'durationMs', duration_ms, 'responseStart', response_start, 'error', error) ORDER BY number) AS log
  FROM designwire.attempts GROUP BY 1, 2
) a WHERE a.shop = d.shop AND a.delivery_id = d.id`,
    `DROP TABLE designwire.attempts`,
  ],
  "13_refuse_stale": [
    // Fails a commit of one statement where something that it changes is no longer as it was read (Orders.ts). The code is that of serialization failures.
    `CREATE FUNCTION designwire.refuse_stale() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Another change came between' USING ERRCODE = 'serialization_failure';
END $$`,
  ],
}

/** A number of our own, so that hosts which start at the same time migrate one after the other. */
const lock = 7_361_950_021

/** The client at hand and the schema that the tables are in. */
const connection = Effect.gen(function* () {
  const schema = yield* SchemaName
  return { schema, sql: clientIn(yield* SqlClient.SqlClient, schema) }
})

const run = Migrator.make({})

const loader = Migrator.fromRecord(
  Object.fromEntries(
    Object.entries(migrations).map(([name, statements]) => [
      name,
      SqlClient.SqlClient.use((sql) =>
        Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true }),
      ),
    ]),
  ),
)

/** The database has migrations that this version does not know: a newer version has made them. Nothing may be read or written. */
export class NewerSchema extends Data.TaggedError("NewerSchema")<{ readonly message: string }> {}

/** The database lacks migrations that this version needs: nothing can be read or written before they are run. */
export class SchemaNotCurrent extends Data.TaggedError("SchemaNotCurrent")<{ readonly message: string }> {}

/** Brings the database up to date, in one transaction. Answers the names of the migrations that it ran. */
export const migrate: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | Migrator.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(connection, ({ schema, sql }) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`SELECT pg_advisory_xact_lock(${lockIn(schema, lock)}) IS NULL AS locked`)
      yield* pending
      yield* sql.unsafe(createSchema(schema))
      const done = yield* Effect.provideService(
        run({ loader, table: `${schema}.migrations` }),
        SqlClient.SqlClient,
        sql,
      )
      return done.map(([id, name]) => `${id}_${name}`)
    }),
  ),
)

/** The names of the migrations that the database still lacks, in order. */
export const pending: Effect.Effect<
  ReadonlyArray<string>,
  NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(connection, ({ sql }) =>
  Effect.gen(function* () {
    const [found] = yield* sql<{ found: boolean }>`SELECT to_regclass('designwire.migrations') IS NOT NULL AS found`
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

/** Fails while the database lacks a migration, can't be reached, or has one that this version does not know. */
export const requireCurrent: Effect.Effect<
  void,
  SchemaNotCurrent | NewerSchema | SqlError.SqlError,
  SqlClient.SqlClient
> = Effect.flatMap(pending, (missing) =>
  missing.length === 0
    ? Effect.void
    : new SchemaNotCurrent({
        message: `The database's schema is not current: it lacks ${missing.join(", ")}. Run "designwire migrate"`,
      }),
)

/** {@link inSchema} puts names in before a dot alone. */
const createSchema = (schema: string): string => `CREATE SCHEMA IF NOT EXISTS "${schema}"`

const idOf = (name: string): number => Number.parseInt(name, 10)

/** A migration for whoever runs them with a tool of their own. */
export interface MigrationScript {
  /** Its place in the order, from 1. */
  readonly id: number
  readonly name: string
  /**
   * Statements, each with a semicolon at its end, to be run in one transaction. A function has semicolons within its `$$` too. They also note in our account that
   * it was run.
   */
  readonly sql: string
}

/** All migrations, in order. Those that a tool has run once never change; a new version of this package adds to the end. */
export const migrationScripts = (schema = "designwire"): ReadonlyArray<MigrationScript> =>
  Object.entries(migrations).map(([key, statements]) => {
    const [id, name = ""] = key.split(/_(.*)/s)
    const account = `INSERT INTO designwire.migrations (migration_id, name) VALUES (${id}, '${name}')`
    const script = [...(id === "1" ? beginning(schema) : []), account, ...statements]
    return { id: Number(id), name, sql: inSchema(schema)(script.map(ended).join("")) }
  })

/** What every migration needs, with the account as Migrator makes it. */
const beginning = (schema: string) => [
  createSchema(schema),
  `CREATE TABLE IF NOT EXISTS designwire.migrations (
  migration_id integer PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now(),
  name text NOT NULL
)`,
]

const ended = (statement: string): string => `${statement};\n`

/** What {@link migrate} would run, as a script for people who run SQL by hand. Empty where nothing is pending. */
export const pendingSql: Effect.Effect<string, NewerSchema | SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const missing = yield* pending
    return script(yield* SchemaName, missing)
  },
)

/** A script that runs migrations and keeps account of it, in one transaction. */
const script = (schema: string, names: ReadonlyArray<string>): string => {
  const scripts = migrationScripts(schema).filter(({ id, name }) => names.includes(`${id}_${name}`))
  if (scripts.length === 0) return ""
  return [
    ended("BEGIN"),
    ended(`SELECT pg_advisory_xact_lock(${lockIn(schema, lock)})`),
    ...scripts.map(({ id, name, sql }) => `-- ${id}_${name}\n${sql}`),
    ended("COMMIT"),
  ].join("")
}

/** The script of all migrations: what an empty database takes. */
export const allSql = (schema = "designwire"): string => script(schema, Object.keys(migrations))
