/**
 * All storage ports over Effect's `SqlClient`, for Postgres and what speaks its SQL.
 *
 * Give it any `SqlClient` of the dialect; `designwire/postgres` and `designwire/pglite` do so for a server and for the
 * embedded database. Calls join an outer `sql.withTransaction`.
 */
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { layerRateLimits } from "./access/RateLimits.ts"
import { layerSettingsSessions } from "./access/SettingsSessions.ts"
import { TokenChanges } from "./access/TokenChanges.ts"
import { layerTokens } from "./access/Tokens.ts"
import { layerAudit } from "./audit/Audit.ts"
import { layerCustomizers } from "./catalog/Customizers.ts"
import { layerEventStore } from "./events/EventStore.ts"
import { layerInbox } from "./ingest/Inbox.ts"
import { layerOrders } from "./orders/Orders.ts"
import { clientIn, SchemaName } from "./schema/Schema.ts"
import { layerKeptAnswers } from "./shops/KeptAnswers.ts"
import { layerShops } from "./shops/Shops.ts"
import { PageReads } from "./statements/PageReads.ts"
import { joinable } from "./statements/Transaction.ts"
import { layerUpkeep } from "./upkeep/Upkeep.ts"
import { layerDeliveryLog } from "./webhooks/DeliveryLog.ts"
import { layerDeliveryQueue } from "./webhooks/DeliveryQueue.ts"
import { layerEndpoints } from "./webhooks/Endpoints.ts"
import { layerNotices } from "./webhooks/Notices.ts"
import * as Signalling from "./webhooks/Signals.ts"

export { TokenChanges, tokensChannel } from "./access/TokenChanges.ts"
export { migrations } from "./schema/KnownMigrations.ts"
export { allSql, type MigrationScript, migrationScripts, pendingSql } from "./schema/MigrationScripts.ts"
export {
  type Comparison,
  migrate,
  NewerSchema,
  pending,
  requireCurrent,
  SchemaNotCurrent,
  untilNewer,
} from "./schema/Migrations.ts"
export { inSchema, parseSchemaName, SchemaName } from "./schema/Schema.ts"
export { PageConnections } from "./statements/PageReads.ts"
export { SharedConnections } from "./statements/Transaction.ts"
export { deliveriesChannel, NotifyInTransactions, Signals } from "./webhooks/Signals.ts"

const storeClient = Layer.effect(
  SqlClient.SqlClient,
  Effect.gen(function* () {
    return clientIn(joinable(yield* SqlClient.SqlClient), yield* SchemaName)
  }),
)

const stores = Layer.mergeAll(
  layerShops,
  layerCustomizers,
  layerOrders,
  layerTokens,
  layerRateLimits,
  layerEndpoints,
  layerDeliveryQueue,
  layerDeliveryLog,
  layerUpkeep,
  layerNotices,
  layerEventStore,
  layerKeptAnswers,
  layerSettingsSessions,
  layerAudit,
  layerInbox,
).pipe(Layer.provide(PageReads.layer))

/** Every storage port over the current `SqlClient`, whose database {@link migrate} has brought up to date. */
export const layer: Layer.Layer<StoragePorts | Signalling.Signals, never, SqlClient.SqlClient | TokenChanges> =
  stores.pipe(Layer.provideMerge(Signalling.layerSignals), Layer.provide(storeClient))

/** {@link layer} for a database that only this process changes. */
export const layerSingleProcess: Layer.Layer<StoragePorts, never, SqlClient.SqlClient> = stores.pipe(
  Layer.provideMerge(Signalling.layerSingleProcess),
  Layer.provide(storeClient),
  Layer.provide(TokenChanges.layer),
)
