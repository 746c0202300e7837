/**
 * All storage ports over Effect's `SqlClient`, for Postgres and what speaks its SQL.
 *
 * Give it any `SqlClient` of the dialect; `designwire/postgres` and `designwire/pglite` do so for a server and for the embedded database.
 * Calls join an outer `sql.withTransaction`.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Customizers from "./Customizers.ts"
import * as DeliveryLog from "./DeliveryLog.ts"
import * as DeliveryQueue from "./DeliveryQueue.ts"
import * as Endpoints from "./Endpoints.ts"
import * as EventStore from "./EventStore.ts"
import * as Notices from "./Notices.ts"
import * as Orders from "./Orders.ts"
import * as RateLimits from "./RateLimits.ts"
import { clientIn, SchemaName } from "./Schema.ts"
import * as SealedSecrets from "./SealedSecrets.ts"
import * as Shops from "./Shops.ts"
import * as Signalling from "./Signals.ts"
import { TokenChanges } from "./TokenChanges.ts"
import * as Tokens from "./Tokens.ts"
import { joinable } from "./Transaction.ts"
import * as Upkeep from "./Upkeep.ts"

export {
  allSql,
  type MigrationScript,
  migrate,
  migrationScripts,
  migrations,
  NewerSchema,
  pending,
  pendingSql,
  requireCurrent,
  SchemaNotCurrent,
} from "./Migrations.ts"
export { partitioningSql } from "./Partitioning.ts"
export { inSchema, parseSchemaName, SchemaName } from "./Schema.ts"
export { deliveriesChannel, NotifyInTransactions, Signals } from "./Signals.ts"
export { TokenChanges, tokensChannel } from "./TokenChanges.ts"
export { SharedConnections } from "./Transaction.ts"

const storeClient = Layer.effect(
  SqlClient.SqlClient,
  Effect.gen(function* () {
    return clientIn(joinable(yield* SqlClient.SqlClient), yield* SchemaName)
  }),
)

const stores = Layer.mergeAll(
  Shops.layer,
  Customizers.layer,
  Orders.layer,
  Tokens.layer,
  RateLimits.layer,
  Endpoints.layer,
  SealedSecrets.layer,
  DeliveryQueue.layer,
  DeliveryLog.layer,
  Upkeep.layer,
  Notices.layer,
  EventStore.layer,
)

/** Every storage port over the `SqlClient` at hand, whose database {@link migrate} has brought up to date. */
export const layer: Layer.Layer<StoragePorts | Signalling.Signals, never, SqlClient.SqlClient | TokenChanges> =
  stores.pipe(Layer.provideMerge(Signalling.layer), Layer.provide(storeClient))

/** {@link layer}, where nothing but this process changes the database. */
export const layerSingleProcess: Layer.Layer<StoragePorts, never, SqlClient.SqlClient> = stores.pipe(
  Layer.provideMerge(Signalling.layerSingleProcess),
  Layer.provide(storeClient),
  Layer.provide(TokenChanges.layer),
)
