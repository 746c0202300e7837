import { describe, expect, it } from "vitest"
import { beyondExpanding } from "../../../conformance/testkit/databases/Expanding.ts"
import { contracting, expanding, laterVersions } from "../../../conformance/testkit/databases/LaterVersions.ts"
import { compatibleWith, migrations, numberOf } from "./KnownMigrations.ts"

/**
 * Migrations that are more than an addition, or that hosts of the version before can't run alongside. Name one here
 * only if it can't be done by an expanding one now and a contracting one in a later release, and say so in
 * CHANGELOG.md.
 */
const stopsHosts = ["12_compatible_with"]

/** Migrations that remove what no host needs that knows the one that they name. */
const contracts: ReadonlyArray<string> = []

const names = Object.keys(migrations)

describe("Migrations", () => {
  it("MUST be numbered from 1 without a gap, in order", () => {
    expect(names.map(numberOf)).toEqual(names.map((_, index) => index + 1))
  })

  it("from the twelfth on MUST say which hosts continue alongside them (D78)", () => {
    const declaring = names.filter((name) => numberOf(name) >= 12)
    expect(Object.keys(compatibleWith)).toEqual(declaring)
    for (const name of declaring) {
      const goesOn = compatibleWith[name] ?? 0
      expect([name, goesOn >= 12, goesOn <= numberOf(name)]).toEqual([name, true, true])
    }
    expect(declaring.filter((name) => compatibleWith[name] === numberOf(name))).toEqual(stopsHosts)
  })

  it("MUST only add to the schema if older hosts continue, unless a release before has made way for them (D78)", () => {
    const expands = names.filter((name) => numberOf(name) >= 12 && !stopsHosts.includes(name))
    for (const name of expands) {
      expect([name, contracts.includes(name) || beyondExpanding(migrations[name] ?? [])]).toEqual([
        name,
        contracts.includes(name) ? true : [],
      ])
    }
  })

  it("of later versions in tests MUST be what their names say", () => {
    const { migrations: all } = laterVersions.afterNext
    for (const name of expanding) expect(beyondExpanding(all[name] ?? [])).toEqual([])
    expect(beyondExpanding(all[contracting] ?? [])).toEqual(["DROP TABLE designwire.order_notes"])
  })
})

describe("The check of expanding migrations", () => {
  const orders = "ALTER TABLE designwire.orders"
  it.each([
    `${orders} ADD COLUMN note text`,
    `${orders} ADD COLUMN noted timestamptz(3) NOT NULL DEFAULT now()`,
    `${orders} ADD COLUMN note text COLLATE "C", ADD COLUMN lines integer NOT NULL DEFAULT 0`,
    "CREATE INDEX IF NOT EXISTS orders_note ON designwire.orders (shop, note)",
    'CREATE TABLE designwire.notes (\n  shop text COLLATE "C" NOT NULL,\n  PRIMARY KEY (shop)\n)',
    "CREATE FUNCTION designwire.noted() RETURNS boolean LANGUAGE sql AS $$ SELECT true $$",
    "CREATE VIEW designwire.noted AS SELECT shop FROM designwire.orders",
  ])("MUST accept %s", (statement) => {
    expect(beyondExpanding([statement])).toEqual([])
  })

  it.each([
    `${orders} ADD COLUMN note text NOT NULL`,
    `${orders} ADD COLUMN note text, ADD COLUMN lines integer NOT NULL`,
    `${orders} ADD COLUMN note text UNIQUE`,
    `${orders} ADD COLUMN noted timestamptz DEFAULT clock_timestamp()`,
    `${orders} DROP COLUMN etag`,
    `${orders} RENAME COLUMN etag TO tag`,
    `${orders} ALTER COLUMN etag TYPE bytea`,
    `${orders} ALTER COLUMN etag SET NOT NULL`,
    `${orders} ADD CONSTRAINT one UNIQUE (shop, head)`,
    "CREATE UNIQUE INDEX orders_head ON designwire.orders (shop, head)",
    // It is built while writers wait.
    "CREATE INDEX orders_note ON designwire.orders (shop, note)",
    "DROP INDEX designwire.orders_newest",
    "UPDATE designwire.orders SET etag = ''",
    "CREATE TRIGGER noted BEFORE INSERT ON designwire.orders EXECUTE FUNCTION designwire.noted()",
  ])("MUST refuse %s", (statement) => {
    expect(beyondExpanding([statement])).toEqual([statement])
  })

  it("MUST refuse an index of another table alongside anything else", () => {
    const index = "CREATE INDEX IF NOT EXISTS orders_note ON designwire.orders (shop, note)"
    expect(beyondExpanding([`${orders} ADD COLUMN note text`, index])).toEqual([index])
    expect(beyondExpanding([index, index.replace("note", "head")])).toEqual([])
  })

  it("MUST accept a trigger that only rows with a column of the migration set off", () => {
    const trigger = (column: string) =>
      `CREATE TRIGGER noted AFTER UPDATE ON designwire.orders FOR EACH ROW
WHEN (OLD.${column} IS NOT NULL AND NEW.${column} IS NULL) EXECUTE FUNCTION designwire.noted()`
    expect(beyondExpanding([`${orders} ADD COLUMN note text`, trigger("note")])).toEqual([])
    expect(beyondExpanding([`${orders} ADD COLUMN note text`, trigger("etag")])).toEqual([trigger("etag")])
  })

  it("MUST accept anything on a table that the migration makes, and one other table a migration", () => {
    const table = "CREATE TABLE designwire.notes (shop text PRIMARY KEY)"
    const unique = "CREATE UNIQUE INDEX notes_shop ON designwire.notes (shop)"
    expect(beyondExpanding([table, unique])).toEqual([])
    expect(beyondExpanding([unique])).toEqual([unique])
    const [one, other] = [`${orders} ADD COLUMN note text`, "ALTER TABLE designwire.designs ADD COLUMN note text"]
    expect(beyondExpanding([one, table, other])).toEqual([other])
  })
})
