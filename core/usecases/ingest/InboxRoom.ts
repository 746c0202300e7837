/** The bound of the events that a shop's platform may send: nobody's platform fills the store of all (D57). */
import { Clock, Data, Effect } from "effect"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { Inbox, type InboxSize } from "../../ports/Inbox.ts"
import { BoundedMap } from "../../support/BoundedMap.ts"
import { countRefused } from "./EventCounts.ts"

/** The most events of a shop that are kept. A shop with 50,000 orders a month has about half a million in 30 days. */
const mostEvents = 5_000_000

/** The most bytes of bodies that are kept of a shop's events: those that were not applied. */
const mostBytes = 2 * 1024 ** 3

/** A shop's events take all the room that there is for them. */
export class InboxFull extends Data.TaggedError("InboxFull")<{ readonly message: string }> {}

/** A shop's events as a process knows them: their size when it was measured, and the events stored since. */
interface Known {
  readonly measuredAt: number
  size: InboxSize
  toldAt: number
}

/** Milliseconds for which a measurement counts, and for which it does if there is less room than half. */
const [seldom, often] = [600_000, 60_000]

/** By store. A shop that is forgotten is measured again. */
const stores = new WeakMap<Inbox["Service"], BoundedMap<string, Known>>()

const knownOf = (inbox: Inbox["Service"]): BoundedMap<string, Known> => {
  const known = stores.get(inbox) ?? new BoundedMap<string, Known>(10_000)
  stores.set(inbox, known)
  return known
}

const add = (known: Known, events: number, bytes: number): void => {
  known.size = { events: Math.max(0, known.size.events + events), bytes: Math.max(0, known.size.bytes + bytes) }
}

/**
 * A shop's size, measured now and then: a count for each event would cost more than the event. Other processes' events
 * are counted with the next measurement.
 */
const measured = Effect.fnUntraced(function* (shop: string) {
  const inbox = yield* Inbox
  const shops = knownOf(inbox)
  const before = shops.get(shop)
  const now = yield* Clock.currentTimeMillis
  const isNear = before !== undefined && (before.size.events > mostEvents / 2 || before.size.bytes > mostBytes / 2)
  if (before !== undefined && now < before.measuredAt + (isNear ? often : seldom)) return before
  const known: Known = {
    measuredAt: now,
    size: yield* inbox.size(shop),
    toldAt: before?.toldAt ?? Number.NEGATIVE_INFINITY,
  }
  shops.set(shop, known)
  return known
})

/**
 * Stores an event if the shop has room for it. `store` returns what has become of it: whether it was stored, and
 * whether its body is kept. Fails with {@link InboxFull} otherwise, and logs a warning once a minute.
 */
export const withRoom = <A, E, R>(
  { body, shop, source }: { readonly shop: string; readonly source: IngestSource; readonly body: string },
  store: Effect.Effect<{ readonly result: A; readonly isStored: boolean; readonly isKept: boolean }, E, R>,
) =>
  Effect.gen(function* () {
    const known = yield* measured(shop)
    // Units of UTF-16: an estimate, until the next measurement.
    const bytes = body.length
    if (known.size.events >= mostEvents || known.size.bytes + bytes > mostBytes) return yield* full(shop, source, known)
    // Counted while it is under way, so that events that come at the same time don't exceed the bound.
    add(known, 1, bytes)
    return yield* store.pipe(
      Effect.tap(({ isKept, isStored }) => Effect.sync(() => add(known, isStored ? 0 : -1, isKept ? 0 : -bytes))),
      Effect.onError(() => Effect.sync(() => add(known, -1, -bytes))),
      Effect.map(({ result }) => result),
    )
  })

const full = Effect.fnUntraced(function* (shop: string, source: IngestSource, known: Known) {
  yield* countRefused(source)
  const { bytes, events } = known.size
  const message =
    `The shop's inbox is full: it has ${events} events of platforms and ${bytes} bytes of those that were not applied, ` +
    `of at most ${mostEvents} and ${mostBytes}`
  const now = yield* Clock.currentTimeMillis
  if (now >= known.toldAt + often) {
    known.toldAt = now
    yield* Effect.logWarning(`Events of the platform of the shop ${shop} are refused. ${message}`).pipe(
      logged("inbox.full", { shop }),
    )
  }
  return yield* new InboxFull({ message })
})
