import { Clock, Effect, Option, Queue, Stream } from "effect"
import type { Watchers } from "./Watchers.ts"

/**
 * How long a stream says nothing at most: less than the time after which servers and proxies give up a connection on
 * which nothing moves.
 */
const silence = 5_000

/** How long a stream lasts, in milliseconds. The page then asks for another. */
const lifetime = 5 * 60_000

/** After how many silences a stream looks whether its reader may still see the store. */
const silencesPerLook = 3

/** The wait before a page asks for another stream, in milliseconds. */
const retry = 2_000

const message = "data: changed\n\n"
const nothing = ": nothing\n\n"

/**
 * Server-sent events that say that something of a store may have changed, but not what: first at once, then after each
 * change. They end when their reader may no longer see the store, when the process stops, and after some minutes.
 */
export const changesOf = (
  watchers: Watchers,
  shop: string,
  isStillAllowed: Effect.Effect<boolean>,
): Stream.Stream<Uint8Array> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const queue = yield* watchers.watch(shop)
      if (queue === undefined) return Stream.empty
      const until = (yield* Clock.currentTimeMillis) + lifetime
      const next = Effect.fnUntraced(function* (silences: number) {
        if ((yield* Clock.currentTimeMillis) >= until) return undefined
        const changed = yield* Effect.timeoutOption(Queue.take(queue), silence)
        const isChange = Option.isSome(changed)
        if ((isChange || silences >= silencesPerLook) && !(yield* isStillAllowed)) return undefined
        return [isChange ? message : nothing, isChange || silences >= silencesPerLook ? 0 : silences + 1] as const
      })
      return Stream.concat(Stream.succeed(`retry: ${retry}\n\n`), Stream.unfold(0, next))
    }),
  ).pipe(Stream.interruptWhen(watchers.stopped), Stream.encodeText)
