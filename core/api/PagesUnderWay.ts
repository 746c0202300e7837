import { Context, Effect, Fiber, Semaphore } from "effect"
import type { Answer } from "./Answer.ts"
import { AnswerBytes } from "./AnswerBytes.ts"
import { errorAnswer } from "./ErrorAnswers.ts"

/** How many pages of orders and of the feed may be read and prepared at once. */
interface PageLimits {
  /** Pages of all shops. */
  readonly ofAll: number
  /** Pages of one shop. */
  readonly ofShop: number
  /** Pages of one shop that may wait alongside those. Further ones are refused. */
  readonly waiting: number
}

/** A page may have 8 MiB (D46), and several times as much while it is prepared. A token may ask for 120 at once. */
const pageLimits: PageLimits = { ofAll: 4, ofShop: 2, waiting: 240 }

/** How long a page waits for room alongside answers that are not read yet. */
const patience = "5 seconds"

const refusal = errorAnswer(503, "The shop has too many pages under way: try again after a second", {
  "retry-after": "1",
})

/** The refusal of an answer that has no room alongside those that the shop's clients have not read yet. */
export const noRoom = errorAnswer(
  503,
  "The shop's answers under way have too many bytes: read them to the end, and try again after a second",
  { "retry-after": "1" },
)

/**
 * Makes the gate that pages pass before they are read. One shop never has more than its share of them under way, so
 * that small reads and the pages of other shops continue. A page counts among the bytes of answers until it is
 * prepared.
 *
 * If its client leaves, a page is interrupted. It keeps its place until the store has stopped reading it. A page that
 * only waits leaves at once.
 */
export const makePagesUnderWay = (bytes: AnswerBytes, { ofAll, ofShop, waiting }: PageLimits = pageLimits) => {
  const all = Semaphore.makeUnsafe(ofAll)
  const shops = new Map<string, { readonly gate: Semaphore.Semaphore; pages: number }>()

  /** Counts a page of a shop; `undefined` if it has too many. */
  const enter = (shop: string) => {
    const entry = shops.get(shop) ?? { gate: Semaphore.makeUnsafe(ofShop), pages: 0 }
    if (entry.pages >= ofShop + waiting) return undefined
    entry.pages += 1
    shops.set(shop, entry)
    return entry
  }

  const leave = (shop: string, entry: { pages: number }) => {
    entry.pages -= 1
    if (entry.pages === 0) shops.delete(shop)
  }

  /** Waits for room for a page, and calls `taken` in the turn in which it takes it. */
  const takeRoom = (shop: string, taken: (release: () => void) => void) =>
    Effect.gen(function* () {
      while (!bytes.fits(shop, bytes.page)) yield* bytes.freed
      taken(bytes.hold(shop, bytes.page))
    }).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(noRoom) }))

  return <R>(shop: string, page: Effect.Effect<Answer, Answer, R>): Effect.Effect<Answer, Answer, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const entry = enter(shop)
        if (entry === undefined) return Effect.fail(refusal)
        const left = Effect.sync(() => leave(shop, entry))
        let release = (): void => undefined
        const room = takeRoom(shop, (taken) => {
          release = taken
        })
        const ofShopFreed = Effect.andThen(
          Effect.sync(() => release()),
          entry.gate.release(1),
        )
        // The shop's places and room first: what waits for them takes no place of other shops.
        const places = restore(entry.gate.take(1)).pipe(
          Effect.andThen(Effect.onError(Effect.andThen(restore(room), restore(all.take(1))), () => ofShopFreed)),
          Effect.onError(() => left),
        )
        const freed = Effect.all([all.release(1), ofShopFreed, left], { discard: true })
        return places.pipe(
          Effect.andThen(Effect.forkDetach(Effect.ensuring(restore(page), freed))),
          Effect.flatMap((reading) =>
            Effect.onInterrupt(restore(Fiber.join(reading)), () => Effect.sync(() => reading.interruptUnsafe())),
          ),
        )
      }),
    )
}

/** The answers of a process that are under way, for all its hosts and handlers. */
export interface AnswersUnderWay {
  readonly bytes: AnswerBytes
  readonly pages: ReturnType<typeof makePagesUnderWay>
}

const mebibyte = 1024 * 1024

/**
 * The one count of a process: 64 MiB. A page of 8 MiB (D46) takes twice as much while it is prepared: its text,
 * and the bytes of that. There is room for two of a shop, and for four of different shops.
 */
export const ProcessAnswers = Context.Reference<AnswersUnderWay>("designwire/api/ProcessAnswers", {
  defaultValue: () => {
    const bytes = new AnswerBytes({ maximum: 64 * mebibyte, page: 16 * mebibyte })
    return { bytes, pages: makePagesUnderWay(bytes) }
  },
})
