/**
 * Connections of shops to platforms (D87). Secrets are sealed; of the settings those that were given are here. No two
 * shops have a domain: changes see to that. A unique index would stop the replication of a shop that arrives.
 */
export const platforms: ReadonlyArray<string> = [
  `CREATE TABLE designwire.platforms (
  shop text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  domain text COLLATE "C" NOT NULL,
  secret text,
  former_secret text,
  former_until timestamptz(3),
  access_key text,
  settings jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  changed_at timestamptz(3) NOT NULL,
  disconnected_at timestamptz(3),
  PRIMARY KEY (shop, platform)
)`,
  "CREATE INDEX platforms_domain ON designwire.platforms (platform, domain)",
]

/**
 * When the API of a connection's platform is asked next, and what is known of it (D88). Those that are due are looked
 * for once a minute, in a table with a row or two for each shop: without an index.
 */
export const reconciling: ReadonlyArray<string> = [
  "ALTER TABLE designwire.platforms ADD COLUMN due_at timestamptz(3), ADD COLUMN reconciling jsonb",
]
