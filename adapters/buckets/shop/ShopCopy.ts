/** Copies the rows of a shop to the target, and follows their changes. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { type MoveError, quoted } from "../move/Places.ts"
import type { Arrival } from "./Arrival.ts"
import { changesTable, type Gate } from "./ShopGate.ts"
import { restOfKey, type ShopTable, shopTables } from "./ShopTables.ts"

/** Rows of a page. Some have several hundred kilobytes. */
const rowsAtOnce = 200

/** Changes that are followed at once. */
export const changesAtOnce = 1_000

/** A copy of a shop, from a gate to the bucket `target`. */
export interface Copy {
  readonly gate: Gate
  readonly arrival: Arrival
  /** The schema of the target. */
  readonly target: string
  readonly tables: ReadonlyArray<ShopTable>
}

/** How far a copy has got. */
export interface ShopProgress {
  /** Rows of the shop when the copy began. */
  readonly rows: number
  readonly copied: number
}

/** Begins a copy at a target that has no rows of the shop. */
export const beginCopy = Effect.fnUntraced(function* (
  gate: Gate,
  arrival: Arrival,
  target: string,
): Effect.fn.Return<Copy, MoveError | SqlError.SqlError> {
  const tables = yield* shopTables(gate.place.sql, gate.schema)
  // An earlier command may have been cut off between its two last commits.
  for (const { name, shop } of tables) {
    yield* arrival.run(`DELETE FROM ${quoted(target, name)} WHERE ${quoted(shop)} = $1::text`, [gate.shop])
  }
  return { gate, arrival, target, tables }
})

/** Copies all rows. Those that change meanwhile are noted at the gate. */
export const copyRows = Effect.fnUntraced(function* (
  copy: Copy,
  onProgress: (progress: ShopProgress) => Effect.Effect<void>,
): Effect.fn.Return<void, SqlError.SqlError> {
  const rows = yield* countRows(copy)
  let copied = 0
  for (const table of copy.tables) {
    for (let after: string | null = null; ; ) {
      const page: Page = yield* readPage(copy, table, after)
      if (page.rows === null) break
      yield* insert(copy, table, page.rows)
      copied += page.count
      after = page.last
      yield* onProgress({ rows, copied })
      if (page.count < rowsAtOnce) break
    }
  }
})

const countRows = ({ gate, tables }: Copy) => {
  const { place, schema, shop } = gate
  const counts = tables.map(
    (table) => `(SELECT count(*) FROM ${quoted(schema, table.name)} WHERE ${quoted(table.shop)} = $1::text)`,
  )
  return Effect.map(
    place.sql.unsafe<{ count: number }>(`SELECT (${counts.join(" + ")})::int4 AS count`, [shop]),
    ([row]) => row?.count ?? 0,
  )
}

interface Page {
  /** As an array of JSON, which every type goes through unchanged, whatever the settings of the servers. */
  readonly rows: string | null
  readonly count: number
  /** The key of the last one. */
  readonly last: string | null
}

const readPage = ({ gate }: Copy, table: ShopTable, after: string | null): Effect.Effect<Page, SqlError.SqlError> => {
  const rest = restOfKey(table)
  const columns = rest.map(({ name }) => `t.${quoted(name)}`)
  const from = rest.map(({ type }, index) => `($2::text::jsonb ->> ${index})::${type}`)
  const isFurther = after === null ? "" : ` AND (${columns.join(", ")}) > (${from.join(", ")})`
  const order = rest.length === 0 ? "" : ` ORDER BY ${columns.join(", ")}`
  return Effect.map(
    gate.place.sql.unsafe<Page>(
      `SELECT json_agg(p.t)::text AS rows, count(*)::int4 AS count, (array_agg(p.key))[count(*)]::text AS last FROM (
  SELECT t, jsonb_build_array(${columns.join(", ")}) AS key FROM ${quoted(gate.schema, table.name)} t
  WHERE t.${quoted(table.shop)} = $1::text${isFurther}${order} LIMIT ${rowsAtOnce}
) p`,
      after === null ? [gate.shop] : [gate.shop, after],
    ),
    ([page]) => page ?? { rows: null, count: 0, last: null },
  )
}

const insert = ({ arrival, target }: Copy, { name }: ShopTable, rows: string) => {
  const table = quoted(target, name)
  return arrival.run(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::text::json)`, [
    rows,
  ])
}

/** Copies some of the rows that have changed. Returns the number of changes: below the largest, none may be left. */
export const followSome = Effect.fnUntraced(function* (copy: Copy): Effect.fn.Return<number, SqlError.SqlError> {
  const { gate, tables } = copy
  const changes = changesTable(gate)
  // They are forgotten before the rows are read. If the command ends, the next one copies from the beginning.
  const noted = yield* gate.place.sql.unsafe<{ name: string; key: string }>(
    `DELETE FROM ${changes} WHERE id IN (
  SELECT id FROM ${changes} WHERE move = ${gate.number} ORDER BY id LIMIT ${changesAtOnce}
) RETURNING name, key::text AS key`,
  )
  const keysOf = Map.groupBy(noted, ({ name }) => name)
  for (const table of tables) {
    const keys = [...new Set((keysOf.get(table.name) ?? []).map(({ key }) => key))]
    for (let begin = 0; begin < keys.length; begin += rowsAtOnce) {
      yield* replace(copy, table, `[${keys.slice(begin, begin + rowsAtOnce).join()}]`)
    }
  }
  return noted.length
})

/** Gives the target the rows that the source has for some keys. */
const replace = Effect.fnUntraced(function* (
  copy: Copy,
  table: ShopTable,
  keys: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  const { arrival, gate, target } = copy
  const isNamed = table.key
    .map(({ name, type }, index) => `t.${quoted(name)} = (k.key ->> ${index})::${type}`)
    .join(" AND ")
  const named = "json_array_elements($1::text::json) k (key)"
  const [found] = yield* gate.place.sql.unsafe<{ rows: string | null }>(
    `SELECT json_agg(t)::text AS rows FROM ${named} JOIN ${quoted(gate.schema, table.name)} t ON ${isNamed}`,
    [keys],
  )
  yield* arrival.run(`DELETE FROM ${quoted(target, table.name)} t USING ${named} WHERE ${isNamed}`, [keys])
  if (found?.rows != null) yield* insert(copy, table, found.rows)
})

/** Copies rows that have changed until few are left; until none is, if nothing changes any more. */
export const followChanges = (copy: Copy): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(Effect.repeat(followSome(copy), { until: (count) => count < changesAtOnce }))

/** More positions than other shops can take while one is read and set. */
const margin = 100_000

/** Makes sure that the sequences of the target give out nothing that the source has given out. */
export const raiseSequences = Effect.fnUntraced(function* ({
  arrival,
  gate,
  target,
}: Copy): Effect.fn.Return<void, SqlError.SqlError> {
  const names = yield* gate.place.sql<{ name: string }>`SELECT c.relname::text AS name
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = ${gate.schema}::text AND c.relkind = 'S' ORDER BY 1`
  for (const { name } of names) {
    const [row] = yield* gate.place.sql.unsafe<{ last: string }>(
      `SELECT last_value::text AS last FROM ${quoted(gate.schema, name)}`,
    )
    yield* arrival.run(
      `SELECT setval('${quoted(target, name)}', $1::text::bigint + ${margin})::text AS last
FROM ${quoted(target, name)} WHERE last_value <= $1::text::bigint`,
      [row?.last],
    )
  }
})
