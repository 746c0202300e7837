import { Context, Effect, type Scope } from "effect"
import { AuditStore } from "../../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { EventStore } from "../../../core/ports/EventStore.ts"
import { Inbox } from "../../../core/ports/Inbox.ts"
import { KeptAnswers } from "../../../core/ports/KeptAnswers.ts"
import { NoticeStore } from "../../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { SettingsSessions } from "../../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import type { Case } from "../runner/Case.ts"
import { portName } from "../runner/picked.ts"

/** Every storage port. */
export const storagePorts = [
  ShopStore,
  CustomizerStore,
  OrderStore,
  TokenStore,
  RateLimits,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
  DeliverySignal,
  Upkeep,
  NoticeStore,
  EventStore,
  KeptAnswers,
  SettingsSessions,
  AuditStore,
  Inbox,
] as const

/** One of them. */
export type StoragePort = (typeof storagePorts)[number]

/**
 * Optional capabilities of an adapter.
 *
 * - `notify`: hosts are notified of one another's revocations, and of deliveries that others add.
 * - `transaction`: changes can become part of an outer transaction; a host offers {@link OuterTransaction}.
 * - `faults`: the store can be cut from its hosts, to see how calls fail; a host offers {@link Cut}.
 */
export type Capability = "notify" | "transaction" | "faults"

/** A second host that shares only the store with the first. */
export class OtherHost extends Context.Service<OtherHost, Context.Context<StoragePorts>>()(
  "designwire/conformance/OtherHost",
) {}

/** Runs an effect on the second host. A port is an effect too: `onOtherHost(ShopStore)` is the second host's. */
export const onOtherHost = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(OtherHost, (context) => Effect.provideContext(effect, context))

/** Opens a second store and builds a host on it for the lifetime of the scope. */
export class OtherStore extends Context.Service<
  OtherStore,
  Effect.Effect<Context.Context<StoragePorts>, unknown, Scope.Scope>
>()("designwire/conformance/OtherStore") {}

/**
 * Runs an effect in an outer transaction of its host's store, as an embedder would. If the effect fails, the
 * transaction is rolled back and fails with the same error. The host's layer provides this alongside the ports.
 */
export class OuterTransaction extends Context.Service<
  OuterTransaction,
  { readonly run: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, unknown, R> }
>()("designwire/conformance/OuterTransaction") {}

/**
 * Cuts the store from all its hosts until the scope closes, like a network failure: running and new calls fail. The
 * host's layer provides this alongside the ports.
 */
export class Cut extends Context.Service<Cut, Effect.Effect<void, unknown, Scope.Scope>>()(
  "designwire/conformance/Cut",
) {}

/**
 * Measures the work of the store in any unit that grows with it, such as blocks touched or rows read. A host's layer
 * may provide this alongside the ports; without it the scale cases measure time, which is less reliable.
 */
export class Work extends Context.Service<
  Work,
  {
    /** The counted unit in the plural: `blocks`. */
    readonly unit: string
    /** Runs a call of this host and returns its work. */
    readonly of: (call: Effect.Effect<unknown, unknown>) => Effect.Effect<number, unknown>
  }
>()("designwire/conformance/Work") {}

/** The services that a case can use. */
export type StorageSubjects = StoragePorts | OtherHost | OtherStore

/**
 * One requirement that every storage adapter must meet.
 *
 * It creates its own shops and looks at nothing else, so that cases can share one store, in any order and concurrently.
 * Only cases marked `alone` look at what all shops share: the queue of deliveries, which they find and leave empty, and
 * the end of feeds.
 */
export interface StorageCase extends Omit<Case<StorageSubjects>, "needs" | "without"> {
  readonly needs?: ReadonlyArray<Capability>
  readonly without?: Capability
}

/** A case of a group that calls the same ports. */
export type ListedCase = Omit<StorageCase, "ports"> & {
  readonly ports?: ReadonlyArray<StoragePort>
  /** Number of consecutive runs: concurrency needs open connections, and does not happen every time. */
  readonly rounds?: number
}

/** Cases that call only these ports, or the ports that they name themselves. */
export const calling =
  (...ports: ReadonlyArray<StoragePort>) =>
  (cases: ReadonlyArray<ListedCase>): ReadonlyArray<StorageCase> =>
    cases.map(({ rounds = 1, ...each }) => ({
      ...each,
      ports: (each.ports ?? ports).map(portName),
      run: rounds === 1 ? each.run : Effect.repeat(Effect.scoped(each.run), { times: rounds - 1 }),
    }))
