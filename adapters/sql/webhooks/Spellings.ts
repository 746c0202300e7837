import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { FindSpellings } from "../../../core/ports/DeliveryLog.ts"
import { fixed } from "../statements/Fixed.ts"

/**
 * How many characters behind the prefix of an id are spelled out. They are the time of the id, to 10 ms, or belong to
 * the id of an event with such a time: what they have in common with other ids is little, whatever the shop holds.
 */
const spelledOut = 8

/** How ids that are equal but for the case of their letters may begin: 256 ways at most. */
const beginningsOf = (id: string): ReadonlyArray<string> => {
  const start = id.indexOf("_") + 1
  const prefix = id.slice(0, start).toLowerCase()
  return [...id.slice(start, start + spelledOut)].reduce<ReadonlyArray<string>>(
    (beginnings, character) => {
      const cases = [...new Set([character.toUpperCase(), character.toLowerCase()])]
      return beginnings.flatMap((beginning) => cases.map((each) => beginning + each))
    },
    [prefix],
  )
}

/** Tables with ids of a kind, and their columns; each has an index by its shop and this column. */
const places: Readonly<Record<FindSpellings["of"], ReadonlyArray<readonly [table: string, column: string]>>> = {
  design: [
    ["designs", "id"],
    ["events", "design_id"],
  ],
  event: [["events", "id"]],
  delivery: [["deliveries", "id"]],
}

/**
 * `DeliveryLog.spellings`: reads a small part of an index for each way in which ids may begin. An index of ids in
 * lower case would cost every delivery more than the few searches are worth.
 */
export const spellings = (sql: SqlClient.SqlClient, { id, of, shop }: FindSpellings) => {
  const beginnings = beginningsOf(id)
  // No character of such an id comes after "~". Without the offset, Postgres would read all ids once instead.
  const found = ([table, column]: readonly [string, string]): Statement.Fragment => {
    const t = fixed(`t.${column}`)
    return sql`SELECT f.id FROM unnest(${beginnings}::text[]) b (beginning) CROSS JOIN LATERAL (
  SELECT ${t} AS id FROM ${fixed(`designwire.${table}`)} t
  WHERE t.shop = ${shop} AND ${t} >= b.beginning COLLATE "C" AND ${t} < b.beginning || '~' COLLATE "C"
    AND ${t} <> '' AND lower(${t}) = ${id.toLowerCase()}
  OFFSET 0
) f`
  }
  const [first, ...others] = places[of].map(found)
  const all = others.reduce((joined, one) => sql`${joined} UNION ${one}`, first ?? sql`SELECT`)
  return sql<{ id: string }>`SELECT DISTINCT s.id COLLATE "C" AS id FROM (${all}) s ORDER BY 1`.pipe(
    Effect.map((rows) => rows.map((row) => row.id)),
  )
}
