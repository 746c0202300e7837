import { Context, Effect, Queue } from "effect"
import { DeliverySignal, type Signal } from "../../core/ports/DeliverySignal.ts"
import type { Stores } from "./Stores.ts"

/** Signals of all databases: a worker receives them all. The buckets of a database share one channel. */
export const make = (stores: Stores): DeliverySignal["Service"] => {
  const signals = stores.databases.map(({ services }) => Context.get(services, DeliverySignal))
  return DeliverySignal.of({
    wake: Effect.forEach(signals, ({ wake }) => wake, { discard: true }),
    subscribe: Effect.gen(function* () {
      const together = yield* Queue.unbounded<Signal>()
      for (const { subscribe } of signals) {
        const source = yield* subscribe
        yield* Queue.take(source).pipe(
          Effect.flatMap((signal) => Queue.offer(together, signal)),
          Effect.forever,
          Effect.forkScoped,
        )
      }
      return together
    }),
  })
}
