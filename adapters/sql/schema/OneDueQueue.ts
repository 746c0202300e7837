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
