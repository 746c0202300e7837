/** The stores that pages watch, so that they hear of changes. */
import { Clock, Deferred, Effect, Fiber, Queue, type Scope } from "effect"
import { ShopViews } from "../../../core/ports/ShopViews.ts"

/** The most pages that watch a store at once, and the most of all stores, in this process. */
const mostWatching = { ofStore: 50, ofAll: 1_000 }

/** How often a store is looked at while a page watches it. */
const interval = "1 second"

/** A store that is watched, once for all of its listeners. */
interface Watched {
  readonly listeners: Set<Queue.Queue<void>>
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

/** The watched stores of a process. */
export interface Watchers {
  /** Whether one more may watch a store. */
  readonly hasRoom: (shop: string) => boolean
  /**
   * Watches a store until the scope closes: the queue gets a message at once, and after each change. Several changes
   * that were not taken are one message. `undefined` if too many watch already.
   */
  readonly watch: (shop: string) => Effect.Effect<Queue.Dequeue<void> | undefined, never, Scope.Scope>
  /** The number of stores that are looked at. */
  readonly watched: () => number
  /** Completes when all watching should end. */
  readonly stopped: Effect.Effect<void>
  /** Ends all watching, for a process that is about to stop. */
  readonly stop: Effect.Effect<void>
}

/** Makes the watchers of a process, which end with the scope. */
export const makeWatchers: Effect.Effect<Watchers, never, ShopViews | Scope.Scope> = Effect.gen(function* () {
  const views = yield* ShopViews
  const scope = yield* Effect.scope
  const stopped = yield* Deferred.make<void>()
  const stores = new Map<string, Watched>()
  let all = 0

  /**
   * Looks at a store again and again, and sends a message after the first look: what changed before it is then read.
   * While the store can't be read, nothing is known to have changed.
   */
  const look = (shop: string, listeners: Watched["listeners"]) =>
    Effect.suspend(() => {
      let before: string | undefined
      return Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => views.mark(shop, now)),
        Effect.tap((mark) =>
          Effect.sync(() => {
            if (mark === before) return
            before = mark
            for (const listener of listeners) Queue.offerUnsafe(listener, undefined)
          }),
        ),
        Effect.ignore,
        Effect.andThen(Effect.sleep(interval)),
        Effect.forever,
      )
    })

  const watchedAt = Effect.fnUntraced(function* (shop: string) {
    const known = stores.get(shop)
    if (known !== undefined) return known
    const listeners: Watched["listeners"] = new Set()
    const made: Watched = { listeners, fiber: yield* Effect.forkIn(look(shop, listeners), scope) }
    stores.set(shop, made)
    return made
  })

  const hasRoom: Watchers["hasRoom"] = (shop) =>
    all < mostWatching.ofAll && (stores.get(shop)?.listeners.size ?? 0) < mostWatching.ofStore

  const enter = Effect.fnUntraced(function* (shop: string) {
    if (!hasRoom(shop)) return undefined
    const queue = yield* Queue.sliding<void>(1)
    const isFirst = !stores.has(shop)
    const { listeners } = yield* watchedAt(shop)
    listeners.add(queue)
    all++
    if (!isFirst) Queue.offerUnsafe(queue, undefined)
    return queue
  })

  const leave = (shop: string, queue: Queue.Queue<void> | undefined) =>
    Effect.suspend(() => {
      const known = stores.get(shop)
      if (queue === undefined || known?.listeners.delete(queue) !== true) return Effect.void
      all--
      if (known.listeners.size > 0) return Effect.void
      stores.delete(shop)
      return Fiber.interrupt(known.fiber)
    })

  const stop = Effect.asVoid(Deferred.succeed(stopped, undefined))
  yield* Effect.addFinalizer(() => stop)
  return {
    hasRoom,
    watch: (shop) => Effect.acquireRelease(enter(shop), (queue) => leave(shop, queue)),
    watched: () => stores.size,
    stopped: Deferred.await(stopped),
    stop,
  }
})
