import { Deferred, Effect, Layer, Schedule } from "effect"
import * as Sql from "../sql/index.ts"
import { reasonOf } from "../sql/Reason.ts"
import { arrival } from "./Arrival.ts"
import type { OwnPool } from "./Query.ts"

/**
 * Hears of tokens that other hosts revoke and of deliveries that are added, also in transactions of the embedder's, and listens again where the connection is
 * lost. Where the pool can't listen, workers look every second, and a token is trusted for as long as D18 allows.
 */
export const layerListening = (pool: OwnPool) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { listen } = pool
      if (listen === undefined) return
      const changes = yield* Sql.TokenChanges
      const { wakeHere } = yield* Sql.Signals
      const named = Sql.inSchema(yield* Sql.SchemaName)
      const tokens = named(Sql.tokensChannel)
      const deliveries = named(Sql.deliveriesChannel)
      const fork = Effect.runForkWith(yield* Effect.context())
      const heard = (channel: string, payload: string) =>
        void fork(channel === tokens ? changes.heard(payload) : wakeHere)
      const listening = Effect.gen(function* () {
        const lost = yield* Deferred.make<never, unknown>()
        const stopped = (stop: () => void | Promise<void>) => Effect.ignore(Effect.tryPromise(async () => stop()))
        yield* Effect.acquireRelease(
          arrival(
            () =>
              listen([tokens, deliveries], {
                heard,
                lost: (reason) => Deferred.doneUnsafe(lost, Effect.fail(reason)),
              }),
            (stop) => void fork(stopped(stop)),
          ),
          stopped,
          { interruptible: true },
        )
        // What was told while nobody listened.
        yield* wakeHere
        yield* changes.listening
        return yield* Deferred.await(lost)
      }).pipe(Effect.scoped)
      yield* listening.pipe(
        Effect.tapError((reason) =>
          Effect.logWarning(`Lost the channels ${tokens} and ${deliveries}; listening again: ${reasonOf(reason)}`),
        ),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.forkScoped,
      )
    }),
  )
