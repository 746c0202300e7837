/**
 * Versions of designwire after this one, for tests: the same code, which knows made-up migrations. The next version has
 * expanding ones, and the one after that a contracting one.
 */
import {
  compatibleWith,
  latestOf,
  leastFor,
  type MigrationList,
  migrations,
} from "../../../adapters/sql/schema/KnownMigrations.ts"

const known: MigrationList = { migrations, compatibleWith }

/** The migration that hosts must know alongside this version's. */
const least = leastFor(known, Object.keys(migrations))

const withNext = (list: MigrationList, name: string, statements: ReadonlyArray<string>, goesOn: number) => {
  const key = `${latestOf(list) + 1}_${name}`
  return {
    migrations: { ...list.migrations, [key]: statements },
    compatibleWith: { ...list.compatibleWith, [key]: goesOn },
  }
}

/** Adds a table and a column: hosts of this version continue. */
const withColumn = withNext(
  known,
  "order_notes",
  [
    `CREATE TABLE designwire.order_notes (
  shop text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  note text NOT NULL,
  PRIMARY KEY (shop, id)
)`,
    "ALTER TABLE designwire.orders ADD COLUMN note text",
  ],
  least,
)

/** Adds an index. */
const next = withNext(
  withColumn,
  "orders_note",
  ["CREATE INDEX IF NOT EXISTS orders_note ON designwire.orders (shop, note) WHERE note IS NOT NULL"],
  least,
)

/** Drops what the next version no longer needs: hosts of the next version continue, older ones don't. */
const afterNext = withNext(next, "without_notes", ["DROP TABLE designwire.order_notes"], latestOf(next))

/** What each version knows. */
export const laterVersions = { next, afterNext }

/** The names of the made-up migrations. */
export const expanding: ReadonlyArray<string> = Object.keys(next.migrations).slice(-2)
export const contracting = Object.keys(afterNext.migrations).at(-1) ?? ""
