/** What migrations after the baseline change, in their order. A released one is never edited. */

import type { OrderStatus } from "../../../core/model/orders/Order.ts"
import { durationBounds } from "../../../core/model/webhooks/AttemptCounts.ts"

/** What platforms have reported of orders that are not stored, for up to 24 hours (D50). */
export const unstoredOrders = [
  `CREATE TABLE designwire.unstored_orders (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cancelled boolean NOT NULL,
  empty boolean NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  "CREATE INDEX unstored_orders_ended ON designwire.unstored_orders (until)",
  // Locks an order's id until the transaction ends, and then looks. A query within a function sees what others have
  // committed meanwhile, so a new order and a report without it can't both come in unseen.
  `CREATE FUNCTION designwire.known_of_order(of_shop text, of_order text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(of_shop || ' ' || of_order, 7361950031));
  RETURN CASE
    WHEN EXISTS (SELECT FROM designwire.orders o WHERE o.shop = of_shop AND o.id = of_order) THEN 'order'
    WHEN EXISTS (SELECT FROM designwire.unstored_orders c WHERE c.shop = of_shop AND c.id = of_order) THEN 'report'
  END;
END $$`,
]

/** Answers to requests with a key, for 24 hours (D49). */
export const keptAnswers = [
  `CREATE TABLE designwire.kept_answers (
  shop text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request text NOT NULL,
  answer text,
  has_texts boolean NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (shop, key)
)`,
  "CREATE INDEX kept_answers_ended ON designwire.kept_answers (until)",
]

/**
 * Claims name shops, and select their endpoints by standing (D45): one queue of due deliveries is enough, and no
 * delivery moves when its endpoint changes.
 */
export const oneDueQueue: ReadonlyArray<string> = [
  "ALTER TABLE designwire.endpoints ADD COLUMN troubled boolean NOT NULL DEFAULT false",
  "UPDATE designwire.endpoints SET troubled = true WHERE NOT proven AND consecutive_failures > 1",
  "UPDATE designwire.deliveries SET queue = 'due' WHERE queue = 'probation'",
  "DROP INDEX designwire.deliveries_probation",
]

/** The columns of the counts of attempts by class of durations, the first class first. */
export const durationColumns: ReadonlyArray<string> = Array.from(
  { length: durationBounds.length + 1 },
  (_, index) => `class_${index}`,
)

/**
 * Counts of ended attempts, by endpoint and hour (D60). The row of the current hour is updated with each settlement:
 * room on its page lets the update stay there.
 */
export const attemptCounts: ReadonlyArray<string> = [
  `CREATE TABLE designwire.attempt_counts (
  shop text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  hour timestamptz(0) NOT NULL,
  succeeded integer NOT NULL,
  failed_attempts integer NOT NULL,
  given_up integer NOT NULL,
  ${durationColumns.map((name) => `${name} integer NOT NULL`).join(",\n  ")},
  PRIMARY KEY (shop, endpoint_id, hour)
) WITH (fillfactor = 50)`,
]

/**
 * What events are about, so that the deliveries about an order or a design are found; and indexes for pages over all
 * endpoints of a shop.
 *
 * Subjects of stored events are not read from their bodies here: the tables stay locked until the migration ends.
 * Upkeep does so afterwards, in steps.
 */
export const subjects: ReadonlyArray<string> = [
  'ALTER TABLE designwire.events ADD COLUMN order_id text COLLATE "C", ADD COLUMN design_id text COLLATE "C"',
  "CREATE INDEX events_of_order ON designwire.events (shop, order_id) WHERE order_id <> ''",
  "CREATE INDEX events_of_design ON designwire.events (shop, design_id) WHERE design_id <> ''",
  // What upkeep still has to do. No new event is in it.
  "CREATE INDEX events_without_subject ON designwire.events (shop, id) WHERE order_id IS NULL",
  // Hardly any delivery fails for good, so that this costs others nothing.
  "CREATE INDEX deliveries_failed ON designwire.deliveries (shop, endpoint_id, created_at, id) WHERE status = 'failed'",
  // Now by due time, for the list of what waits. First attempts at an endpoint that is on are not in it.
  "DROP INDEX designwire.deliveries_not_due",
  "CREATE INDEX deliveries_not_due ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) " +
    "WHERE queue IN ('scheduled', 'suspended')",
]

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

/** Marks of sessions of the settings app: used ids, and epochs of their owners (D58). */
export const settingsMarks: ReadonlyArray<string> = [
  `CREATE TABLE designwire.settings_marks (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (shop, id)
)`,
  "CREATE INDEX settings_marks_ended ON designwire.settings_marks (until)",
]

/**
 * The form of an order's name in which a search compares it: `OrderSearch.searchKey` of its JSON. The texts that are
 * searched for in a kept head (`Order.wireHead`) can't be part of an id or a name: quotes within them are escaped.
 * That costs far less than to parse each new head, and never fails.
 */
export const nameKey = (head: string): string =>
  `lower(split_part(split_part(${head}, '","name":"', 2), '","status":"', 1) COLLATE "C")`

/** Whether an order has a status, as a condition on its kept head. */
export const hasStatus = (head: string, status: OrderStatus): string => `strpos(${head}, '","status":"${status}"') > 0`

/**
 * Orders by name, orders of one name in page order, and cancelled orders (D69). The indexes are over the kept
 * head, so that no row is written, orders are read meanwhile, and hosts of the old version need not know of them.
 * Orders are not stored while an index is built: on a large table, build it before with CONCURRENTLY.
 */
export const orderSearch: ReadonlyArray<string> = [
  `CREATE INDEX IF NOT EXISTS orders_by_name
  ON designwire.orders (shop, (${nameKey("head")}), ordered_at DESC, id DESC)`,
  `CREATE INDEX IF NOT EXISTS orders_cancelled ON designwire.orders (shop, ordered_at DESC, id DESC)
  WHERE ${hasStatus("head", "cancelled")}`,
]

/** Shops are searched by the beginning of their domain, whatever the collation of the database. */
export const shopDomains: ReadonlyArray<string> = [`CREATE INDEX shops_domain ON designwire.shops (domain COLLATE "C")`]

/** The trace of each event, which its deliveries continue (D70). Null for events without one: no row is rewritten. */
export const eventTraces: ReadonlyArray<string> = ["ALTER TABLE designwire.events ADD COLUMN trace text"]

/** The options of each endpoint that were ever given (`core/model/webhooks/EndpointOptions.ts`). */
export const endpointOptions: ReadonlyArray<string> = [
  "ALTER TABLE designwire.endpoints ADD COLUMN options jsonb NOT NULL DEFAULT '{}'",
]

/** The end of each token, and its scopes: all if it was stored without. */
export const tokenScopes: ReadonlyArray<string> = [
  "ALTER TABLE designwire.tokens ADD COLUMN expires_at timestamptz(3), ADD COLUMN scopes text[]",
]

/** Events that shop platforms send, and what became of them (D57). A body is dropped once its event is done. */
export const inbox: ReadonlyArray<string> = [
  `CREATE TABLE designwire.inbox (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  topic text NOT NULL,
  event_id text COLLATE "C",
  order_id text COLLATE "C",
  change text,
  modified_at timestamptz(3),
  content text COLLATE "C",
  property text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  body text,
  state text NOT NULL,
  reason text,
  design_id text COLLATE "C",
  PRIMARY KEY (shop, id)
)`,
  "CREATE UNIQUE INDEX inbox_event ON designwire.inbox (shop, source, event_id) WHERE event_id IS NOT NULL",
  "CREATE UNIQUE INDEX inbox_content ON designwire.inbox (shop, source, content) WHERE content IS NOT NULL",
  "CREATE INDEX inbox_order ON designwire.inbox (shop, order_id) WHERE order_id IS NOT NULL",
  "CREATE INDEX inbox_state ON designwire.inbox (shop, state, id)",
  "CREATE INDEX inbox_waiting ON designwire.inbox (shop, id) WHERE state = 'waiting'",
  "CREATE INDEX inbox_received ON designwire.inbox (shop, received_at)",
]

/** When a platform's message was triggered: it breaks ties of the time of modification, which has whole seconds. */
export const inboxTriggered = ["ALTER TABLE designwire.inbox ADD COLUMN triggered_at timestamptz(3)"]

/**
 * Shops that have left this database for another cell, are leaving it, or arrive. The state is `copying`, `closed`,
 * `moved` or `gone` if the shop leaves, and `arriving`. Its row of `shops` is here while the shop is open nowhere.
 */
export const moves: ReadonlyArray<string> = [
  `CREATE TABLE designwire.moves (
  shop text COLLATE "C" NOT NULL PRIMARY KEY,
  state text COLLATE "C" NOT NULL,
  -- The name of the attempt, and of the other cell
  run text NOT NULL,
  other text NOT NULL,
  shop_row jsonb,
  at timestamptz(3) NOT NULL
)`,
]

/**
 * What claims have planned for endpoints that have, or had, a pace (D54). An endpoint gets its row with its pace. Each
 * claim of its deliveries locks the row, so that claims of one endpoint plan one after the other.
 */
export const paces: ReadonlyArray<string> = [
  `CREATE TABLE designwire.paces (
  shop text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  -- Milliseconds since 1970, with fractions: no attempt begins before.
  next_start double precision NOT NULL DEFAULT 0,
  -- The ends of the leases of those under way, in milliseconds since 1970, by the ids of their deliveries.
  under_way jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (shop, endpoint_id)
) WITH (fillfactor = 50)`,
]

/**
 * The endpoints that may be sent to (`DeliveryState.maySend`), with everything that a claim needs of them. Of one that
 * isn't active, only tests may be sent. `standing` is `Health.standingOf`, `is_paced` is `Pace.isPaced`.
 */
export const receivers: ReadonlyArray<string> = [
  `CREATE VIEW designwire.receivers AS
SELECT e.shop, e.id AS endpoint_id, e.url, e.standard_webhooks, e.options::text AS options, e.secret, e.new_secret,
  (extract(epoch FROM e.rotates_at) * 1000)::float8 AS rotates_at, e.status = 'active' AS is_active, e.proven, e.troubled,
  CASE WHEN e.proven THEN 'proven' WHEN e.troubled THEN 'troubled' ELSE 'newcomer' END AS standing,
  (e.options ->> 'maxPerSecond')::float8 AS max_per_second, (e.options ->> 'maxConcurrent')::int4 AS max_concurrent,
  e.options ->> 'maxPerSecond' IS NOT NULL OR e.options ->> 'maxConcurrent' IS NOT NULL AS is_paced
FROM designwire.endpoints e WHERE (SELECT s.plan FROM designwire.shops s WHERE s.id = e.shop) IN ('pro', 'plus')`,
]

/**
 * The kinds of trouble of a platform's event that notices have reported, by their letters. One notice reports many, so
 * its id does not say which (D85).
 */
export const inboxTold = ["ALTER TABLE designwire.inbox ADD COLUMN told text COLLATE \"C\" NOT NULL DEFAULT ''"]

/** When a design was last written (D86). Earlier designs count from now. */
export const savedDesigns = ["ALTER TABLE designwire.designs ADD COLUMN saved_at timestamptz(3) NOT NULL DEFAULT now()"]

/** The order in which drafts are listed and end. */
export const drafts = [
  "CREATE INDEX IF NOT EXISTS designs_drafts ON designwire.designs (shop, saved_at, id) WHERE status = 'draft'",
]
