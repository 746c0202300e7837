import { Deferred, Effect } from "effect"
import type { Listen } from "../sql/webhooks/Listening.ts"
import { acquire } from "./Acquire.ts"
import type { OwnPool } from "./Query.ts"

/** Listens over a connection of the embedder's pool. */
export const listenOver =
  (listen: NonNullable<OwnPool["listen"]>): Listen =>
  (channels, handle) =>
    Effect.gen(function* () {
      const fork = Effect.runForkWith(yield* Effect.context())
      const lost = yield* Deferred.make<never, unknown>()
      const stopped = (stop: () => void | Promise<void>) => Effect.ignore(Effect.tryPromise(async () => stop()))
      yield* Effect.acquireRelease(
        acquire(
          () =>
            listen(channels, {
              heard: (channel, payload) => void fork(handle(channel, payload)),
              lost: (reason) => Deferred.doneUnsafe(lost, Effect.fail(reason)),
            }),
          (stop) => void fork(stopped(stop)),
        ),
        stopped,
        { interruptible: true },
      )
      return Deferred.await(lost)
    })
