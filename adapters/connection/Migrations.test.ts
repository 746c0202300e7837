/** Migrations over embedders' pools, in any schema: by `migrate`, as a script, and one by one. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import pg from "pg"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { expanding, laterVersions } from "../../conformance/testkit/databases/LaterVersions.ts"
import { pools } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { migrate, migrationScripts, migrations, pending, pendingSql, requireCurrent } from "../sql/index.ts"
import { KnownMigrations } from "../sql/schema/KnownMigrations.ts"
import { layerStores } from "./index.ts"

const names = Object.keys(migrations)

for (const { library, open } of pools) {
  for (const schema of ["designwire", "user"]) {
    describe(`A pool of ${library.name}, schema ${schema}`, () => {
      /** Runs an effect on the stores of a new database that a team's own tool can use too. */
      const onDatabase = <A, E>(
        test: (
          tool: (text: string) => Effect.Effect<ReadonlyArray<object>>,
        ) => Effect.Effect<A, E, Effect.Services<typeof migrate> | ShopStore>,
      ) =>
        Effect.gen(function* () {
          const url = yield* freshDatabase
          const client = yield* Effect.acquireRelease(
            Effect.promise(async () => {
              const client = new pg.Client(url)
              await client.connect()
              return client
            }),
            (client) => Effect.promise(() => client.end()),
          )
          const tool = (text: string) =>
            Effect.map(
              Effect.promise(() => client.query(text)),
              ({ rows }) => rows as ReadonlyArray<object>,
            )
          const pool = yield* open(url)
          return yield* Effect.provide(test(tool), layerStores(pool, { schema }), { local: true })
        }).pipe(Effect.scoped)

      /** Every column and index of the tables. */
      const tables = `SELECT table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable AS line
FROM information_schema.columns WHERE table_schema = '${schema}'
UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = '${schema}' ORDER BY line`

      it.live("MUST refuse a database that is not migrated, name the command, and migrate", () =>
        onDatabase(() =>
          Effect.gen(function* () {
            const shops = yield* ShopStore
            expect((yield* Effect.flip(shops.list({ search: null, after: null, limit: 10 }))).message).toBe(
              'The database is not migrated: run "designwire migrate". ' +
                `Reading the shops: relation "${schema}.shops" does not exist (SQLSTATE 42P01)`,
            )
            expect((yield* Effect.flip(requireCurrent)).message).toBe(
              `The database's schema is not current: it lacks ${names.join(", ")}. Run "designwire migrate"`,
            )
            expect(yield* migrate).toEqual(names)
            expect(yield* migrate).toEqual([])
            yield* requireCurrent
            expect(yield* Effect.provideService(migrate, KnownMigrations, laterVersions.next)).toEqual(expanding)
            yield* requireCurrent
            expect(yield* pendingSql).toBe("")
            expect(yield* shops.list({ search: null, after: null, limit: 10 })).toEqual([])
          }),
        ),
      )

      it.live("MUST create the same tables from the printed script, and from the scripts one by one", () =>
        Effect.gen(function* () {
          const migrated = yield* onDatabase((tool) => Effect.andThen(migrate, tool(tables)))
          expect(migrated.length).toBeGreaterThan(100)
          const printed = yield* onDatabase((tool) =>
            Effect.gen(function* () {
              yield* tool(yield* pendingSql)
              expect(yield* pending).toEqual([])
              return yield* tool(tables)
            }),
          )
          expect(printed).toEqual(migrated)
          const oneByOne = yield* onDatabase((tool) =>
            Effect.gen(function* () {
              for (const [index, { id, name, sql }] of migrationScripts(schema).entries()) {
                expect(`${id}_${name}`).toBe(names[index])
                expect(yield* pending).toEqual(names.slice(index))
                yield* tool(`BEGIN; ${sql} COMMIT`)
              }
              yield* requireCurrent
              expect(yield* migrate).toEqual([])
              return yield* tool(tables)
            }),
          )
          expect(oneByOne).toEqual(migrated)
        }),
      )

      it.live("MUST run the rest if a tool has run some, and make scripts that were run fail in the tool", () =>
        onDatabase((tool) =>
          Effect.gen(function* () {
            const [first] = migrationScripts(schema)
            yield* tool(first?.sql ?? "")
            expect((yield* Effect.exit(tool(first?.sql ?? "")))._tag).toBe("Failure")
            expect(yield* pendingSql).not.toContain("CREATE SCHEMA")
            expect(yield* migrate).toEqual(names.slice(1))
            yield* requireCurrent
          }),
        ),
      )
    })
  }
}
