/** A worker as a separate process with only its store, light enough to start many. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Redacted, Result } from "effect"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { parseNetworks } from "../../../core/rules/webhooks/PublicHost.ts"
import type { WorkerOptions } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import * as Worker from "../../../hosts/worker/index.ts"

/** Input of the process, as JSON in its first argument. */
export interface ChildOptions {
  readonly url: string
  /** Part of the `User-Agent`, so that a receiver knows the sender. */
  readonly name: string
  /** base64 */
  readonly encryptionKey: string
  readonly worker: WorkerOptions
  readonly noticeUrl?: string
}

const options = JSON.parse(process.argv[2] ?? "") as ChildOptions

/** Prints `standby` when connected; starts work at SIGUSR2. */
const work = Effect.gen(function* () {
  yield* Effect.callback<void>((resume) => {
    process.once("SIGUSR2", () => resume(Effect.void))
    console.log("standby")
  })
  yield* Layer.build(
    Worker.layer({
      keyRing: { keys: [Redacted.make(new Uint8Array(Buffer.from(options.encryptionKey, "base64")))] },
      serviceName: options.name,
      webhookPolicy: { allowNetworks: Result.getOrThrow(parseNetworks("127.0.0.0/8")), allowHttp: true },
      worker: options.worker,
      ...(options.noticeUrl === undefined ? {} : { noticeUrl: Redacted.make(options.noticeUrl) }),
    }),
  )
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(Postgres.layer({ url: Redacted.make(options.url), maxConnections: 4 })))

// Its parent may be killed before it can stop this process.
const parent = process.ppid
setInterval(() => process.ppid === parent || process.exit(1), 1000).unref()

// SIGTERM stops it gracefully.
NodeRuntime.runMain(work, {
  teardown: (exit, onExit) => onExit(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? 0 : 1),
})
