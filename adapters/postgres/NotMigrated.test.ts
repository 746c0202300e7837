import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { layer, migrate } from "./index.ts"

it.live("an error MUST begin with the command to migrate if the database is not migrated", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* freshDatabase)
    yield* Effect.gen(function* () {
      const shops = yield* ShopStore
      const { message } = yield* Effect.flip(shops.list({ search: null, after: null, limit: 10 }))
      expect(message).toBe(
        'The database is not migrated: run "designwire migrate". ' +
          'Reading the shops: relation "designwire.shops" does not exist (SQLSTATE 42P01)',
      )
      yield* migrate
      yield* shops.list({ search: null, after: null, limit: 10 })
      yield* SqlClient.SqlClient.use((sql) => sql`ALTER TABLE designwire.shops DROP COLUMN image_base`)
      expect((yield* Effect.flip(shops.list({ search: null, after: null, limit: 10 }))).message).toMatch(
        /^The database is not migrated: .*SQLSTATE 42703\)$/,
      )
    }).pipe(Effect.provide(layer({ url })))
  }).pipe(Effect.scoped),
)
