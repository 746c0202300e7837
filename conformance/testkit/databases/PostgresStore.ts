import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layer } from "../../../adapters/postgres/index.ts"
import { Cut, OuterTransaction } from "../../index.ts"
import { cuttableWire } from "./CuttableWire.ts"
import type { StatementLog } from "./StatementLog.ts"

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

/** Opens a store on a migrated database for the shared cases: the layer of a host. */
export const openPostgres = Effect.fnUntraced(function* (databaseUrl: string, log?: StatementLog) {
  const wire = yield* cuttableWire(databaseUrl, log)
  const store = layer({ url: Redacted.make(wire.url) })
  return Layer.mergeAll(Layer.provideMerge(outerTransaction, store), Layer.succeed(Cut, wire.cut))
})
