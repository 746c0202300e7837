import { Context, type Effect, type Queue, type Scope } from "effect"

/** The shops that may have something to claim; null if the store can't name them: a worker then walks over all. */
export type Signal = ReadonlyArray<string> | null

/**
 * Signals workers that deliveries may be pending: a delivery was added, an endpoint enabled, or a shop's plan
 * regained webhooks. Stores signal after the commit of their change, to workers of this process and, if they can, soon
 * afterwards to others. A signal may be lost, for example if a process ends between commit and signal, or be spurious.
 * Therefore workers also walk over all shops, again and again (`DeliveryQueue.walk`).
 */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /**
     * Wakes the workers of this process and, if possible, of others. For callers that commit deliveries in their own
     * transaction.
     */
    readonly wake: Effect.Effect<void>
    /** Signals from now on. A store may merge several that were not taken. */
    readonly subscribe: Effect.Effect<Queue.Dequeue<Signal>, never, Scope.Scope>
  }
>()("designwire/DeliverySignal") {}
