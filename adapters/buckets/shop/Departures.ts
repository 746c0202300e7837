/**
 * The shops that have left a bucket. It refuses rows of theirs for good, like a missing table, so that a host whose map
 * is outdated writes nothing at a place that nobody reads. Buckets that no shop has left have none of this.
 *
 * Every table refuses them, not the table of shops alone: a call may have found the shop before it was cleared here.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { gatesSchema, type MoveError, type NamedPlace, quoted } from "../move/Places.ts"
import { durably } from "../move/Tables.ts"
import type { Arrival } from "./Arrival.ts"
import { type ShopTable, shopTables } from "./ShopTables.ts"

/** A bucket in its database. */
interface BucketPlace {
  readonly place: Pick<NamedPlace, "sql">
  readonly schema: string
}

/** Names that are copied at once. */
const namesAtOnce = 10_000

const departed = (schema: string): string => quoted(gatesSchema(schema), "departed")

const refusalOf = (schema: string, column: string): string => quoted(gatesSchema(schema), `refuse_${column}`)

/** Runs as the command's user: hosts need no right to the schema of gates. */
const defineRefusal = (schema: string, column: string): string =>
  `CREATE OR REPLACE FUNCTION ${refusalOf(schema, column)}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (SELECT FROM ${departed(schema)} WHERE shop = NEW.${column}) THEN
    RAISE EXCEPTION 'The shop % has moved to another bucket', NEW.${column} USING ERRCODE = 'undefined_table';
  END IF;
  RETURN NEW;
END $$`

/** The statement that makes a table refuse departed shops. */
export const refusingTrigger = (schema: string, { name, shop }: ShopTable): string =>
  `CREATE OR REPLACE TRIGGER departed BEFORE INSERT ON ${quoted(schema, name)}
FOR EACH ROW EXECUTE FUNCTION ${refusalOf(schema, shop)}()`

const makeDepartures = ({ place: { sql }, schema }: BucketPlace) =>
  Effect.forEach(
    [
      `CREATE SCHEMA IF NOT EXISTS ${quoted(gatesSchema(schema))}`,
      `CREATE TABLE IF NOT EXISTS ${departed(schema)} (shop text COLLATE "C" PRIMARY KEY)`,
      defineRefusal(schema, "id"),
      defineRefusal(schema, "shop"),
    ],
    (statement) => sql.unsafe(statement),
    { discard: true },
  )

/** Whether a shop has ever left the bucket. */
export const hasDepartures = ({ place, schema }: BucketPlace): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    place.sql<{ found: boolean }>`SELECT to_regclass(${departed(schema)}) IS NOT NULL AS found`,
    ([row]) => row?.found === true,
  )

/**
 * Notes that a shop has left a bucket, if a condition on the bucket's table of shops holds. Tables refuse the shop once
 * they have the {@link refusingTrigger}.
 */
export const noteDeparture = (
  bucket: BucketPlace,
  shop: string,
  condition: string,
): Effect.Effect<void, SqlError.SqlError> => {
  const { place, schema } = bucket
  return durably(
    place.sql,
    Effect.gen(function* () {
      yield* makeDepartures(bucket)
      // The condition lasts until the transaction ends.
      yield* place.sql.unsafe(`LOCK TABLE ${quoted(schema, "shops")} IN ACCESS SHARE MODE`)
      yield* place.sql.unsafe(noting(bucket, condition), [shop])
    }),
  )
}

const noting = ({ schema }: BucketPlace, condition: string): string =>
  `INSERT INTO ${departed(schema)} SELECT $1::text WHERE ${condition} ON CONFLICT DO NOTHING`

/** Lets a shop come back. Others see that together with its rows. */
export const admit = Effect.fnUntraced(function* (
  arrival: Arrival,
  bucket: BucketPlace,
  shop: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  if (yield* hasDepartures(bucket)) {
    yield* arrival.run(`DELETE FROM ${departed(bucket.schema)} WHERE shop = $1::text`, [shop])
  }
})

/** Undoes {@link admit}: a bucket that shops have left may refuse any shop that is not in it. */
export const refuseAgain = Effect.fnUntraced(function* (
  arrival: Arrival,
  bucket: BucketPlace,
  shop: string,
): Effect.fn.Return<void, SqlError.SqlError> {
  if (yield* hasDepartures(bucket)) yield* arrival.run(noting(bucket, "true"), [shop])
})

/**
 * Gives the copy of a bucket that moves its departed shops, within the transaction that makes the copy: the bucket may
 * come back to a database in which a host with an old map looks for them. None leaves or comes meanwhile, for a
 * bucket and its shops never move at the same time.
 */
export const copyDepartures = Effect.fnUntraced(function* (
  source: NamedPlace,
  target: NamedPlace,
  schema: string,
): Effect.fn.Return<void, MoveError | SqlError.SqlError> {
  if (!(yield* hasDepartures({ place: source, schema }))) return
  yield* makeDepartures({ place: target, schema })
  for (let after = ""; ; ) {
    const found: ReadonlyArray<{ shop: string }> = yield* source.sql.unsafe<{ shop: string }>(
      `SELECT shop FROM ${departed(schema)} WHERE shop > $1::text ORDER BY shop LIMIT ${namesAtOnce}`,
      [after],
    )
    const names = found.map(({ shop }) => shop)
    yield* target.sql`INSERT INTO ${target.sql.literal(departed(schema))} SELECT unnest(${names}::text[])`
    if (found.length < namesAtOnce) break
    after = names.at(-1) ?? ""
  }
  for (const table of yield* shopTables(target.sql, schema)) {
    yield* target.sql.unsafe(refusingTrigger(schema, table))
  }
})

/** Drops all that moves of shops keep at a bucket. */
export const dropGates = (sql: SqlClient.SqlClient, schema: string): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql.unsafe(`DROP SCHEMA IF EXISTS ${quoted(gatesSchema(schema))} CASCADE`))
