import { Effect, Layer, Schedule, type Scope } from "effect"
import { inSchema, SchemaName } from "../schema/Schema.ts"
import { reasonOf } from "../statements/Reason.ts"
import { TokenChanges, tokensChannel } from "../tokens/TokenChanges.ts"
import { deliveriesChannel, Signals } from "./Signals.ts"

/**
 * Listens to channels until the scope closes, and handles every message. Succeeds once it listens, with an effect that
 * fails when the connection is lost.
 */
export type Listen = (
  channels: ReadonlyArray<string>,
  handle: (channel: string, payload: string) => Effect.Effect<void>,
) => Effect.Effect<Effect.Effect<never, unknown>, unknown, Scope.Scope>

/**
 * Listens for tokens that other hosts revoke and for deliveries that they or embedders add; if the connection is lost,
 * listens again. Without the channels, workers look for deliveries every second, and a token is trusted for as long as
 * D18 allows.
 */
export const layerListening = (listen: Listen): Layer.Layer<never, never, Signals | TokenChanges> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const changes = yield* TokenChanges
      const { wakeHere } = yield* Signals
      const named = inSchema(yield* SchemaName)
      const tokens = named(tokensChannel)
      const deliveries = named(deliveriesChannel)
      const listening = Effect.gen(function* () {
        const lost = yield* listen([tokens, deliveries], (channel, payload) =>
          channel === tokens ? changes.heard(payload) : wakeHere,
        )
        // Messages may have been sent while nobody listened.
        yield* wakeHere
        yield* changes.listening
        return yield* lost
      })
      yield* Effect.scoped(listening).pipe(
        Effect.tapError((reason) =>
          Effect.logWarning(`Lost the channels ${tokens} and ${deliveries}; listening again: ${reasonOf(reason)}`),
        ),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.forkScoped,
      )
    }),
  )
