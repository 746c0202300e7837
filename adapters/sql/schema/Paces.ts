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
