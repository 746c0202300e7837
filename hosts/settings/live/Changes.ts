import { Clock, Effect, Option, Stream } from "effect"
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
 * change. They end when their reader may no longer see the store, at `end` at the latest, when the process stops, and
 * after some minutes.
 */
export const changesOf = (
  watchers: Watchers,
  shop: string,
  isStillAllowed: Effect.Effect<boolean>,
  end = Number.POSITIVE_INFINITY,
): Stream.Stream<Uint8Array> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const news = yield* watchers.watch(shop)
      if (news === undefined) return Stream.empty
      const until = Math.min(end, (yield* Clock.currentTimeMillis) + lifetime)
      const next = Effect.fnUntraced(function* (silences: number) {
        const left = until - (yield* Clock.currentTimeMillis)
        if (left <= 0) return undefined
        const changed = yield* Effect.timeoutOption(news, Math.min(silence, left))
        const looks = Option.isSome(changed) || silences >= silencesPerLook
        if ((yield* Clock.currentTimeMillis) >= until || (looks && !(yield* isStillAllowed))) return undefined
        return [Option.getOrElse(changed, () => false) ? message : nothing, looks ? 0 : silences + 1] as const
      })
      return Stream.concat(Stream.succeed(`retry: ${retry}\n\n`), Stream.unfold(0, next))
    }),
  ).pipe(Stream.interruptWhen(watchers.stopped), Stream.encodeText)
