import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layer, layerClient, migrate } from "../../../adapters/postgres/index.ts"
import { Cut, OuterTransaction } from "../../index.ts"
import { cuttableWire } from "./CuttableWire.ts"

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

/** Opens a store on a new database for the shared cases: the layer of a host. */
export const openPostgres = Effect.fnUntraced(function* (databaseUrl: string) {
  const wire = yield* cuttableWire(databaseUrl)
  const url = Redacted.make(wire.url)
  yield* Effect.provide(migrate, layerClient({ url, maxConnections: 1 }), { local: true })
  return Layer.mergeAll(Layer.provideMerge(outerTransaction, layer({ url })), Layer.succeed(Cut, wire.cut))
})
