/** Orders are found although their webhook never came: platforms are asked for what has changed (D88). */
import { Clock, Data, Effect, Option, Result } from "effect"
import { NotFound } from "../../model/Errors.ts"
import type { Instant } from "../../model/Instant.ts"
import type { IngestSource } from "../../model/ingest/InboxItem.ts"
import type { PlatformRecord } from "../../model/ingest/PlatformConnection.ts"
import { logged } from "../../model/log/LogEvent.ts"
import { Inbox } from "../../ports/Inbox.ts"
import type { StorageError } from "../../ports/StorageError.ts"
import {
  beginningOf,
  isDue,
  looked,
  newTroubles,
  notAnswered,
  reachedTo,
  taken,
} from "../../rules/ingest/Reconciled.ts"
import { shopOf } from "../../support/ShopRecords.ts"
import { makeAsk, type NotAnswered } from "./AskPlatform.ts"
import { type Look, lookAt, type Seen } from "./LookAtPlatform.ts"
import { pagesOf } from "./PlatformPages.ts"

/** Another worker has the connection, or it is gone. */
class NotHeld extends Data.TaggedError("NotHeld") {}

/** A look at a platform, and its result. */
export interface Reconciled {
  readonly shop: string
  readonly platform: IngestSource
  readonly since: Instant
  /** The failure is the reason why the platform has not answered. */
  readonly result: Result.Result<Seen, NotAnswered>
}

/** How platforms are asked. */
export interface ReconcileOptions {
  /** The names of the lines' property, if a connection does not say. Default: `_designwire_id`. */
  readonly properties?: Partial<Readonly<Record<IngestSource, string | undefined>>> | undefined
}

/** After this time a look makes room for the next one, and continues in its next turn. */
const turn = "5 minutes"

const clock = Effect.map(Clock.currentTimeMillis, Math.trunc)

/** Looks at the platform of a connection. */
const look = <E, R>(record: PlatformRecord, how: Look<E, R>) =>
  Effect.flatMap(makeAsk(record), (ask) => lookAt(record, pagesOf[record.platform](ask), how))

/** Changes a connection, and says in the log what is new of its trouble. Returns the changed one. */
const change = Effect.fnUntraced(function* (
  { platform, shop }: PlatformRecord,
  of: (record: PlatformRecord) => Result.Result<PlatformRecord, NotHeld>,
) {
  let before: PlatformRecord | undefined
  const stored = yield* Inbox.use((inbox) =>
    inbox.updatePlatform(shop, platform, (record) => {
      before = record ?? undefined
      return record === null ? Result.fail(new NotHeld()) : of(record)
    }),
  ).pipe(Effect.catchTag("DomainTaken", Effect.die))
  const after = Option.getOrThrow(stored)
  if (before !== undefined) yield* logTrouble(before, after)
  return after
})

const logTrouble = Effect.fnUntraced(function* (before: PlatformRecord, after: PlatformRecord) {
  const { missing, trouble } = newTroubles(before, after)
  const { domain, platform: source, shop } = after
  const name = `${source} (${domain}) of the shop ${shop}`
  const fields = { shop, source, domain }
  if (trouble?.kind === "key") {
    yield* Effect.logWarning(`Lost orders of ${name} can't be found. ${trouble.reason}`).pipe(
      logged("platform.key_refused", fields),
    )
  } else if (trouble !== null) {
    yield* Effect.logWarning(`Lost orders of ${name} can't be found now; trying again. ${trouble.reason}`).pipe(
      logged("platform.not_asked", fields),
    )
  }
  if (missing.length > 0) {
    yield* Effect.logWarning(`Webhooks of ${name} are gone or switched off: ${missing.join(", ")}`).pipe(
      logged("platform.webhooks_missing", { ...fields, topics: missing.join(" ") }),
    )
  }
})

const logFound = ({ platform: source, shop }: PlatformRecord, { found, gone }: Seen) =>
  found.length + gone.length === 0
    ? Effect.void
    : Effect.log(
        `${found.length} orders of ${source} of the shop ${shop} were found that had not come, ${gone.length} are gone there`,
      ).pipe(logged("platform.found", { shop, source, found: found.length, gone: gone.length }))

/**
 * Takes a connection that is due, and looks at its platform. Nothing happens if another worker has it. If this is
 * interrupted, or the store fails, a worker continues once the lease has ended.
 */
const reconcileDueOne = Effect.fnUntraced(
  function* (due: PlatformRecord, { properties }: ReconcileOptions) {
    const begun = yield* clock
    let held = yield* change(due, (record) =>
      isDue(record, begun) ? Result.succeed(taken(record, begun)) : Result.fail(new NotHeld()),
    )
    const keeping = (of: (record: PlatformRecord) => PlatformRecord) =>
      Effect.map(
        change(held, (record) =>
          record.dueAt === held.dueAt ? Result.succeed(of(record)) : Result.fail(new NotHeld()),
        ),
        (record) => {
          held = record
        },
      )
    const seen = yield* look(held, {
      ...{
        since: held.reconciling.run?.from ?? beginningOf(held),
        now: begun,
        isDry: false,
        property: properties?.[due.platform],
      },
      reached: (instant) => Effect.flatMap(clock, (now) => keeping((record) => reachedTo(record, instant, now))),
    }).pipe(
      // Another one, or the next turn, need not wait for the lease.
      Effect.onInterrupt(() =>
        Effect.ignore(Effect.flatMap(clock, (now) => keeping((record) => ({ ...record, dueAt: now })))),
      ),
      Effect.timeoutOption(turn),
      Effect.map(Option.getOrUndefined),
      Effect.catchTag("NotAnswered", (fault) =>
        Effect.as(
          Effect.flatMap(clock, (now) => keeping((record) => notAnswered(record, fault, now))),
          undefined,
        ),
      ),
    )
    if (seen === undefined) return
    yield* logFound(held, seen)
    yield* Effect.flatMap(clock, (now) => keeping((record) => looked(record, seen.kept, now)))
  },
  Effect.catchTag("NotHeld", () => Effect.void),
)

/** Connections that are read by one statement, and platforms that are asked at the same time. */
const [connectionsOfStep, platformsAtOnce] = [50, 16]

/**
 * Looks at all platforms that are due, and begins none at the instant `deadline` or later. If the store fails for one,
 * the others have their turn, and it has its next one later.
 */
export const reconcileDue = Effect.fn("Reconcile.due")(function* (
  options: ReconcileOptions,
  deadline: Instant = Number.POSITIVE_INFINITY,
) {
  const tried = new Set<string>()
  for (;;) {
    const now = yield* clock
    if (now >= deadline) return
    const due = yield* Inbox.use((inbox) => inbox.platforms({ dueAt: now, limit: tried.size + connectionsOfStep }))
    const next = due.filter(({ platform, shop }) => !tried.has(`${shop} ${platform}`))
    if (next.length === 0) return
    for (const { platform, shop } of next) tried.add(`${shop} ${platform}`)
    yield* Effect.forEach(next, (record) => untroubled(record, reconcileDueOne(record, options)), {
      ...{ concurrency: platformsAtOnce, discard: true },
    })
  }
})

const untroubled = <R>({ platform: source, shop }: PlatformRecord, effect: Effect.Effect<void, StorageError, R>) =>
  effect.pipe(
    Effect.catchDefect((defect) => Effect.fail(defect)),
    Effect.catch((error) =>
      Effect.logWarning("Could not look at a platform for lost orders; trying again", error).pipe(
        logged("platform.not_reconciled", { shop, source }),
      ),
    ),
  )

/** {@link reconcileDue} every minute. */
export const keepReconciling = (
  options: ReconcileOptions,
): Effect.Effect<never, never, Effect.Services<ReturnType<typeof reconcileDue>>> =>
  reconcileDue(options).pipe(
    Effect.catch((error) =>
      Effect.logWarning("Could not look for platforms to ask; trying again", error).pipe(
        logged("platform.not_reconciled"),
      ),
    ),
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.forever,
  )

/** What `reconcileNow` looks at. */
export interface ReconcileRequest extends ReconcileOptions {
  readonly shop: string
  /** Default: all platforms of the shop that have an access key. */
  readonly platform?: IngestSource | undefined
  /** Default: a day before the last look. */
  readonly since?: Instant | undefined
  /** Nothing is stored. */
  readonly isDry: boolean
}

/**
 * Looks at platforms of a shop now. The hourly look has its own time. Fails with `NotFound` for an unknown shop, or if
 * it has no connection with an access key.
 */
export const reconcileNow = Effect.fn("Reconcile.now")(function* (request: ReconcileRequest) {
  const { isDry, properties } = request
  const shop = yield* shopOf(request.shop)
  const records = yield* Inbox.use((inbox) => inbox.platforms({ shop: shop.id }))
  const asked = records.filter(
    ({ accessKey, platform }) => accessKey !== null && platform === (request.platform ?? platform),
  )
  if (asked.length === 0) {
    const of = request.platform ?? "a platform"
    return yield* new NotFound({ message: `The shop has no connection to ${of} with an access key` })
  }
  return yield* Effect.forEach(asked, (record) =>
    Effect.gen(function* () {
      const now = yield* clock
      const since = request.since ?? beginningOf(record)
      const result = yield* look(record, {
        ...{ since, now, isDry, property: properties?.[record.platform] },
        reached: () => Effect.void,
      }).pipe(
        Effect.map((seen): Result.Result<Seen, NotAnswered> => Result.succeed(seen)),
        Effect.catchTag("NotAnswered", (fault) => Effect.succeed(Result.fail(fault))),
      )
      if (!isDry) yield* Effect.catchTag(kept(record, result, now), "NotHeld", () => Effect.void)
      return { shop: shop.id, platform: record.platform, since, result } satisfies Reconciled
    }),
  )
})

/** Keeps the result of a look now. The hourly look keeps its time and its place. */
const kept = (record: PlatformRecord, result: Result.Result<Seen, NotAnswered>, now: Instant) =>
  change(record, (current) => {
    const next = Result.match(result, {
      onFailure: (fault) => notAnswered(current, fault, now),
      onSuccess: (seen) => looked(current, seen.kept, now),
    })
    const { askedAt, checked, run } = current.reconciling
    return Result.succeed({
      ...next,
      dueAt: current.dueAt,
      reconciling: { ...next.reconciling, askedAt, run, checked },
    })
  })
