/** Which tables move with a shop, and which could not. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { openCells } from "../../conformance/testkit/databases/Cells.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { shopTables } from "./Tables.ts"

it.live("tables that logical replication could not copy MUST be refused by name, with what to do", () =>
  Effect.gen(function* () {
    const { source, target } = yield* openCells(yield* migratedDatabase, yield* migratedDatabase)
    const { sql } = source
    const names = (yield* shopTables(sql, "designwire")).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["deliveries", "events", "shops", "tokens"]))
    // All columns identify a row as well.
    yield* sql`ALTER TABLE designwire.events REPLICA IDENTITY FULL`
    expect((yield* shopTables(sql, "designwire")).map(({ name }) => name)).toEqual(names)
    for (const name of [names[0], "events", names.at(-1)]) {
      yield* sql.unsafe(`ALTER TABLE designwire.${name} REPLICA IDENTITY NOTHING`)
      expect(yield* Effect.flip(shopTables(sql, "designwire"))).toMatchObject({
        message: expect.stringContaining(`Run: ALTER TABLE designwire.${name} REPLICA IDENTITY DEFAULT`),
      })
      yield* sql.unsafe(`ALTER TABLE designwire.${name} REPLICA IDENTITY DEFAULT`)
    }
    yield* target.sql`CREATE TABLE designwire.of_others (id int PRIMARY KEY, shop text)`
    expect(yield* Effect.flip(shopTables(target.sql, "designwire"))).toMatchObject({
      message: expect.stringContaining("The primary key of designwire.of_others does not begin with the shop"),
    })
  }).pipe(Effect.scoped),
)
