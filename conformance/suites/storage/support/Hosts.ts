import { Context, Effect, Layer, type Scope } from "effect"
import type { StoragePorts } from "../../../../core/ports/StoragePorts.ts"
import { OtherHost } from "../StorageCase.ts"

/** Makes an empty store for the lifetime of the scope, and returns the layer of a host on it. */
export type OpenStore<R> = Effect.Effect<Layer.Layer<R, unknown>, unknown, Scope.Scope>

/** Opens a store and builds two hosts on it, which share nothing else. */
export const openHosts = Effect.fnUntraced(function* <R>(open: OpenStore<R>) {
  const layer = yield* open
  return [yield* build(layer), yield* build(layer)] as const
})

/** Opens a store and builds a host on it. */
export const openHost = <R>(open: OpenStore<R>) => Effect.flatMap(open, (layer) => build(layer))

const build = Effect.fnUntraced(function* <R>(layer: Layer.Layer<R, unknown>) {
  return yield* Layer.buildWithMemoMap(layer, yield* Layer.makeMemoMap, yield* Effect.scope)
})

/** Two hosts on one store, for tests that are not cases. */
export const twoHosts = (open: OpenStore<StoragePorts>): Layer.Layer<StoragePorts | OtherHost, unknown> =>
  Layer.effectContext(Effect.map(openHosts(open), ([first, second]) => Context.add(first, OtherHost, second)))
