import { Context, Effect, type Scope } from "effect"
import { CustomizerStore } from "../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../core/ports/EndpointStore.ts"
import { EventStore } from "../../core/ports/EventStore.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { RateLimits } from "../../core/ports/RateLimits.ts"
import { SealedSecrets } from "../../core/ports/SealedSecrets.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import type { Case } from "../suite/Case.ts"
import { portName } from "../suite/picked.ts"

/** Every port behind which data is kept. */
export const storagePorts = [
  ShopStore,
  CustomizerStore,
  OrderStore,
  TokenStore,
  RateLimits,
  EndpointStore,
  SealedSecrets,
  DeliveryQueue,
  DeliveryLog,
  DeliverySignal,
  Upkeep,
  NoticeStore,
  EventStore,
] as const

/** One of them. */
export type StoragePort = (typeof storagePorts)[number]

/**
 * What not every adapter can do.
 *
 * - `notify`: hosts hear of one another's revocations, and of deliveries that others add.
 * - `transaction`: changes can become part of an outer transaction; a host offers {@link OuterTransaction}.
 * - `faults`: the store can be cut from its hosts, to see how calls fail; a host offers {@link Cut}.
 */
export type Capability = "notify" | "transaction" | "faults"

/** A second host on the same store, which shares nothing else with the first. */
export class OtherHost extends Context.Service<OtherHost, Context.Context<StoragePorts>>()(
  "designwire/conformance/OtherHost",
) {}

/** Runs an effect on the second host. A port is an effect too: `onOtherHost(ShopStore)` is the second host's. */
export const onOtherHost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(OtherHost, (context) => Effect.provideContext(effect, context))

/** Opens a second store and builds a host on it, which lasts as long as the scope. */
export class OtherStore extends Context.Service<
  OtherStore,
  Effect.Effect<Context.Context<StoragePorts>, unknown, Scope.Scope>
>()("designwire/conformance/OtherStore") {}

/**
 * Runs an effect in an outer transaction of its host's store, as an embedder would: rolled back when the effect fails,
 * with the effect's own failure. Offered by the host's layer, beside the ports.
 */
export class OuterTransaction extends Context.Service<
  OuterTransaction,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R> }
>()("designwire/conformance/OuterTransaction") {}

/**
 * Cuts the store from all its hosts until the scope closes, as a network that is down would: what is under way fails, and so does what is begun. Offered by
 * the host's layer, beside the ports.
 */
export class Cut extends Context.Service<Cut, Effect.Effect<void, unknown, Scope.Scope>>()(
  "designwire/conformance/Cut",
) {}

/**
 * Tells how much work the store does, in whatever grows with it: blocks that are touched, rows that are looked at. A host's layer may offer it beside the ports;
 * without it the cases about what must not grow measure time, which is less sure.
 */
export class Work extends Context.Service<
  Work,
  {
    /** What is counted, in the plural: `blocks`. */
    readonly unit: string
    /** Runs a call of this host and answers how much it took. */
    readonly of: (call: Effect.Effect<unknown, unknown>) => Effect.Effect<number, unknown>
  }
>()("designwire/conformance/Work") {}

/** What a case finds. */
export type StorageSubjects = StoragePorts | OtherHost | OtherStore

/**
 * One requirement that every storage adapter must meet.
 *
 * It makes shops of its own and looks at nothing else, so that cases run on one store, in any order and, but those alone, at once.
 * Those alone look at what all shops share: the queue of deliveries, which they find empty and leave so, and up to where feeds can be read.
 */
export interface StorageCase extends Omit<Case<StorageSubjects>, "needs" | "without"> {
  readonly needs?: ReadonlyArray<Capability>
  readonly without?: Capability
}

/** A case among others that call the same ports. */
export type ListedCase = Omit<StorageCase, "ports"> & {
  readonly ports?: ReadonlyArray<StoragePort>
  /** Runs so many times one after the other: what happens at once does so only where all connections are open already, and not each time. */
  readonly rounds?: number
}

/** Cases that call these ports, or the ports that they name themselves, and no others. */
export const calling =
  (...ports: ReadonlyArray<StoragePort>) =>
  (cases: ReadonlyArray<ListedCase>): ReadonlyArray<StorageCase> =>
    cases.map(({ rounds = 1, ...each }) => ({
      ...each,
      ports: (each.ports ?? ports).map(portName),
      run: rounds === 1 ? each.run : Effect.repeat(Effect.scoped(each.run), { times: rounds - 1 }),
    }))
