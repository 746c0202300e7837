/** All storage ports in one process: for tests, examples and trying things out. Nothing survives the process. */
import { Context, Layer } from "effect"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { DeliveryStore } from "../../core/ports/DeliveryStore.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { ResourceStore } from "../../core/ports/ResourceStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Log from "./DeliveryLog.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Limits from "./RateLimits.ts"
import * as Resources from "./Resources.ts"
import * as Shops from "./Shops.ts"
import * as Signals from "./Signals.ts"
import { makeState, type State } from "./State.ts"
import * as Tokens from "./Tokens.ts"

export { makeState, type State } from "./State.ts"

/** The ports that a memory store offers. */
export type MemoryPorts =
  | ShopStore
  | ResourceStore
  | TokenStore
  | RateLimits
  | EndpointStore
  | DeliveryStore
  | DeliveryLog
  | DeliverySignal

/** One host's view of a store. Layers of the same state are hosts that share it. */
export const layerShared = (state: State): Layer.Layer<MemoryPorts> =>
  Layer.syncContext(() =>
    Context.make(ShopStore, Shops.make(state)).pipe(
      Context.add(ResourceStore, Resources.make(state)),
      Context.add(TokenStore, Tokens.make(state)),
      Context.add(RateLimits, Limits.make(state)),
      Context.add(EndpointStore, Endpoints.make(state)),
      Context.add(DeliveryStore, Deliveries.make(state)),
      Context.add(DeliveryLog, Log.make(state)),
      Context.add(DeliverySignal, Signals.make(state)),
    ),
  )

/** A fresh store of its own. */
export const layer: Layer.Layer<MemoryPorts> = Layer.suspend(() => layerShared(makeState()))
