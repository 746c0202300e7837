import { Context, type Effect, type Queue, type Scope } from "effect"

/**
 * Tells workers that something may be waiting: a delivery was added, an endpoint turned on, or a shop's plan has webhooks again. Stores give it when their change
 * is committed, to workers of this process and, where they can, of others, soon after it. It may be lost, also where a process ends between the commit and the signal,
 * or given in vain: workers look for themselves when the next delivery is due, and over a database that others use every second.
 */
export class DeliverySignal extends Context.Service<
  DeliverySignal,
  {
    /** Wakes the workers of this process and, where it can, of others: for whoever commits deliveries in a transaction of their own. */
    readonly wake: Effect.Effect<void>
    /** Signals from now on; several that nobody took are one. */
    readonly subscribe: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
  }
>()("designwire/DeliverySignal") {}
