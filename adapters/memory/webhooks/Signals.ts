import { Effect, Queue } from "effect"
import { DeliverySignal, type Signal } from "../../../core/ports/DeliverySignal.ts"
import type { State } from "../State.ts"

/** Signals the workers of all hosts on a store. */
export const wakeWorkers = (state: State, signal: Signal): void => {
  for (const queue of state.workers) Queue.offerUnsafe(queue, signal)
}

/** Signals in memory: all hosts of a state are in one process. */
export const makeSignals = (state: State): DeliverySignal["Service"] =>
  DeliverySignal.of({
    wake: Effect.sync(() => wakeWorkers(state, null)),
    subscribe: Effect.acquireRelease(
      Effect.tap(Queue.unbounded<Signal>(), (queue) => Effect.sync(() => state.workers.add(queue))),
      (queue) => Effect.sync(() => state.workers.delete(queue)),
    ),
  })
