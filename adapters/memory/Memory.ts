/** All storage ports in one process: for tests, examples and trying things out. Nothing survives the process. */
import { Context, Layer } from "effect"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { ResourceStore } from "../../core/ports/ResourceStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import * as Limits from "./RateLimits.ts"
import * as Resources from "./Resources.ts"
import * as Shops from "./Shops.ts"
import { makeState, type State } from "./State.ts"
import * as Tokens from "./Tokens.ts"

export { makeState, type State } from "./State.ts"

/** One host's view of a store. Layers of the same state are hosts that share it. */
export const layerShared = (state: State): Layer.Layer<ShopStore | ResourceStore | TokenStore | RateLimits> =>
  Layer.syncContext(() =>
    Context.make(ShopStore, Shops.make(state)).pipe(
      Context.add(ResourceStore, Resources.make(state)),
      Context.add(TokenStore, Tokens.make(state)),
      Context.add(RateLimits, Limits.make(state)),
    ),
  )

/** A fresh store of its own. */
export const layer: Layer.Layer<ShopStore | ResourceStore | TokenStore | RateLimits> = Layer.suspend(() =>
  layerShared(makeState()),
)
