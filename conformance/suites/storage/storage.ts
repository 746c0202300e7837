import { Context, Effect, type Layer, RcRef, type Scope } from "effect"
import type { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import type { Calls } from "../runner/Calls.ts"
import type { Case } from "../runner/Case.ts"
import { picked, portName } from "../runner/picked.ts"
import { makeSuite, type Selection, type Suite } from "../runner/Suite.ts"
import { storageCases } from "./cases.ts"
import {
  type Capability,
  Cut,
  OtherHost,
  OtherStore,
  OuterTransaction,
  type StoragePort,
  storagePorts,
  Work,
} from "./StorageCase.ts"
import { openHost, openHosts } from "./support/Hosts.ts"

/** The ports with these tags. */
type PortsOf<P extends ReadonlyArray<StoragePort>> = Context.Service.Identifier<P[number]>

/** Services that a host's layer offers alongside its ports, for the capabilities that it does not lack. */
type Offered<Ports, Lacking> =
  | ("faults" extends Lacking ? never : Cut)
  | ("transaction" extends Lacking ? never : ShopStore extends Ports ? OuterTransaction : never)

/** Capabilities that an adapter lacks, and why: the reason is shown with each skipped case. */
export type Lacks = Partial<Readonly<Record<Capability, string>>>

/** Access to an adapter for the cases. The type of {@link open} depends on {@link ports} and {@link lacks}. */
export interface StorageHarness<
  P extends ReadonlyArray<StoragePort> = typeof storagePorts,
  L extends Lacks = Record<never, never>,
> extends Selection {
  /** Name of the suite. Default: `storage`. */
  readonly name?: string
  /** Ports that the adapter implements. Default: all. Cases that call other ports are not part of the suite. */
  readonly ports?: P
  /** Capabilities that it lacks. */
  readonly lacks?: L
  /**
   * Makes an empty, ready store for the lifetime of the scope, and returns the layer of a host on it. The layer is
   * built twice, for two hosts that share only the store.
   */
  readonly open: Effect.Effect<Layer.Layer<PortsOf<P> | Offered<PortsOf<P>, keyof L>, unknown>, unknown, Scope.Scope>
}

/**
 * The cases that a storage adapter must pass.
 *
 * @example
 * register(storage({ ports: [RateLimits], open: Effect.sync(() => layerShared(makeStore())) }), { describe, it })
 */
export const storage = <
  const P extends ReadonlyArray<StoragePort> = typeof storagePorts,
  const L extends Lacks = Record<never, never>,
>(
  harness: StorageHarness<P, L>,
): Suite => {
  const { lacks = {}, name = "storage", open } = harness
  const offered = new Set((harness.ports ?? storagePorts).map(portName))
  return makeSuite({
    name,
    cases: storageCases.filter(({ ports }) => ports.every((port) => offered.has(port))),
    selection: harness,
    lacks,
    open: Effect.gen(function* () {
      const [first, second] = yield* openHosts(open)
      // Opened by the first case that needs it.
      const another = yield* RcRef.make({ acquire: openHost(open), idleTimeToLive: Infinity })
      return ({ ports }: Pick<Case, "ports">, calls: Calls) => {
        const given = (host: Context.Context<never>, where: string) =>
          Context.merge(picked<StoragePorts>(host, ports, calls, where), Context.pick(Work)(host))
        return given(first, "").pipe(
          Context.merge(Context.pick(OuterTransaction, Cut)(first)),
          Context.add(OtherHost, given(second, " on the other host")),
          Context.add(
            OtherStore,
            Effect.map(RcRef.get(another), (host) => given(host, " of another store")),
          ),
        )
      }
    }),
  })
}
