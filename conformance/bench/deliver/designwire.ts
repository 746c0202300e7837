/** Designwire's worker over Postgres, with defaults. The variables `OTEL_*` turn on traces, as for the command. */
import process from "node:process"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer, Redacted } from "effect"
import { layerEnvironment } from "../../../adapters/opentelemetry/Environment.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { defaultWorker } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import * as Worker from "../../../hosts/worker/index.ts"
import { setting } from "../support/Child.ts"
import { receiverPolicy } from "./Stage.ts"
import { whenTold } from "./Task.ts"

const worker = Worker.layer({
  keyRing: { keys: [Redacted.make(Buffer.from(setting("KEY"), "base64"))] },
  serviceName: "Bench",
  webhookPolicy: receiverPolicy,
  worker: defaultWorker,
})

Effect.gen(function* () {
  yield* Effect.callback<void>((resume) => whenTold(() => resume(Effect.void)))
  yield* Layer.build(worker)
  yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.provide(Postgres.layer({ url: Redacted.make(setting("DATABASE_URL")) })),
  Effect.provide(layerEnvironment(process.env)),
  NodeRuntime.runMain,
)
