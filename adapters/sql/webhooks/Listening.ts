import { Clock, Effect, Layer, type Scope } from "effect"
import { logged } from "../../../core/model/log/LogEvent.ts"
import { TokenChanges, tokensChannel } from "../access/TokenChanges.ts"
import { inSchema, SchemaName } from "../schema/Schema.ts"
import { reasonOf } from "../statements/Reason.ts"
import { deliveriesChannel, Signals } from "./Signals.ts"

/**
 * Listens to channels until the scope closes, and handles every message. Succeeds once it listens, with an effect that
 * fails when the connection is lost.
 */
export type Listen = (
  channels: ReadonlyArray<string>,
  handle: (channel: string, payload: string) => Effect.Effect<void>,
) => Effect.Effect<Effect.Effect<never, unknown>, unknown, Scope.Scope>

/** Milliseconds before a host listens again: twice as long each time until it does, up to the maximum. */
const leastWait = 1_000
const maximumWait = 30_000

/** Milliseconds between two lines about lost channels. */
const interval = 60_000

/** A loss of the channels, until the host listens again. */
interface Loss {
  readonly since: number
  tries: number
  isTold: boolean
}

/**
 * Listens for tokens that other hosts revoke, and for deliveries that they or embedders add; if the connection is lost,
 * listens again, after longer and longer waits. Without the channels, workers look for deliveries every second, and a
 * token is trusted for as long as D18 allows.
 */
export const layerListening = (listen: Listen): Layer.Layer<never, never, Signals | TokenChanges> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const changes = yield* TokenChanges
      const { heard, signalHere } = yield* Signals
      const named = inSchema(yield* SchemaName)
      const tokens = named(tokensChannel)
      const deliveries = named(deliveriesChannel)
      const channels = `${tokens} and ${deliveries}`
      let loss: Loss | undefined
      let toldAt = Number.NEGATIVE_INFINITY

      const listening = Effect.gen(function* () {
        const lost = yield* listen([tokens, deliveries], (channel, payload) =>
          channel === tokens ? changes.heard(payload) : heard(payload),
        )
        // Messages may have been sent while nobody listened.
        yield* signalHere(null)
        yield* changes.listening
        if (loss?.isTold === true)
          yield* Effect.log(`Listening again to ${channels}, after ${yield* lasting(loss)}`).pipe(
            logged("listen.again"),
          )
        loss = undefined
        return yield* lost
      })

      const afterLoss = Effect.fnUntraced(function* (reason: unknown) {
        const now = yield* Clock.currentTimeMillis
        loss ??= { since: now, tries: 0, isTold: false }
        if (now >= toldAt + interval) {
          const state = loss.tries === 0 ? "listening again" : `not listening after ${yield* lasting(loss)}`
          yield* Effect.logWarning(`Lost the channels ${channels}; ${state}: ${reasonOf(reason)}`).pipe(
            logged("listen.lost"),
          )
          toldAt = now
          loss.isTold = true
        }
        loss.tries++
        yield* Effect.sleep(Math.min(maximumWait, leastWait * 2 ** (loss.tries - 1)))
      })

      yield* Effect.scoped(listening).pipe(Effect.catch(afterLoss), Effect.forever, Effect.forkScoped)
    }),
  )

const lasting = ({ since, tries }: Loss): Effect.Effect<string> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const seconds = Math.round((now - since) / 1000)
    return `${tries === 1 ? "one try" : `${tries} tries`} in ${seconds === 1 ? "a second" : `${seconds} seconds`}`
  })
