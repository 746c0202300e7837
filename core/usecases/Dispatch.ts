import {
  Cache,
  Clock,
  Context,
  Duration,
  Effect,
  FiberSet,
  Layer,
  Metric,
  Option,
  Queue,
  Redacted,
  Schedule,
} from "effect"
import { type Aead, Mac, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { type Attempt as AttemptRecord, maximumResponseStart } from "../model/Delivery.ts"
import type { Health } from "../model/Health.ts"
import type { Instant } from "../model/Instant.ts"
import { type Busy, type Claim, DeliveryQueue, type Settlement } from "../ports/DeliveryQueue.ts"
import { DeliverySignal } from "../ports/DeliverySignal.ts"
import { HostLookup } from "../ports/HostLookup.ts"
import type { KeyRing } from "../ports/KeyRing.ts"
import type { StorageError } from "../ports/StorageError.ts"
import { WebhookPolicy } from "../ports/WebhookPolicy.ts"
import { WebhookSender } from "../ports/WebhookSender.ts"
import { approve } from "../rules/Approval.ts"
import { afterAttempt, endedAt, errorOf, isSuccess } from "../rules/DeliveryState.ts"
import * as EndpointState from "../rules/EndpointState.ts"
import { defaultSchedule, type RetrySchedule } from "../rules/RetryPolicy.ts"
import { keyBytes, signatureOf, signedText, timestampOf } from "../rules/Signature.ts"
import { open } from "../support/SealedSecret.ts"

/** The name before `-Webhooks/1.0` in the `User-Agent` of a delivery (§6). */
export const ServiceName = Context.Reference<string>("designwire/ServiceName", { defaultValue: () => "Designwire" })

/** An attempt is over after this many milliseconds, look-up, connecting and request included (§6, D26). */
export const attemptTimeout = 5000

/** Of those, connecting may take this many (§6). */
const connectTimeout = 3000

const utf8 = new TextEncoder()

type Answer = Pick<AttemptRecord, "statusCode" | "responseStart" | "error">

const noAnswer = (error: AttemptRecord["error"]): Answer => ({ statusCode: null, responseStart: null, error })

/** Makes one attempt to deliver (§6, D24, D26, D36): judges the host, signs, sends, and tells what became of it. */
const makeAttempts = Effect.gen(function* () {
  const hosts = yield* HostLookup
  const sender = yield* WebhookSender
  const mac = yield* Mac.Mac
  const services = yield* Effect.context<KeyRing | Aead.Aead>()
  const policy = yield* WebhookPolicy
  const userAgent = `${yield* ServiceName}-Webhooks/1.0`

  // Opening a secret costs more than signing with it. The sealed text is new with every secret.
  const keys = yield* Cache.makeWith(
    (sealed: string) => {
      const [endpointId, secret] = JSON.parse(sealed) as [string, string]
      return Effect.flatMap(Effect.provideContext(open(secret, endpointId), services), (opened) =>
        Effect.orDie(Mac.key(Mac.hmacSha256, keyBytes(Redacted.value(opened)))),
      )
    },
    { capacity: 10_000, timeToLive: (exit) => (exit._tag === "Success" ? Duration.minutes(10) : Duration.zero) },
  )

  const headersOf = Effect.fnUntraced(function* (claim: Claim, timestamp: string) {
    const key = yield* Cache.get(keys, JSON.stringify([claim.endpointId, claim.secret]))
    const signed = yield* Effect.orDie(mac.sign(key, utf8.encode(signedText(timestamp, claim.body))))
    return {
      "content-type": "application/json",
      "user-agent": userAgent,
      "x-service-event": claim.event,
      "x-service-delivery": claim.deliveryId,
      "x-service-timestamp": timestamp,
      "x-service-signature": signatureOf(signed),
    }
  })

  const send = Effect.fnUntraced(function* (claim: Claim, startedAt: Instant) {
    const { addresses, destination } = yield* approve(claim.url, policy, hosts.lookup)
    const now = yield* Clock.currentTimeMillis
    if (now >= startedAt + attemptTimeout) return noAnswer("timeout")
    const response = yield* sender.send({
      url: destination.href,
      addresses,
      headers: yield* headersOf(claim, timestampOf(now)),
      body: claim.body,
      timeout: startedAt + attemptTimeout - now,
      connectTimeout,
      responseLimit: maximumResponseStart,
    })
    return { ...response, error: response.statusCode === null ? response.error : errorOf(response.statusCode) }
  })

  /** Fails only where the attempt could not be made for a reason of our own, which counts for nothing (D27). */
  return Effect.fnUntraced(function* (claim: Claim) {
    const at = yield* Clock.currentTimeMillis
    const answer: Answer = yield* send(claim, at).pipe(
      Effect.catchTag("NotApproved", () => Effect.succeed(noAnswer("address_refused"))),
      Effect.catchTag("LookupFailed", () => Effect.succeed(noAnswer("dns"))),
      // The sender keeps its own time; this is for a look-up that doesn't.
      Effect.timeoutOrElse({ duration: attemptTimeout + 100, orElse: () => Effect.succeed(noAnswer("timeout")) }),
    )
    const durationMs = (yield* Clock.currentTimeMillis) - at
    return { number: claim.attempt, at, durationMs, ...answer }
  })
})

/** How much a worker does at the same time (contract.md: Settings). */
export interface WorkerOptions {
  /** Attempts under way at most. */
  readonly concurrency: number
  /** Of those, at most this many to one endpoint. */
  readonly perEndpoint: number
  /** Milliseconds that a claim is held: longer than an attempt may last. */
  readonly lease: number
  /** The waits between attempts. */
  readonly schedule: RetrySchedule
}

/** What a worker does where nothing else is said. */
export const defaultWorker: WorkerOptions = {
  concurrency: 64,
  perEndpoint: 8,
  lease: 30_000,
  schedule: defaultSchedule,
}

/** What {@link Dispatch.drain} did. */
export interface Drained {
  readonly attempts: number
  readonly succeeded: number
}

/** A worker has in stock what it attempts in so many milliseconds, as measured over at least so many. */
const stockTime = 50
const measure = 20

/** A worker looks for itself at least this often, should a signal be lost. */
const longestWait = 5000

/** Where a delivery is due but can't be had, because its endpoint is busy or another worker is at it, a worker looks again after this. */
const shortestWait = 250

/**
 * Delivers what is due (§6): claims, attempts, settles. Any number of workers may run on one store.
 *
 * A worker that dies loses nothing: what it had claimed is claimed again when the lease is over.
 */
export class Dispatch extends Context.Service<
  Dispatch,
  {
    /**
     * Works until it is interrupted; then it finishes the attempts that are under way, and settles them. A store that fails is tried again every second.
     */
    readonly work: Effect.Effect<never>
    /** Works until nothing is due, `max` attempts were begun, or the time is `deadline`, and finishes what it began: for cron and serverless. */
    readonly drain: (limits: {
      readonly max: number
      readonly deadline: Instant
    }) => Effect.Effect<Drained, StorageError>
  }
>()("designwire/Dispatch") {
  static readonly layer = (
    options: WorkerOptions = defaultWorker,
  ): Layer.Layer<
    Dispatch,
    never,
    | DeliveryQueue
    | DeliverySignal
    | HostLookup
    | WebhookSender
    | KeyRing
    | Mac.Mac
    | Aead.Aead
    | SecureRandom.SecureRandom
  > =>
    Layer.effect(
      Dispatch,
      Effect.gen(function* () {
        const store = yield* DeliveryQueue
        const signal = yield* DeliverySignal
        const random = yield* SecureRandom.SecureRandom
        const attempt = yield* makeAttempts

        /**
         * A worker for as long as the scope is open; when it closes, what is under way is finished and settled first, and what is not begun is given back.
         *
         * It works in lanes, as many as its concurrency. A lane makes one attempt after the other from a stock of claims, so that none waits for the store, and
         * begins the next only when the last is settled: what a worker that dies leaves unsettled are its lanes and no more.
         */
        const makeWorker = Effect.gen(function* () {
          const finished = yield* Queue.unbounded<{ readonly settlement: Settlement; readonly settled: () => void }>()
          /** Something may be claimed that could not be before. */
          const freed = yield* Queue.sliding<void>(1)
          const busy = new Map<string, Busy>()
          const stock: Array<{ readonly claim: Claim; readonly leaseUntil: Instant }> = []
          /** How large the stock should be: what ends in a moment, by the last measure. Nothing while all hangs, so that other workers find it. */
          let wanted = 0
          let ended = 0
          let measuredAt = 0
          /** The last claim got all that there was: until a signal, more comes only of endpoints that had no room. */
          let dry = false
          let lanes = 0
          let stopping = false
          let claimed = 0
          let attempts = 0
          let succeeded = 0

          const hold = (claim: Claim) => {
            const key = `${claim.shop}/${claim.endpointId}`
            busy.set(key, {
              shop: claim.shop,
              endpointId: claim.endpointId,
              attempts: (busy.get(key)?.attempts ?? 0) + 1,
            })
          }
          const letGo = (claim: Claim) => {
            const key = `${claim.shop}/${claim.endpointId}`
            const count = busy.get(key)?.attempts ?? 1
            if (count === 1) busy.delete(key)
            else busy.set(key, { shop: claim.shop, endpointId: claim.endpointId, attempts: count - 1 })
            if (count >= options.perEndpoint || !dry) Queue.offerUnsafe(freed, undefined)
          }

          /** Makes an attempt and waits until it is settled. */
          const deliver = Effect.fnUntraced(
            function* (claim: Claim) {
              const record = yield* attempt(claim)
              const outcome = afterAttempt({ status: "pending", test: claim.test }, record, options.schedule)
              if (outcome === undefined) return yield* Effect.die(new Error("A claimed delivery is not pending"))
              if (outcome.status === "succeeded") succeeded++
              yield* Metric.update(attemptsMade(outcomeOf(record)), 1)
              yield* Metric.update(attemptDuration, record.durationMs / 1000)
              yield* Effect.callback<void>((resume) => {
                const settlement = { claim, attempt: record, ...outcome }
                Queue.offerUnsafe(finished, { settlement, settled: () => resume(Effect.void) })
              })
            },
            // No attempt: the lease runs out and somebody tries again.
            Effect.catchCause((cause) => Effect.logError("A delivery could not be attempted", cause)),
          )

          /** What was attempted is worth keeping as long as the claim lasts; then another worker has it. */
          const settle = Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
            yield* store.settle(settlements, advance).pipe(
              // A connection that is lost within a transaction is a defect of the roll-back; whatever it is, who settles must go on.
              Effect.catchDefect((defect) => Effect.fail(defect)),
              Effect.tapError((error) => Effect.logWarning("Could not settle deliveries; trying again", error)),
              Effect.retry({
                schedule: Schedule.spaced("500 millis"),
                times: Math.ceil(options.lease / 500),
                while: () => !stopping,
              }),
              Effect.catch((error) => Effect.logError("Gave up settling deliveries: they are attempted again", error)),
            )
          })

          yield* Queue.takeAll(finished).pipe(
            Effect.flatMap((batch) =>
              Effect.uninterruptible(
                Effect.andThen(
                  settle(batch.map(({ settlement }) => settlement)),
                  Effect.sync(() => {
                    for (const { settled } of batch) settled()
                  }),
                ),
              ),
            ),
            Effect.forever,
            Effect.forkScoped,
          )
          const fibers = yield* FiberSet.make()

          /** What is left of a lease must cover an attempt. */
          const leastLease = Math.min(attemptTimeout, options.lease / 2)

          const lane = Effect.gen(function* () {
            for (let next = stock.shift(); next !== undefined; next = stock.shift()) {
              if (next.leaseUntil - (yield* Clock.currentTimeMillis) >= leastLease) {
                attempts++
                yield* deliver(next.claim)
              }
              ended++
              letGo(next.claim)
              if (!dry && stock.length <= wanted / 2) Queue.offerUnsafe(freed, undefined)
            }
          }).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                lanes--
                if (!dry || lanes === 0) Queue.offerUnsafe(freed, undefined)
              }),
            ),
          )

          const idle = Effect.suspend(() => (lanes === 0 ? Effect.void : Effect.asVoid(Queue.take(freed)))).pipe(
            Effect.repeat({ while: () => lanes > 0 }),
          )
          const giveBack = Effect.suspend(() => {
            const claims = stock.splice(0).map(({ claim }) => claim)
            for (const claim of claims) letGo(claim)
            return store.release(claims)
          }).pipe(
            Effect.catch((error) => Effect.logWarning("Could not give back deliveries; their leases run out", error)),
          )
          yield* Effect.addFinalizer(() =>
            Effect.ensuring(
              Effect.andThen(giveBack, Effect.timeoutOption(idle, attemptTimeout + 500)),
              Effect.sync(() => {
                stopping = true
              }),
            ),
          )

          /** How many to claim now: for the lanes that are free, and to have in stock while the store is asked again. */
          const room = (now: Instant): number => {
            const elapsed = now - measuredAt
            if (elapsed >= measure) {
              wanted = Math.min(options.concurrency, Math.round((ended * stockTime) / elapsed))
              ended = 0
              measuredAt = now
            }
            return stock.length > wanted / 2 ? 0 : options.concurrency - lanes + wanted - stock.length
          }

          /** Claims up to `limit` deliveries, all of them or, where it is interrupted, none, and begins what there are lanes for. */
          const claimSome = Effect.fnUntraced(function* (limit: number) {
            const now = yield* Clock.currentTimeMillis
            const token = Hex.encode(yield* random.randomBytes(16))
            const leaseUntil = now + options.lease
            const claims = yield* store.claim({
              now,
              limit,
              perEndpoint: options.perEndpoint,
              busy: [...busy.values()],
              leaseUntil,
              token,
            })
            for (const claim of claims) {
              hold(claim)
              stock.push({ claim, leaseUntil })
            }
            claimed += claims.length
            dry = claims.length < limit
            for (let left = Math.min(stock.length, options.concurrency - lanes); left > 0; left--) {
              lanes++
              yield* FiberSet.run(fibers, lane)
            }
            return claims.length
          }, Effect.uninterruptible)

          return {
            claimSome,
            freed,
            idle,
            giveBack,
            room,
            isIdle: () => lanes === 0,
            claimed: () => claimed,
            counts: (): Drained => ({ attempts, succeeded }),
          }
        })

        const work = Effect.scoped(
          Effect.gen(function* () {
            const signals = yield* signal.subscribe
            const worker = yield* makeWorker
            const change = Effect.race(Queue.take(signals), Queue.take(worker.freed))

            /** Claims what there is room for, and waits until there may be more. */
            const round = Effect.gen(function* () {
              const room = worker.room(yield* Clock.currentTimeMillis)
              if (room === 0) return yield* Queue.take(worker.freed)
              if ((yield* worker.claimSome(room)) === room) return
              const now = yield* Clock.currentTimeMillis
              const due = yield* store.nextDue(now)
              const wait = Option.match(due, {
                onNone: () => longestWait,
                onSome: (due) => (due > now ? due - now : shortestWait),
              })
              yield* Effect.timeoutOption(change, Math.min(longestWait, wait))
            })

            return yield* round.pipe(
              Effect.catchDefect((defect) => Effect.fail(defect)),
              Effect.catch((error) =>
                Effect.andThen(
                  Effect.logWarning("The store of deliveries fails; trying again", error),
                  Effect.sleep("1 second"),
                ),
              ),
              Effect.forever,
            )
          }),
        )

        const drain = Effect.fnUntraced(function* (limits: { readonly max: number; readonly deadline: Instant }) {
          const worker = yield* makeWorker
          for (;;) {
            const now = yield* Clock.currentTimeMillis
            if (now >= limits.deadline) break
            // What ends while the store is asked may make room for more: nothing is left only if nothing was under way before.
            const wasIdle = worker.isIdle()
            const limit = Math.min(worker.room(now), limits.max - worker.claimed())
            const claimed = limit > 0 ? yield* worker.claimSome(limit) : 0
            if (claimed === 0 && wasIdle) break
            if (!worker.isIdle()) yield* Queue.take(worker.freed)
          }
          yield* worker.giveBack
          yield* worker.idle
          return worker.counts()
        }, Effect.scoped)

        return { work, drain }
      }),
    )
}

/** The rule of §3 and D27 for one settlement. */
const advance = (health: Health, { attempt, claim }: Settlement): Health =>
  EndpointState.afterAttempt(health, { test: claim.test, success: isSuccess(attempt), endedAt: endedAt(attempt) })

const outcomeOf = (attempt: AttemptRecord): string => {
  if (isSuccess(attempt)) return "success"
  return attempt.error ?? "refused"
}

const attemptsMade = (outcome: string) =>
  Metric.counter("designwire_delivery_attempts_total", {
    description: "Attempts to deliver a webhook, by outcome",
    incremental: true,
    attributes: { outcome },
  })

const attemptDuration = Metric.histogram("designwire_delivery_attempt_seconds", {
  description: "Duration of attempts to deliver a webhook",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
})
