/** The stores that pages watch, so that they hear of changes. */
import { Clock, Deferred, Effect, Fiber, Queue, type Scope } from "effect"
import type { SettingsSessions } from "../../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import { endings } from "../Session.ts"

/** The most pages that watch a store at once, and the most of all stores, in this process. */
const mostWatching = { ofStore: 50, ofAll: 1_000 }

/** How often a store is looked at while a page watches it. */
const interval = "1 second"

/** A page that watches: it is woken after a change of its store, and when sessions have ended. */
interface Listener {
  readonly wake: Queue.Queue<void>
  hasChanged: boolean
}

/** A store that is watched, once for all of its listeners. */
interface Watched {
  readonly listeners: Set<Listener>
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

/** The watched stores of a process. */
export interface Watchers {
  /** Whether one more may watch a store. */
  readonly hasRoom: (shop: string) => boolean
  /**
   * Watches a store until the scope closes. The effect that it returns waits until there is something new, and says
   * whether the store may have changed: first at once, then after each change. Otherwise, sessions have ended.
   * `undefined` if too many watch already.
   */
  readonly watch: (shop: string) => Effect.Effect<Effect.Effect<boolean> | undefined, never, Scope.Scope>
  /** The number of stores that are looked at. */
  readonly watched: () => number
  /** Completes when all watching should end. */
  readonly stopped: Effect.Effect<void>
  /** Ends all watching, for a process that is about to stop. */
  readonly stop: Effect.Effect<void>
}

const wake = (listeners: Iterable<Listener>) => {
  for (const listener of listeners) Queue.offerUnsafe(listener.wake, undefined)
}

/** Waits until a listener is woken, and says whether its store may have changed. */
const next = (listener: Listener) =>
  Effect.map(Queue.take(listener.wake), () => {
    const { hasChanged } = listener
    listener.hasChanged = false
    return hasChanged
  })

/** Looks again and again whether sessions have ended, in whichever process, and wakes all who watch. */
const lookAtSessions = (wakeAll: Effect.Effect<void>) =>
  Effect.suspend(() => {
    let before: number | undefined
    return endings.pipe(
      Effect.tap((now) => {
        const isNew = before !== undefined && now !== before
        before = now
        return isNew ? wakeAll : Effect.void
      }),
      Effect.ignore,
      Effect.andThen(Effect.sleep(interval)),
      Effect.forever,
    )
  })

/** Makes the watchers of a process, which end with the scope. */
export const makeWatchers = Effect.gen(function* () {
  const shops = yield* ShopStore
  const scope = yield* Effect.scope
  const stopped = yield* Deferred.make<void>()
  const sessions = yield* Effect.context<SettingsSessions>()
  const stores = new Map<string, Watched>()
  let all = 0
  let watchingSessions: Fiber.Fiber<unknown, unknown> | undefined

  const wakeAll = Effect.sync(() => {
    for (const { listeners } of stores.values()) wake(listeners)
  })

  /**
   * Looks at a store again and again, and sends a message after the first look: what changed before it is then read.
   * While the store can't be read, nothing is known to have changed.
   */
  const look = (shop: string, listeners: Watched["listeners"]) =>
    Effect.suspend(() => {
      let before: string | undefined
      return Clock.currentTimeMillis.pipe(
        Effect.flatMap((now) => shops.mark(shop, now)),
        Effect.tap((mark) =>
          Effect.sync(() => {
            if (mark === before) return
            before = mark
            for (const listener of listeners) listener.hasChanged = true
            wake(listeners)
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
    const isFirst = !stores.has(shop)
    const listener: Listener = { wake: yield* Queue.sliding<void>(1), hasChanged: !isFirst }
    const { listeners } = yield* watchedAt(shop)
    listeners.add(listener)
    if (++all === 1) {
      watchingSessions = yield* Effect.forkIn(Effect.provideContext(lookAtSessions(wakeAll), sessions), scope)
    }
    if (!isFirst) wake([listener])
    return listener
  })

  const leave = (shop: string, listener: Listener | undefined) =>
    Effect.gen(function* () {
      const known = stores.get(shop)
      if (listener === undefined || known?.listeners.delete(listener) !== true) return
      if (--all === 0 && watchingSessions !== undefined) yield* Fiber.interrupt(watchingSessions)
      if (known.listeners.size > 0) return
      stores.delete(shop)
      yield* Fiber.interrupt(known.fiber)
    })

  const stop = Effect.asVoid(Deferred.succeed(stopped, undefined))
  yield* Effect.addFinalizer(() => stop)
  const watchers: Watchers = {
    hasRoom,
    watch: (shop) =>
      Effect.map(
        Effect.acquireRelease(enter(shop), (listener) => leave(shop, listener)),
        (listener) => listener && next(listener),
      ),
    watched: () => stores.size,
    stopped: Deferred.await(stopped),
    stop,
  }
  return watchers
})
