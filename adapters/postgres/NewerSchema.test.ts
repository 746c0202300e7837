/**
 * This version on a schema that the next one has expanded, and whose name is a keyword of SQL unless it is quoted: what
 * holds of both holds of each.
 */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe } from "vitest"
import { OuterTransaction, register, storage } from "../../conformance/index.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { laterVersions } from "../../conformance/testkit/databases/LaterVersions.ts"
import { variantCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { requireCurrent } from "../sql/index.ts"
import { KnownMigrations } from "../sql/schema/KnownMigrations.ts"
import { layer, layerClient, migrate, type PostgresOptions } from "./index.ts"

/** A column that this version does not know, in every table. */
const addColumns = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    const tables = yield* sql<{ name: string }>`SELECT relname::text AS name FROM pg_class
WHERE relnamespace = '"order"'::regnamespace AND relkind = 'r'`
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) yield* sql.unsafe(`ALTER TABLE "order".${name} ADD COLUMN added_later text`)
  }),
)

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

register(
  storage({
    name: "storage in the schema order of the next version",
    ...variantCases,
    lacks: { faults: "the suite over Postgres cuts the same connections" },
    open: Effect.gen(function* () {
      const options: PostgresOptions = { url: Redacted.make(yield* freshDatabase), schema: "order" }
      yield* Effect.provideService(migrate, KnownMigrations, laterVersions.next).pipe(
        Effect.andThen(addColumns),
        Effect.andThen(requireCurrent),
        Effect.provide(layerClient({ ...options, maxConnections: 1 }), { local: true }),
      )
      return Layer.provideMerge(outerTransaction, layer(options))
    }),
  }),
  { describe, it },
)
