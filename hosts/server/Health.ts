import { Effect, Ref } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorResponse } from "../../core/api/ErrorAnswers.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { requireClose } from "../../core/support/StoreClock.ts"

/** Fails, with the reason, while a host can't serve. */
export type Ready = Effect.Effect<void, { readonly message: string }>

const ok = HttpServerResponse.text("ok")
const notReady = errorResponse(503, "Not ready")

/**
 * `/livez` and `/readyz`: the state of the process and of its store. The reason why the host is not ready goes only to
 * the log, each time it changes.
 */
export const layerHealth = (ready: Ready) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const reason = yield* Ref.make<string | undefined>(undefined)
      const becomes = Effect.fnUntraced(function* (now: string | undefined) {
        if ((yield* Ref.getAndSet(reason, now)) === now) return
        yield* now === undefined
          ? Effect.log("Ready again").pipe(logged("store.ready_again"))
          : Effect.logWarning(`Not ready: ${now}`).pipe(logged("store.not_ready"))
      })
      // Once for all who ask: it takes a connection for itself.
      const probe = yield* Effect.cachedWithTTL((yield* Upkeep).probe, "1 second")
      const answer = Effect.all([ready, probe, requireClose], { discard: true }).pipe(
        Effect.timeoutOrElse({
          duration: "3 seconds",
          orElse: () => Effect.fail({ message: "The store does not answer" }),
        }),
        Effect.matchEffect({
          onFailure: ({ message }) => Effect.as(becomes(message), notReady),
          onSuccess: () => Effect.as(becomes(undefined), ok),
        }),
      )
      yield* router.add("GET", "/livez", Effect.succeed(ok))
      yield* router.add("GET", "/readyz", answer)
    }),
  )
