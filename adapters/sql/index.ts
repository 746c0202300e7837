/**
 * All storage ports over Effect's `SqlClient`, for Postgres and what speaks its SQL.
 *
 * Give it any `SqlClient` of the dialect; `designwire/postgres` and `designwire/pglite` do so for a server and for the embedded database.
 * Calls join an outer `sql.withTransaction`.
 */
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { DeliveryLog as DeliveryLogPort } from "../../core/ports/DeliveryLog.ts"
import type { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { DeliveryStore } from "../../core/ports/DeliveryStore.ts"
import type { EndpointStore } from "../../core/ports/EndpointStore.ts"
import type { RateLimits as RateLimitsPort } from "../../core/ports/RateLimits.ts"
import type { ResourceStore } from "../../core/ports/ResourceStore.ts"
import type { ShopStore } from "../../core/ports/ShopStore.ts"
import type { TokenStore } from "../../core/ports/TokenStore.ts"
import * as Deliveries from "./Deliveries.ts"
import * as DeliveryLog from "./DeliveryLog.ts"
import * as Endpoints from "./Endpoints.ts"
import * as RateLimits from "./RateLimits.ts"
import * as Resources from "./Resources.ts"
import * as Shops from "./Shops.ts"
import * as Signals from "./Signals.ts"
import { TokenChanges } from "./TokenChanges.ts"
import * as Tokens from "./Tokens.ts"

export { migrate, migrations, pending, pendingSql } from "./Migrations.ts"
export { deliveriesChannel } from "./Signals.ts"
export { TokenChanges, tokensChannel } from "./TokenChanges.ts"

/** Every storage port. */
export type Stores =
  | ShopStore
  | ResourceStore
  | TokenStore
  | RateLimitsPort
  | EndpointStore
  | DeliveryStore
  | DeliveryLogPort
  | DeliverySignal

/** Every storage port over the `SqlClient` at hand, whose database {@link migrate} has brought up to date. */
export const layer: Layer.Layer<Stores, never, SqlClient.SqlClient | TokenChanges> = Layer.mergeAll(
  Shops.layer,
  Resources.layer,
  Tokens.layer,
  RateLimits.layer,
  Endpoints.layer,
  Deliveries.layer,
  DeliveryLog.layer,
).pipe(Layer.provideMerge(Signals.layer))

/** {@link layer}, where nothing but this process changes the database. */
export const layerSingleProcess = Layer.provide(layer, TokenChanges.layer)
