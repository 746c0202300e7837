import { inSchema } from "./Schema.ts"

/**
 * Tables that grow with the activity of shops. `shops` and `tokens` stay whole: they are small, and a token is looked
 * up before its shop is known.
 */
const tables = [
  ...["customizers", "customizer_versions", "designs", "orders", "order_counts", "uncounted_orders", "rate_windows"],
  ...["endpoints", "events", "deliveries", "received", "notices"],
]

/**
 * A script that partitions the tables with their content by a hash of the shop, in one transaction. Run it once on a
 * current database that nothing else uses. Later migrations find the tables under their names.
 *
 * Statements about one shop touch one partition of each table; claims and upkeep read all of them. A partition can be
 * put on another disk by its tablespace.
 */
export const partitioningSql = (partitions = 16, schema = "designwire"): string =>
  inSchema(schema)(`DO $script$
DECLARE
  name text;
  path text;
  storage text;
  persistence text;
  key text;
  indexes text[];
  statement text;
BEGIN
  FOREACH name IN ARRAY ARRAY['${tables.join("', '")}'] LOOP
    path := 'designwire.' || name;
    SELECT coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', ''), CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED' ELSE '' END
      INTO storage, persistence FROM pg_catalog.pg_class c WHERE c.oid = path::regclass;
    SELECT pg_get_constraintdef(c.oid) INTO key FROM pg_catalog.pg_constraint c WHERE c.conrelid = path::regclass AND c.contype = 'p';
    SELECT coalesce(array_agg(pg_get_indexdef(i.indexrelid)), '{}') INTO indexes FROM pg_catalog.pg_index i
      WHERE i.indrelid = path::regclass AND NOT i.indisprimary;
    EXECUTE format('ALTER TABLE %s RENAME TO %s_whole', path, name);
    EXECUTE format('CREATE TABLE %s (LIKE %s_whole INCLUDING DEFAULTS) PARTITION BY HASH (shop)', path, path);
    FOR part IN 0..${partitions - 1} LOOP
      EXECUTE format('CREATE %s TABLE %s_%s PARTITION OF %s FOR VALUES WITH (MODULUS ${partitions}, REMAINDER %s)%s',
        persistence, path, part, path, part, storage);
    END LOOP;
    EXECUTE format('INSERT INTO %s SELECT * FROM %s_whole', path, path);
    EXECUTE format('DROP TABLE %s_whole', path);
    EXECUTE format('ALTER TABLE %s ADD %s', path, key);
    FOREACH statement IN ARRAY indexes LOOP
      EXECUTE statement;
    END LOOP;
  END LOOP;
END
$script$;
`)
