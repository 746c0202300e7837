/** Claims serve newcomers apart from endpoints in trouble (D45). */
export const newcomers: ReadonlyArray<string> = [
  "ALTER TABLE designwire.endpoints ADD COLUMN troubled boolean NOT NULL DEFAULT false",
  "UPDATE designwire.endpoints SET troubled = true WHERE NOT proven AND consecutive_failures > 1",
  "CREATE INDEX deliveries_newcomers ON designwire.deliveries (shop, endpoint_id, next_attempt_at, id) " +
    "WHERE queue = 'newcomers'",
]
