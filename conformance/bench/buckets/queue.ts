/** Claims as a worker makes them, one after the other, without attempts. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { ClaimLimits } from "../../../core/usecases/dispatch/ClaimLimits.ts"
import { defaultWorker } from "../../../core/usecases/dispatch/Dispatch.ts"
import { ShopTurns } from "../../../core/usecases/dispatch/ShopTurns.ts"
import { stores } from "../../../hosts/cli/Stores.ts"
import { listen, processorTime, tell } from "../support/Child.ts"
import { config } from "./Environment.ts"

/** The shops that each claim names, or shops that wait for so many claims, which name them as a worker does. */
export type ClaimMessage =
  | ReadonlyArray<ReadonlyArray<string>>
  | { readonly waiting: ReadonlyArray<string>; calls: number }

/** The outcome of some claims. */
export interface Claimed {
  readonly deliveries: number
  /** Milliseconds of processor time of this process. */
  readonly processor: number
  /** Milliseconds of each claim. */
  readonly times: ReadonlyArray<number>
}

/** The shops that each claim names. */
const namedBy = (message: ClaimMessage, placeOf: DeliveryQueue["Service"]["placeOf"]) => {
  if (!("waiting" in message)) return message
  const turns = new ShopTurns(placeOf)
  turns.add(message.waiting)
  const limits = { limit: 64, probation: { limit: 0, troubled: 0, perEndpoint: 1 } }
  return Array.from({ length: message.calls }, () => {
    const shops = { newcomer: [], troubled: [], proven: turns.next({ newcomer: 0, troubled: 0, proven: 1 }).proven }
    turns.found({ ...limits, shops }, [])
    return shops.proven
  })
}

const claimAll = Effect.fnUntraced(function* (message: ClaimMessage) {
  const queue = yield* DeliveryQueue
  const named = namedBy(message, queue.placeOf)
  const before = processorTime()
  const times: Array<number> = []
  let deliveries = 0
  for (const [index, shops] of named.entries()) {
    const begin = performance.now()
    const now = Date.now()
    const claims = yield* queue.claim({
      now,
      shops: { newcomer: shops, troubled: shops, proven: shops },
      limit: 64,
      ...new ClaimLimits(defaultWorker).begin(),
      // They can be claimed again at once.
      leaseUntil: now,
      token: `claim${index}`,
    })
    times.push(performance.now() - begin)
    deliveries += claims.length
  }
  tell({ deliveries, processor: processorTime() - before, times } satisfies Claimed)
})

Effect.gen(function* () {
  const run = Effect.runForkWith(yield* Effect.context<DeliveryQueue>())
  listen((message: ClaimMessage) => run(claimAll(message)))
  tell("prepared")
  yield* Effect.never
}).pipe(Effect.provide(config.pipe(Effect.map(stores), Layer.unwrap)), NodeRuntime.runMain)
