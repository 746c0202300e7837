/** Tables that are partitioned by a hash of the shop. */
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { OuterTransaction } from "../../conformance/storage/StorageCase.ts"
import { storageSuite } from "../../conformance/storage/suite.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { partitioningSql } from "../sql/index.ts"
import { layer, layerClient, migrate, type PostgresOptions } from "./index.ts"

/** A database whose tables are partitioned. */
const partitioned = (options: PostgresOptions) =>
  Effect.gen(function* () {
    yield* migrate
    yield* (yield* SqlClient.SqlClient).unsafe(partitioningSql(16, options.schema))
  }).pipe(Effect.provide(layerClient({ ...options, maxConnections: 1 }), { local: true }))

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

storageSuite("postgres in 16 partitions", {
  open: Effect.gen(function* () {
    const options: PostgresOptions = { url: Redacted.make(yield* freshDatabase), schema: "parts" }
    yield* partitioned(options)
    return Layer.provideMerge(outerTransaction, layer(options))
  }),
})
