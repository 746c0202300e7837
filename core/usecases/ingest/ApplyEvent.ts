import { Effect, Metric, Option } from "effect"
import { NotFound } from "../../model/Errors.ts"
import { quoteId } from "../../model/Json.ts"
import { logged } from "../../model/log/LogEvent.ts"
import type { InboxEntry, InboxItem, InboxOutcome, OrderProgress } from "../../model/orders/InboxItem.ts"
import { view } from "../../model/orders/InboxView.ts"
import type { Shop } from "../../model/Shop.ts"
import { isStorable } from "../../model/Text.ts"
import { AuditStore } from "../../ports/AuditStore.ts"
import { Inbox } from "../../ports/Inbox.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { readEvent } from "../../rules/ingest/ReadEvent.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { LostRace, raceWaits, tooManyChanges } from "../../support/RetryStale.ts"
import { shopOf } from "../../support/ShopOf.ts"
import { cancelOf, discloseOf, placeOf, redactOf, wrongDomain } from "./OrderChanges.ts"

const failed = (reason: string): InboxOutcome => ({ state: "failed", reason, designId: null })

/** Carries out what an event asks for, as the change of `Inbox.apply`. */
const changeOf = (shop: Shop, item: InboxItem, progress: OrderProgress) =>
  Effect.gen(function* () {
    const reading = readEvent(item, JSON.parse(item.body))
    switch (reading._tag) {
      case "Place":
        return yield* placeOf(shop, reading.order, { progress, property: item.property })
      case "Cancel":
        return yield* cancelOf(shop, reading, item.property)
      case "Redact":
        return yield* redactOf(shop, reading.orders)
      case "Disclose":
        return yield* discloseOf(shop, reading.orders)
      case "RemoveShop":
        return failed(wrongDomain(shop, reading.domain))
      case "Nothing":
        return { state: "ignored", reason: reading.reason, designId: null } satisfies InboxOutcome
      case "Unreadable":
        return failed(reading.reason)
    }
  })

const noEvent = (id: string) => new NotFound({ message: `The shop has no event ${quoteId(id)}` })

/** Counts an event that was tried, by what became of it. */
export const countTried = ({ source, state }: InboxEntry): Effect.Effect<void> =>
  Metric.update(
    Metric.counter("designwire_platform_events_total", {
      description: "Events of shop platforms that were tried, by their platform and what became of them",
      incremental: true,
      attributes: { source, outcome: state },
    }),
    1,
  )

/**
 * Applies an event, unless it is done, and does something else in the same transaction: both or neither. Returns the
 * event, and whether it was tried.
 */
const applying = Effect.fnUntraced(function* <R>(
  shop: Shop,
  id: string,
  together: (item: InboxItem, outcome: InboxOutcome) => Effect.Effect<void, StorageError, R>,
) {
  const inbox = yield* Inbox
  let wasTried = false
  const changing = (item: InboxItem, progress: OrderProgress) => {
    wasTried = true
    return Effect.tap(changeOf(shop, item, progress), (outcome) => together(item, outcome))
  }
  const entry = yield* inbox.apply(shop.id, id, changing).pipe(
    Effect.retry({ ...raceWaits, while: (error) => error instanceof LostRace }),
    Effect.catch((error) => {
      if (error instanceof LostRace) return Effect.fail(tooManyChanges(error))
      if (error._tag === "StorageError") return Effect.fail(error)
      // The change was undone, so its failure is kept alone.
      const outcome = failed(error.message)
      return inbox.apply(shop.id, id, (item) => Effect.as(together(item, outcome), outcome))
    }),
  )
  if (Option.isNone(entry)) return yield* noEvent(id)
  if (wasTried) yield* countTried(entry.value)
  return { event: entry.value, wasTried }
})

/**
 * Applies a kept event of a shop platform, unless it is done, and returns it with what became of it (D57): `applied`,
 * `ignored`, `failed` with the reason, or `waiting` for a design. Fails with `NotFound` for an unknown shop or event,
 * and `StorageError`; then it stays as it was.
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
export const tryEvent = Effect.fn("ApplyEvent.try")(function* (shopId: string, id: string) {
  const shop = yield* shopOf(shopId)
  if (!isStorable(id)) return yield* noEvent(id)
  const audit = yield* AuditStore
  const occasion = yield* newOccasion
  const entry = AuditRules.done(occasion, shop.id, "inbox.tried", { type: "inbox", id })
  const { event, wasTried } = yield* applying(shop, id, ({ state: before }, { state: after }) =>
    audit.add({ ...entry, before: { state: before }, after: { state: after } }),
  )
  if (wasTried) yield* logEntry(entry)
  return view(event)
})

/** Events that one step of {@link applyWaiting} looks at. */
const stepLimit = 100

/**
 * Applies the waiting events of all shops that can be applied: those that a process has kept and not applied, and those
 * whose design exists by now. Goes on with the others if one can't be applied.
 */
export const applyWaiting = Effect.fn("ApplyEvent.applyWaiting")(function* () {
  const inbox = yield* Inbox
  let after: string | null = null
  do {
    const step: Effect.Success<ReturnType<Inbox["Service"]["ready"]>> = yield* inbox.ready({ after, limit: stepLimit })
    for (const { id, shop } of step.found) {
      yield* applyEvent(shop, id).pipe(
        // The shop was removed meanwhile.
        Effect.catchTag("NotFound", () => Effect.void),
        Effect.catchTag("StorageError", (error) =>
          Effect.logWarning("A platform's event could not be applied; trying again", error).pipe(
            logged("inbox.not_applied", { shop, inboxItem: id }),
          ),
        ),
      )
    }
    after = step.after
  } while (after !== null)
})

/** {@link applyWaiting} every ten seconds: hosts run it that take events of platforms. */
export const keepApplying: Effect.Effect<
  never,
  never,
  Effect.Services<ReturnType<typeof applyWaiting>>
> = applyWaiting().pipe(
  Effect.catch((error) =>
    Effect.logWarning("Could not look for events of platforms; trying again", error).pipe(logged("inbox.not_applied")),
  ),
  Effect.delay("10 seconds"),
  Effect.forever,
)
