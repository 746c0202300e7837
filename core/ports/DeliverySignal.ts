import { Context, type Effect, type Queue, type Scope } from "effect"

/**
 * Signals workers that deliveries may be pending: a delivery was added, an endpoint turned on, or a shop's plan
 * regained webhooks. Stores signal after the commit of their change, to workers of this process and, if they can, soon
 * afterwards to others. A signal may be lost, for example if a process ends between commit and signal, or be spurious.
 * Therefore workers also poll when the next delivery is due, and every second on a database that other processes use.
 */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /**
     * Wakes the workers of this process and, if possible, of others. For callers that commit deliveries in their own
     * transaction.
     */
    readonly wake: Effect.Effect<void>
    /** Signals from now on; several that were not taken are merged into one. */
    readonly subscribe: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  }
>()("designwire/DeliverySignal") {}
