import { Effect, Queue } from "effect"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import type { State } from "./State.ts"

/** Signals the workers of all hosts on a store. */
export const wakeWorkers = (state: State): void => {
  for (const queue of state.workers) Queue.offerUnsafe(queue, undefined)
}

/** Signals in memory: all hosts of a state are in one process. */
export const make = (state: State): DeliverySignal["Service"] =>
  DeliverySignal.of({
    wake: Effect.sync(() => wakeWorkers(state)),
    subscribe: Effect.acquireRelease(
      Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => state.workers.add(queue))),
      (queue) => Effect.sync(() => state.workers.delete(queue)),
    ),
  })
