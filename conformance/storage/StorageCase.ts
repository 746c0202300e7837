import { Context, Effect, Layer, type Scope } from "effect"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"

/**
 * What not every adapter can do.
 *
 * - `notify`: hosts hear of one another's revocations, and of deliveries that others add.
 * - `transaction`: changes can become part of an outer transaction; a host offers {@link OuterTransaction}.
 */
export type Capability = "notify" | "transaction"

/** A second host on the same store, which shares nothing else with the first. */
export class OtherHost extends Context.Service<OtherHost, Context.Context<StoragePorts>>()(
  "designwire/conformance/OtherHost",
) {}

/** Runs an effect on the second host. A port is an effect too: `onOtherHost(ShopStore)` is the second host's. */
export const onOtherHost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(OtherHost, (context) => Effect.provideContext(effect, context))

/**
 * Runs an effect in an outer transaction of its host's store, as an embedder would: rolled back when the effect fails,
 * with the effect's own failure. Offered by the host's layer, beside the ports.
 */
export class OuterTransaction extends Context.Service<
  OuterTransaction,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R> }
>()("designwire/conformance/OuterTransaction") {}

/** One requirement that every storage adapter must meet, as a program that fails if it doesn't. */
export interface StorageCase {
  /** Stable: tests of adapters and reports refer to it. */
  readonly id: string
  /** "MUST …" */
  readonly title: string
  /** Where it comes from: sections of the specification and decisions. */
  readonly spec: string
  readonly needs?: ReadonlyArray<Capability>
  /**
   * Looks at what all shops share, the queue of deliveries: needs a store on which no other case runs at the same time.
   * Such cases find the queue empty and leave it so.
   */
  readonly alone?: boolean
  /**
   * Makes shops of its own and looks at nothing else, so that cases run on one store, in any order and, but those {@link alone}, at once.
   * Needs the live clock.
   */
  readonly run: Effect.Effect<void, unknown, StoragePorts | OtherHost | Scope.Scope>
}

/** How the cases get at an adapter. */
export interface StorageHarness {
  /**
   * Makes an empty store, ready for use, which lasts as long as the scope, and answers the layer of a host on it.
   * That layer is built twice, for two hosts that have nothing in common but the store.
   */
  readonly open: Effect.Effect<Layer.Layer<StoragePorts, unknown>, unknown, Scope.Scope>
  /** What the adapter can't do, and why: the reason is shown beside each case that is left out. */
  readonly lacks?: Partial<Readonly<Record<Capability, string>>>
}

/** Opens a store and builds two hosts on it: what every case needs but its scope. */
export const hosts = (harness: StorageHarness): Layer.Layer<StoragePorts | OtherHost, unknown> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const host = yield* harness.open
      const scope = yield* Effect.scope
      const build = Effect.flatMap(Layer.makeMemoMap, (memo) => Layer.buildWithMemoMap(host, memo, scope))
      const first = yield* build
      const second = yield* build
      return Context.add(first, OtherHost, second)
    }),
  )
