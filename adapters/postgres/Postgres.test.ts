import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { describe, it } from "vitest"
import { Cut, OuterTransaction, register, storage } from "../../conformance/index.ts"
import { cuttableWire } from "../../conformance/worlds/CuttableWire.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { layer, layerClient, migrate } from "./index.ts"

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

register(
  storage({
    open: Effect.gen(function* () {
      const wire = yield* cuttableWire(yield* freshDatabase)
      const url = Redacted.make(wire.url)
      yield* Effect.provide(migrate, layerClient({ url, maxConnections: 1 }), { local: true })
      return Layer.mergeAll(Layer.provideMerge(outerTransaction, layer({ url })), Layer.succeed(Cut, wire.cut))
    }),
  }),
  { describe, it },
)
