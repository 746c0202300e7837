/** A worker with defaults. It tells the parent of its first claim and, when asked, its usage. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Logger, Redacted } from "effect"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { stores } from "../../../hosts/cli/Stores.ts"
import * as Worker from "../../../hosts/worker/index.ts"
import { receiverPolicy } from "../deliver/Stage.ts"
import { listen, tell } from "../support/Child.ts"
import { config } from "./Environment.ts"
import { usage } from "./Memory.ts"

let hasClaimed = false

/** The queue, which notes the first claim. */
const noted = Layer.effect(
  DeliveryQueue,
  DeliveryQueue.use((queue) =>
    Effect.succeed({
      ...queue,
      claim: (request) =>
        Effect.tap(queue.claim(request), (claims) =>
          Effect.sync(() => {
            if (hasClaimed || claims.length === 0) return
            hasClaimed = true
            tell("claimed")
          }),
        ),
    } satisfies DeliveryQueue["Service"]),
  ),
)

Effect.gen(function* () {
  listen(() => tell(usage()))
  const ports = stores(yield* config)
  const worker = Worker.layer({
    keyRing: { keys: [Redacted.make(new Uint8Array(32))] },
    webhookPolicy: receiverPolicy,
  })
  yield* Layer.build(worker.pipe(Layer.provide(noted), Layer.provide(ports)))
  yield* Effect.never
}).pipe(
  Effect.scoped,
  // Nothing answers at the endpoints.
  Effect.provide(Logger.layer([])),
  NodeRuntime.runMain,
)
