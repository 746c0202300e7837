import { Context, Effect, Queue } from "effect"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { Stores } from "./Stores.ts"

/** Signals of several stores: a worker receives them all. */
export const make = (stores: Stores): DeliverySignal["Service"] => {
  const signals = stores.all.map(({ ports }) => Context.get(ports, DeliverySignal))
  return DeliverySignal.of({
    wake: Effect.forEach(signals, ({ wake }) => wake, { discard: true }),

    subscribe: Effect.gen(function* () {
      const sources = yield* Effect.forEach(signals, ({ subscribe }) => subscribe)
      const together = yield* Queue.sliding<void>(1)
      // Simultaneous signals of several stores become one, including a signal that a loser of the race took.
      yield* Effect.raceAll(sources.map((source) => Queue.take(source))).pipe(
        Effect.andThen(Effect.forEach(sources, (source) => Queue.poll(source), { discard: true })),
        Effect.andThen(Queue.offer(together, undefined)),
        Effect.forever,
        Effect.forkScoped,
      )
      return together
    }),
  })
}
