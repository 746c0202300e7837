/**
 * All storage ports over Effect's `SqlClient`, for Postgres and what speaks its SQL.
 *
 * Give it any `SqlClient` of the dialect; `designwire/postgres` and `designwire/pglite` do so for a server and for the embedded database.
 * Calls join an outer `sql.withTransaction`.
 */
import { Layer } from "effect"
import * as RateLimits from "./RateLimits.ts"
import * as Resources from "./Resources.ts"
import { Revocations } from "./Revocations.ts"
import * as Shops from "./Shops.ts"
import * as Tokens from "./Tokens.ts"

export { migrate, migrations, pending } from "./Migrations.ts"
export { Revocations, revokedChannel } from "./Revocations.ts"

/** Every storage port over the `SqlClient` at hand, whose database {@link migrate} has brought up to date. */
export const layer = Layer.mergeAll(Shops.layer, Resources.layer, Tokens.layer, RateLimits.layer)

/** {@link layer}, where nothing but this process revokes tokens. */
export const layerSingleProcess = Layer.provide(layer, Revocations.layer)
