/** A schema as the server's catalogs describe it. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Queries of one column each, `line`, over the objects of the schema `$1`. */
const queries = [
  // Tables, indexes, sequences and partitions, with their storage.
  `SELECT format('%s %s: %s %s, %s, partition by %s, %s', c.relkind, c.relname, c.relpersistence,
  coalesce(c.reloptions::text, '{}'), coalesce(a.amname, ''), coalesce(pg_get_partkeydef(c.oid), 'nothing'),
  coalesce(pg_get_expr(c.relpartbound, c.oid), 'whole'))
FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam WHERE c.relnamespace = $1::regnamespace`,
  // Columns, with their place.
  `SELECT format('column %s.%s %s: %s %s %s, default %s, %s %s, storage %s, compression %s, statistics %s %s',
  c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname, format_type(a.atttypid, a.atttypmod),
  CASE WHEN a.attnotnull THEN 'not null' END, l.collname, pg_get_expr(d.adbin, d.adrelid), a.attidentity,
  a.attgenerated, a.attstorage, a.attcompression, a.attstattarget, a.attoptions)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum LEFT JOIN pg_collation l ON l.oid = a.attcollation
WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
  `SELECT format('constraint %s of %s: %s', o.conname, o.conrelid::regclass, pg_get_constraintdef(o.oid))
FROM pg_constraint o WHERE o.connamespace = $1::regnamespace`,
  `SELECT pg_get_indexdef(c.oid) FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('i', 'I')`,
  `SELECT format('sequence %s: %s from %s by %s in %s to %s, cycle %s, cache %s, %s', s.sequencename, s.data_type,
  s.start_value, s.increment_by, s.min_value, s.max_value, s.cycle, s.cache_size,
  CASE WHEN s.last_value IS NULL THEN 'unused' ELSE 'used' END)
FROM pg_sequences s WHERE s.schemaname = $1`,
  `SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = $1::regnamespace AND p.prokind IN ('f', 'p')`,
  `SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = $1::regnamespace`,
  // Everything else that can stand in a schema, which ours has none of.
  `SELECT 'view ' || viewname || definition FROM pg_views WHERE schemaname = $1
UNION ALL SELECT 'rule ' || definition FROM pg_rules WHERE schemaname = $1
UNION ALL SELECT 'policy ' || policyname FROM pg_policies WHERE schemaname = $1
UNION ALL SELECT 'statistics ' || pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace = $1::regnamespace
UNION ALL SELECT 'type ' || typname FROM pg_type t WHERE typnamespace = $1::regnamespace AND typtype IN ('d', 'e', 'r')
UNION ALL SELECT 'grant ' || relname || relacl::text FROM pg_class WHERE relnamespace = $1::regnamespace AND relacl IS NOT NULL`,
  `SELECT format('comment on %s: %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description)
FROM pg_description d JOIN (
  SELECT 'pg_class'::regclass AS catalog, oid FROM pg_class WHERE relnamespace = $1::regnamespace
  UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_proc WHERE pronamespace = $1::regnamespace
  UNION ALL SELECT 'pg_constraint'::regclass, oid FROM pg_constraint WHERE connamespace = $1::regnamespace
  UNION ALL SELECT 'pg_namespace'::regclass, oid FROM pg_namespace WHERE oid = $1::regnamespace
) o ON o.catalog = d.classoid AND o.oid = d.objoid`,
]

/** Every object of a schema with all its properties, a line each, in order. */
export const catalogOf = (schema: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* Effect.forEach(queries, (query) => sql.unsafe<Record<string, string>>(query, [schema]))
    return found
      .flat()
      .flatMap((row) => Object.values(row))
      .sort()
  })
