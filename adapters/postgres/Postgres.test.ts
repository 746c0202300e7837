import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { OuterTransaction } from "../../conformance/storage/StorageCase.ts"
import { storageSuite } from "../../conformance/storage/suite.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { layer, layerClient, migrate } from "./index.ts"

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

storageSuite("postgres", {
  open: Effect.gen(function* () {
    const url = Redacted.make(yield* freshDatabase)
    yield* Effect.provide(migrate, layerClient({ url, maxConnections: 1 }), { local: true })
    return Layer.provideMerge(outerTransaction, layer({ url }))
  }),
})
