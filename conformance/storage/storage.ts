import { Context, Effect, type Layer, RcRef, type Scope } from "effect"
import type { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import type { Calls } from "../suite/Calls.ts"
import type { Case } from "../suite/Case.ts"
import { picked, portName } from "../suite/picked.ts"
import { makeSuite, type Selection, type Suite } from "../suite/Suite.ts"
import { storageCases } from "./cases.ts"
import { openHost, openHosts } from "./Hosts.ts"
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

/** The ports that some tags are of. */
type PortsOf<P extends ReadonlyArray<StoragePort>> = Context.Service.Identifier<P[number]>

/** What a host's layer offers beside its ports, for capabilities that its ports are about and that it does not lack. */
type Offered<Ports, Lacking> =
  | ("faults" extends Lacking ? never : Cut)
  | ("transaction" extends Lacking ? never : ShopStore extends Ports ? OuterTransaction : never)

/** What an adapter can't do, and why: the reason is shown beside each case that is left out. */
export type Lacks = Partial<Readonly<Record<Capability, string>>>

/** How the cases get at an adapter. The type of {@link open} follows {@link ports} and {@link lacks}. */
export interface StorageHarness<
  P extends ReadonlyArray<StoragePort> = typeof storagePorts,
  L extends Lacks = Record<never, never>,
> extends Selection {
  /** What the suite is called: `storage`, if nothing is said. */
  readonly name?: string
  /** The ports that the adapter implements: all, if nothing is said. Cases that call others are not part of the suite. */
  readonly ports?: P
  /** What it can't do. */
  readonly lacks?: L
  /**
   * Makes an empty store, ready for use, which lasts as long as the scope, and answers the layer of a host on it.
   * That layer is built twice, for two hosts that have nothing in common but the store.
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
      // Opened when the first case asks for it.
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
