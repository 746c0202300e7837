import { Predicate } from "effect"
import type { SqlClient } from "effect/sql"

/** Stands for a cache that keeps nothing. */
const nothing = { get: () => undefined, set: () => undefined }

const caches = ["statementCache", "statementCacheNoTransform"]

/**
 * Lets a client's compiler forget the statements that it has compiled: ours run once each.
 *
 * Effect's compiler keeps the text and the values of a statement in a `WeakMap` by the statement. V8 keeps the values
 * of such a map until the next full garbage collection, even if the keys are long gone: of an order, 32 KiB of designs
 * and SQL. Each collection of young objects copied them, which took 7 ms for a hundred orders.
 */
export const uncached = <Client extends SqlClient.SqlClient>(sql: Client): Client => {
  const { compiler } = sql.unsafe("") as { readonly compiler?: unknown }
  for (const cache of caches) if (Predicate.hasProperty(compiler, cache)) Object.assign(compiler, { [cache]: nothing })
  return sql
}
