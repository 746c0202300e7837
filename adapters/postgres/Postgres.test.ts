import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe, it } from "vitest"
import { OuterTransaction, register, storage } from "../../conformance/index.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { layer, layerClient, migrate } from "./index.ts"

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

register(
  storage({
    open: Effect.gen(function* () {
      const url = Redacted.make(yield* freshDatabase)
      yield* Effect.provide(migrate, layerClient({ url, maxConnections: 1 }), { local: true })
      return Layer.provideMerge(outerTransaction, layer({ url }))
    }),
  }),
  { describe, it },
)
