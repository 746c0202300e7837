/**
 * The tables of version 0.2.0, by subject. Released: a change to it would never reach a database that already has it.
 *
 * Every primary key and every index starts with `shop`, so that the tables can be partitioned by it. Four indexes do
 * not: a request brings a token before its shop is known, a removed shop is looked up by its own id, and the next
 * delivery or notice to come due is looked for among all shops.
 *
 * Comments within a statement are printed by `designwire migrate --dry-run`. Tools split such scripts with more or less
 * care: no semicolons and no quotes in them.
 */

const shops = [
  `CREATE TABLE designwire.shops (
  id text COLLATE "C" PRIMARY KEY,
  domain text NOT NULL,
  currency text NOT NULL,
  plan text NOT NULL,
  rounding_step bigint NOT NULL,
  image_base text NOT NULL
)`,
  // A call that was under way when its shop was removed may store something afterwards: upkeep deletes that.
  `CREATE TABLE designwire.removed_shops (
  shop text COLLATE "C" PRIMARY KEY,
  removed_at timestamptz(3) NOT NULL
)`,
]

const tokens = [
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
  // Counters of the last minute: losing them in a crash of the database costs less than logging every change.
  // Every request updates a row: room on its page lets the update stay there.
  `CREATE UNLOGGED TABLE designwire.rate_windows (
  shop text COLLATE "C" NOT NULL,
  token_id text COLLATE "C" NOT NULL,
  accepted bigint[] NOT NULL,
  granted integer NOT NULL,
  PRIMARY KEY (shop, token_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.5, autovacuum_vacuum_cost_delay = 0)`,
]

const customizers = [
  `CREATE TABLE designwire.customizers (
  shop text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  title text NOT NULL,
  platform_product_id text NOT NULL,
  asset_base text NOT NULL,
  -- The published version, null before the first
  version integer,
  PRIMARY KEY (shop, id)
)`,
  `CREATE TABLE designwire.customizer_versions (
  shop text COLLATE "C" NOT NULL,
  customizer_id bigint NOT NULL,
  version integer NOT NULL,
  definition text NOT NULL,
  published_at timestamptz(3) NOT NULL,
  -- Of the definition, so that a host need not read a definition that it holds already
  digest text NOT NULL DEFAULT '',
  PRIMARY KEY (shop, customizer_id, version)
)`,
]

const orders = [
  `CREATE TABLE designwire.designs (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL,
  order_id text COLLATE "C",
  position integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The bytes that reads and webhooks send
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
  -- The bytes before those of the designs
  head text NOT NULL,
  etag text NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  `CREATE INDEX orders_newest ON designwire.orders (shop, ordered_at DESC, id DESC)`,
  `CREATE TABLE designwire.order_counts (
  shop text COLLATE "C" NOT NULL,
  -- An hour, day or month in UTC, which begins at since, or all
  unit text COLLATE "C" NOT NULL,
  since timestamp NOT NULL,
  orders integer NOT NULL,
  PRIMARY KEY (shop, unit, since)
)`,
  // Orders that order_counts does not count yet: every new order adds a row of its own, so that none waits for another.
  `CREATE TABLE designwire.uncounted_orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  ordered_at timestamptz(3) NOT NULL,
  PRIMARY KEY (shop, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05)`,
  // Fails a commit of one statement if something that it changes has changed since it was read (Orders.ts), with the
  // code of serialization failures.
  `CREATE FUNCTION designwire.refuse_stale() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Another change came between' USING ERRCODE = 'serialization_failure';
END $$`,
]

const endpoints = [
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
  -- Sealed with an encryption key of the installation
  secret text NOT NULL,
  -- Whether the last attempt succeeded promptly
  proven boolean NOT NULL DEFAULT false,
  -- When the secret took the place of another, null for the first
  secret_since timestamptz(3),
  -- The secret, sealed, that takes its place at rotates_at
  new_secret text,
  rotates_at timestamptz(3),
  standard_webhooks boolean NOT NULL DEFAULT false,
  PRIMARY KEY (shop, id)
)`,
  `CREATE INDEX endpoints_switched_off ON designwire.endpoints (shop, id) WHERE status = 'switched_off'`,
]

const events = [
  // Used once, so that its last value is always one that was given out, never one that is still to come.
  `CREATE SEQUENCE designwire.feed_positions`,
  `SELECT setval('designwire.feed_positions', 1)`,
  `CREATE TABLE designwire.events (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  event text NOT NULL,
  test boolean NOT NULL,
  created_at timestamptz(3) NOT NULL,
  -- The bytes that are delivered
  body text NOT NULL,
  -- The place in the feed (Feed.ts)
  position bigint NOT NULL DEFAULT nextval('designwire.feed_positions'),
  PRIMARY KEY (shop, id)
)`,
  `CREATE INDEX events_oldest ON designwire.events (shop, created_at, id)`,
  `CREATE INDEX events_feed ON designwire.events (shop, event, position) WHERE NOT test`,
  // The position of the last event of each shop that was deleted.
  `CREATE TABLE designwire.dropped_events (
  shop text COLLATE "C" PRIMARY KEY,
  position bigint NOT NULL
)`,
  // The endpoints that have received an event, once the delivery is deleted from the log. A row goes with its event.
  `CREATE TABLE designwire.received (
  shop text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (shop, event_id, endpoint_id)
)`,
]

const deliveries = [
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
  leased_until timestamptz(3),
  claim_token text,
  attempts integer NOT NULL,
  -- The queue of a pending delivery (DeliveryRules.ts), null once it is finished
  queue text,
  -- The attempts, in order, as objects
  attempt_log jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (shop, id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05)`,
  // Each queue has an index of its own: adding a delivery writes one of them, and a claim, which only changes
  // leased_until and claim_token, writes none.
  `CREATE INDEX deliveries_due ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) WHERE queue = 'due'`,
  "CREATE INDEX deliveries_probation ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) " +
    "WHERE queue = 'probation'",
  `CREATE INDEX deliveries_scheduled ON designwire.deliveries (next_attempt_at) WHERE queue = 'scheduled'`,
  `CREATE INDEX deliveries_not_due ON designwire.deliveries (shop, endpoint_id) WHERE queue IN ('scheduled', 'suspended')`,
  // Upkeep reads it forwards and passes over pending deliveries without reading the table. The log reads it backwards.
  `CREATE INDEX deliveries_log ON designwire.deliveries (shop, endpoint_id, created_at, id) INCLUDE (queue)`,
  // The first delivery of an event to an endpoint has an id made of both of theirs, by which it is found.
  // Redeliveries and recovered deliveries have other ids.
  `CREATE INDEX deliveries_of_event ON designwire.deliveries (shop, event_id)
WHERE id <> 'dlv_' || substr(event_id, 5) || substr(endpoint_id, 5)`,
]

const notices = [
  `CREATE TABLE designwire.notices (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  body text NOT NULL,
  -- Null once it was sent or given up
  next_attempt_at timestamptz(3),
  leased_until timestamptz(3),
  claim_token text,
  attempts integer NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  `CREATE INDEX notices_newest ON designwire.notices (shop, created_at, id)`,
  `CREATE INDEX notices_due ON designwire.notices (next_attempt_at) WHERE next_attempt_at IS NOT NULL`,
]

/** The statements that make the tables of version 0.2.0. */
export const baseline: ReadonlyArray<string> = [
  ...shops,
  ...tokens,
  ...customizers,
  ...orders,
  ...endpoints,
  ...events,
  ...deliveries,
  ...notices,
]
