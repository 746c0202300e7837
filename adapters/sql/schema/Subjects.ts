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
