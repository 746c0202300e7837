import { Clock, Effect, Option, Result } from "effect"
import { Conflict, NotFound } from "../../model/Errors.ts"
import {
  byHand,
  type InboxItem,
  type InboxOutcome,
  type InboxSettlement,
  type OrderProgress,
} from "../../model/ingest/InboxItem.ts"
import { view } from "../../model/ingest/InboxView.ts"
import { quoteId } from "../../model/json/Json.ts"
import { parsePayload } from "../../model/json/ParseJson.ts"
import { logged } from "../../model/log/LogEvent.ts"
import type { Shop } from "../../model/shops/Shop.ts"
import { isStorable } from "../../model/Text.ts"
import { AuditStore } from "../../ports/AuditStore.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { StorageError } from "../../ports/StorageError.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { outcome } from "../../rules/ingest/Outcome.ts"
import { readEvent } from "../../rules/ingest/ReadEvent.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { LostRace, raceWaits, tooManyChanges } from "../../support/RetryStale.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { settingsOf } from "./Connections.ts"
import { endOf } from "./EndConnection.ts"
import { countTried } from "./EventCounts.ts"
import { cancelOf, discloseOf, missingOf, namedAs, redactOf, wrongDomain } from "./OrderChanges.ts"
import { placeOf } from "./PlaceReport.ts"
import { keepRaising, type raiseAlarms } from "./RaiseAlarms.ts"

/** How an event is applied. */
interface Occasion {
  /** A person asks for its order to be placed, whatever its state is (D80). */
  readonly isByHand: boolean
}

/** Carries out what an event asks for, as the change of `Inbox.apply`. */
const changeOf = (
  shop: Shop,
  item: InboxItem,
  { isByHand, progress }: Occasion & { readonly progress: OrderProgress },
) =>
  Effect.gen(function* () {
    const reading = readEvent(item, Result.getOrUndefined(parsePayload(item.body)))
    switch (reading._tag) {
      case "Place": {
        const settings = yield* settingsOf(shop.id, item.source)
        return yield* placeOf(shop, reading.order, {
          ...{ progress, item, settings, isByHand, isReopened: reading.isReopened },
        })
      }
      case "Cancel":
        return yield* cancelOf(shop, reading, { item, progress })
      case "Ended":
        return yield* endOf(shop, reading, item)
      case "Redact":
        return yield* redactOf(yield* namedAs(shop, item), reading)
      case "Disclose":
        return yield* discloseOf(yield* namedAs(shop, item), reading)
      case "RemoveShop":
        return outcome("failed", wrongDomain(yield* namedAs(shop, item), reading.domain))
      case "Missing":
        return yield* missingOf(shop, reading, isByHand)
      case "Nothing":
        return outcome("ignored", reading.reason)
      case "Unreadable":
        return outcome("failed", reading.reason)
    }
  })

const noEvent = (id: string) => new NotFound({ message: `The shop has no event ${quoteId(id)}` })

/**
 * How long an event waits that the store refuses to carry out, in milliseconds. The reason may be one that passes, such
 * as a right that is lacking, and a failed event has to be tried by a person.
 */
const refusedFor = 3_600_000

/**
 * Applies an event, unless it is done, and does something else in the same transaction: both or neither. Returns the
 * event, and whether it was tried.
 */
const applying = Effect.fnUntraced(function* <R>(
  shop: Shop,
  id: string,
  together: (item: InboxItem, outcome: InboxOutcome) => Effect.Effect<void, StorageError, R>,
  occasion: Occasion = { isByHand: false },
) {
  const inbox = yield* Inbox
  const now = yield* Clock.currentTimeMillis
  let tried: InboxItem | undefined
  const changing = (item: InboxItem, progress: OrderProgress) => {
    tried = item
    return Effect.tap(changeOf(shop, item, { ...occasion, progress }), (outcome) => together(item, outcome))
  }
  /** The change was undone, so only its failure is stored. */
  const fail = (reason: string) => {
    const failed = outcome("failed", reason)
    return inbox.apply(shop.id, id, (item) => Effect.as(together(item, failed), failed), occasion.isByHand)
  }
  const entry = yield* inbox.apply(shop.id, id, changing, occasion.isByHand).pipe(
    Effect.retry({ ...raceWaits, while: (error) => error instanceof LostRace }),
    // The first failure may be about the connection.
    Effect.retry({ times: 1, while: (error) => error._tag === "StorageError" && !error.isRetryable }),
    Effect.catch((error) => {
      if (error instanceof LostRace) return Effect.fail(tooManyChanges(error))
      if (error._tag !== "StorageError") return fail(error.message)
      if (error.isRetryable || tried === undefined || now < tried.receivedAt + refusedFor) return Effect.fail(error)
      return Effect.andThen(
        Effect.logWarning("The store can't apply a platform's event, which has failed", error).pipe(
          logged("inbox.not_applied", { shop: shop.id, inboxItem: id }),
        ),
        fail("The storage of the service can't carry it out: the log of the service says why"),
      )
    }),
  )
  if (Option.isNone(entry)) return yield* noEvent(id)
  const wasTried = tried !== undefined
  if (wasTried) yield* countTried(entry.value)
  return { event: entry.value, wasTried }
})

/**
 * Applies a kept event of a shop platform, unless it is done, and returns it with what became of it (D57): `applied`,
 * `ignored`, `failed` with the reason, or `waiting` for a design. One that the store has refused to carry out for an
 * hour is `failed`. Fails with `NotFound` for an unknown shop or event, and `StorageError` if the store can't keep
 * what became of it; then it stays as it was.
 */
export const applyEvent = (shopId: string, id: string) => Effect.flatMap(shopOf(shopId), (shop) => applyIn(shop, id))

/** {@link applyEvent} in a shop that was just read. */
export const applyIn = Effect.fn("ApplyEvent.apply")((shop: Shop, id: string) =>
  Effect.map(
    applying(shop, id, () => Effect.void),
    ({ event }) => event,
  ),
)

/**
 * {@link applyEvent} for a person: the audit has an entry of it, with the state before and after, unless the event was
 * done (D59). Returns the event as its readers see it.
 */
export const tryEvent = Effect.fn("ApplyEvent.try")((shopId: string, id: string) =>
  Effect.map(applyAudited(shopId, id, "inbox.tried"), ({ event }) => view(event)),
)

/**
 * Places the order of an event that was not placed because of its state: `unpaid`, or `ignored` as a test or because
 * it was over when it was first heard of (D80). It places as much as a paid order would be placed, whatever else came
 * about the order. Returns the event as its readers see it. Fails with `NotFound`, and `Conflict` if there is nothing
 * left to place: the event was applied, or its body is gone.
 */
export const placeByHand = Effect.fn("ApplyEvent.placeByHand")(function* (shopId: string, id: string) {
  const { event, wasTried } = yield* applyAudited(shopId, id, "inbox.placed")
  if (wasTried) return view(event)
  return yield* new Conflict({ message: `The event ${quoteId(id)} is ${event.state}: it has no order left to place` })
})

const applyAudited = Effect.fnUntraced(function* (shopId: string, id: string, action: "inbox.tried" | "inbox.placed") {
  const shop = yield* shopOf(shopId)
  if (!isStorable(id)) return yield* noEvent(id)
  const audit = yield* AuditStore
  const entry = AuditRules.done(yield* newOccasion, shop.id, action, { type: "inbox", id })
  const applied = yield* applying(
    shop,
    id,
    ({ state: before }, { state: after }) =>
      audit.add({ ...entry, before: { state: before }, after: { state: after } }),
    { isByHand: action === "inbox.placed" },
  )
  if (applied.wasTried) yield* logEntry(entry)
  return applied
})

/**
 * Ends an event about an order that is not done, because a person says that nothing has to be done: it is `ignored`,
 * and its order can still be placed by hand. A later event of the order is applied as usual. Fails with `NotFound`, and
 * `Conflict` if the event is about no order.
 */
export const dismissEvent = Effect.fn("ApplyEvent.dismiss")(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  if (!isStorable(id)) return yield* noEvent(id)
  const [inbox, audit] = [yield* Inbox, yield* AuditStore]
  const entry = AuditRules.done(yield* newOccasion, shop.id, "inbox.dismissed", { type: "inbox", id })
  let isDismissed = false
  const dismissing = Effect.fnUntraced(function* ({ change, orderId, state }: InboxItem) {
    if (change === null || orderId === null) {
      return yield* new Conflict({ message: `The event ${quoteId(id)} is about no order, so it can't be dismissed` })
    }
    isDismissed = true
    yield* audit.add({ ...entry, before: { state }, after: { state: "ignored" } })
    const settlement: InboxSettlement =
      change === "place"
        ? { ...outcome("ignored", `It was dismissed: ${byHand}`), keepsBody: true }
        : outcome("ignored", "It was dismissed")
    return settlement
  })
  const found = yield* inbox.apply(shop.id, id, dismissing)
  if (Option.isNone(found)) return yield* noEvent(id)
  if (isDismissed) yield* logEntry(entry)
  return view(found.value)
})

/** Events of a shop, and shops, that are looked for by one statement. */
const [eventsOfStep, shopsOfStep] = [50, 200]

/** Shops whose events are applied at the same time. */
const shopsAtOnce = 4

/** After this many milliseconds a shop's turn ends with the event under way. */
const turn = 2_000

/** How long an event may take. It waits on then, and others come before it is tried again. */
const longest = "20 seconds"

/** Tries an event again, and leaves it as it is if that is not possible now. */
const tryWaiting = (shop: string, id: string) =>
  applyEvent(shop, id).pipe(
    Effect.timeoutOrElse({
      duration: longest,
      orElse: () =>
        Effect.fail(new StorageError({ message: `It took more than ${longest}`, cause: undefined, isRetryable: true })),
    }),
    // The shop was removed meanwhile.
    Effect.catchTag("NotFound", () => Effect.void),
    Effect.catchTag("StorageError", (error) =>
      Effect.logWarning("A platform's event could not be applied; trying again", error).pipe(
        logged("inbox.not_applied", { shop, inboxItem: id }),
      ),
    ),
  )

/** A shop's turn, from an event on. Returns the event after which its next turn begins; `null` if all had theirs. */
const takeTurn = Effect.fnUntraced(function* (shop: string, from: string | null) {
  const inbox = yield* Inbox
  const end = (yield* Clock.currentTimeMillis) + turn
  let after = from
  do {
    const step: Effect.Success<ReturnType<Inbox["Service"]["ready"]>> = yield* inbox.ready({
      ...{ shop, after, limit: eventsOfStep },
    })
    for (const id of step.found) {
      yield* tryWaiting(shop, id)
      if ((yield* Clock.currentTimeMillis) >= end) return id
    }
    after = step.after
  } while (after !== null && (yield* Clock.currentTimeMillis) < end)
  return after
})

/** The beginning of the next turn of each shop that was not done with its last one. */
type Places = ReadonlyMap<string, string | null>

/** A turn for each shop with waiting events, several at the same time. */
const takeTurns = Effect.fnUntraced(function* (places: Places) {
  const inbox = yield* Inbox
  const shops: Array<string> = []
  let found: ReadonlyArray<string>
  do {
    found = yield* inbox.waiting({ after: shops.at(-1) ?? null, limit: shopsOfStep })
    shops.push(...found)
  } while (found.length === shopsOfStep)
  const next = new Map<string, string>()
  const taking = Effect.fnUntraced(function* (shop: string) {
    const reached = yield* takeTurn(shop, places.get(shop) ?? null)
    if (reached !== null) next.set(shop, reached)
  })
  yield* Effect.forEach(shops, taking, { concurrency: shopsAtOnce, discard: true })
  return next
})

/**
 * Applies the waiting events of all shops that can be applied: those that a process has kept and not applied, and those
 * whose design exists by now. Continues with the others if one can't be applied. Shops have turns, so that many or slow
 * events of one shop hardly delay the others.
 */
export const applyWaiting = Effect.fn("ApplyEvent.applyWaiting")(function* () {
  let places: Places = new Map()
  do places = yield* takeTurns(places)
  while (places.size > 0)
})

const applyingAgain = applyWaiting().pipe(
  Effect.catch((error) =>
    Effect.logWarning("Could not look for events of platforms; trying again", error).pipe(logged("inbox.not_applied")),
  ),
  Effect.delay("10 seconds"),
  Effect.forever,
)

/**
 * {@link applyWaiting} every ten seconds, and {@link raiseAlarms} every minute: hosts run it that take events of
 * platforms.
 */
export const keepApplying: Effect.Effect<
  never,
  never,
  Effect.Services<ReturnType<typeof applyWaiting>>
> = Effect.raceFirst(applyingAgain, keepRaising)
