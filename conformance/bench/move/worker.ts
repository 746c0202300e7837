/** Designwire's worker over buckets, with defaults. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Redacted } from "effect"
import * as Worker from "../../../hosts/worker/index.ts"
import { receiverPolicy } from "../deliver/Stage.ts"
import { whenTold } from "../deliver/Task.ts"
import { setting } from "../support/Child.ts"
import { bucketStores } from "./Stores.ts"

const worker = Worker.layer({
  keyRing: { keys: [Redacted.make(Buffer.from(setting("KEY"), "base64"))] },
  serviceName: "Bench",
  webhookPolicy: receiverPolicy,
})

Effect.gen(function* () {
  yield* Effect.callback<void>((resume) => whenTold(() => resume(Effect.void)))
  yield* Layer.build(worker)
  yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(bucketStores(setting("DATABASES"))), NodeRuntime.runMain)
