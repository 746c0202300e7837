import { Cause, Clock, Effect, Exit, type Fiber, Redacted } from "effect"
import type { Aead, Kdf, Mac } from "effect/crypto"
import type { Instant } from "../../../model/Instant.ts"
import { logged } from "../../../model/log/LogEvent.ts"
import type { ClientCertificate } from "../../../model/webhooks/ClientCertificate.ts"
import { type Attempt, maximumResponseStart } from "../../../model/webhooks/Delivery.ts"
import type { OwnHeaders } from "../../../model/webhooks/OwnHeaders.ts"
import type { Claim } from "../../../ports/DeliveryQueue.ts"
import { HostLookup } from "../../../ports/HostLookup.ts"
import type { KeyRing } from "../../../ports/KeyRing.ts"
import { WebhookPolicy } from "../../../ports/WebhookPolicy.ts"
import { WebhookSender } from "../../../ports/WebhookSender.ts"
import { errorOf } from "../../../rules/webhooks/DeliveryState.ts"
import { bodyFor } from "../../../rules/webhooks/Reference.ts"
import { signingSecret, validSecrets } from "../../../rules/webhooks/SecretRotation.ts"
import { makeApprove } from "../../../support/Approval.ts"
import { makeDeliveryHeaders } from "../../../support/DeliveryHeaders.ts"
import { LinkedSet } from "../../../support/LinkedSet.ts"
import { MetricsShops } from "../../../support/MetricsShops.ts"
import { OncePerMinute } from "../../../support/OncePerMinute.ts"
import { makeOpenValue } from "../../../support/SealedSecret.ts"
import { makeSigningKeys } from "../../../support/SigningKeys.ts"
import { makeAuthorize, type NoToken } from "./AccessTokens.ts"
import { makeAttemptMetrics } from "./AttemptMetrics.ts"
import type { AttemptSpan, DeliverySpans } from "./DeliverySpans.ts"
import { attemptTimeout, connectTimeout, longestAttempt } from "./WorkerOptions.ts"

/** How an attempt ended: with a response, or the reason for having none. */
interface Outcome extends Pick<Attempt, "statusCode" | "responseStart" | "error"> {
  readonly retryAfter: string | null
}

const withoutResponse = (error: Attempt["error"], responseStart: string | null = null): Outcome => ({
  statusCode: null,
  responseStart,
  retryAfter: null,
  error,
})

/** Outcomes of attempts that sent nothing. A missing signing key is logged by the look-up of the key. */
const unsent = {
  NotApproved: () => Effect.succeed(withoutResponse("address_refused")),
  LookupFailed: () => Effect.succeed(withoutResponse("dns")),
  NoToken: ({ message }: NoToken) => Effect.succeed(withoutResponse("token", message)),
  UnopenedSecret: () => Effect.undefined,
}

/**
 * Makes the function that logs a defect of ours, which does not count as an outcome of an attempt (D27). Defects with
 * one message are a line a minute: the way to all receivers may be closed.
 */
const makeUncounted = (clock: Clock.Clock) => {
  const defects = new OncePerMinute<Effect.Effect<void>>(Effect.runFork, () => clock.currentTimeMillisUnsafe())
  return (claim: Claim, defect: unknown): Effect.Effect<undefined> =>
    Effect.map(Effect.context<never>(), (context) => {
      const kind = defect instanceof Error ? defect.message : String(defect)
      defects.note(kind, (times) => Effect.provideContext(logDefect(claim, defect, times), context))
      return undefined
    })
}

const logDefect = ({ deliveryId, endpointId, shop }: Claim, defect: unknown, times: number) =>
  Effect.logError(
    `A defect kept the delivery ${deliveryId} to the endpoint ${endpointId} of the shop ${shop} from being ` +
      "attempted. It does not count, and the delivery is attempted when its lease ends" +
      (times === 1 ? "" : `. This happened ${times} times since the last line`),
    Cause.die(defect),
  ).pipe(logged("deliveries.defect", { shop, endpoint: endpointId, delivery: deliveryId }))

/**
 * Makes the function that approves a claim's host, signs, and sends (§6, D24, D26, D36).
 *
 * It succeeds with `undefined` if nothing could be sent for a reason on our side, which does not count as an attempt
 * (D27).
 */
const makeSend = Effect.gen(function* () {
  const hosts = yield* HostLookup
  const sender = yield* WebhookSender
  const approve = makeApprove(yield* WebhookPolicy, hosts.lookup)
  const { keyOf, standardKeyOf } = yield* makeSigningKeys
  const headersOf = yield* makeDeliveryHeaders
  const ownHeadersOf = yield* makeOpenValue<OwnHeaders>()
  const certificateOf = yield* makeOpenValue<ClientCertificate>()
  const authorize = yield* makeAuthorize
  const uncounted = makeUncounted(yield* Clock.Clock)

  return Effect.fnUntraced(
    function* (claim: Claim, startedAt: Instant, clock: Clock.Clock, trace: AttemptSpan["headers"]) {
      const { addresses, destination } = yield* approve(claim)
      const key = yield* keyOf(claim, signingSecret(claim, startedAt))
      const standard = claim.standardWebhooks
        ? {
            eventId: claim.eventId,
            keys: yield* Effect.forEach(validSecrets(claim, startedAt), (sealed) => standardKeyOf(claim, sealed)),
          }
        : undefined
      const { clientCertificate, headers: owners, payload } = claim.options
      const own = owners === null ? {} : yield* ownHeadersOf(claim.endpointId, owners.sealed)
      const presented = clientCertificate && (yield* certificateOf(claim.endpointId, clientCertificate.sealed))
      const body = bodyFor(payload, claim.body)
      const delivery = { id: claim.deliveryId, event: claim.event, body }
      const headers = yield* headersOf(delivery, startedAt, key, standard)
      const authorized = yield* authorize(claim, own, startedAt + attemptTimeout)
      const timeout = startedAt + attemptTimeout - clock.currentTimeMillisUnsafe()
      if (timeout <= 0) return withoutResponse("timeout")
      const { error, responseStart, retryAfter, statusCode } = yield* sender.send({
        url: destination.href,
        addresses,
        headers: { ...authorized.headers, ...headers, ...trace },
        ...(presented && { clientCertificate: { ...presented, key: Redacted.make(presented.key) } }),
        body,
        timeout,
        connectTimeout,
        responseLimit: maximumResponseStart,
      })
      if (statusCode === 401) yield* authorized.drop
      return { statusCode, responseStart, retryAfter, error: statusCode === null ? error : errorOf(statusCode) }
    },
    Effect.catchTags(unsent),
    (attempt, claim) => Effect.catchDefect(attempt, (defect) => uncounted(claim, defect)),
  )
})

/** An attempt that has ended, and the receiver's `Retry-After`. */
export interface Done {
  readonly attempt: Attempt
  readonly retryAfter: string | null
}

interface UnderWay {
  readonly startedAt: Instant
  readonly end: (outcome: Outcome | undefined) => void
  fiber?: Fiber.Fiber<Outcome | undefined>
}

/** Makes attempts while the scope is open, each with a span if there are `spans`. */
export const makeAttempts = Effect.fnUntraced(function* (spans: DeliverySpans | undefined) {
  const context = yield* Effect.context<KeyRing | Mac.Mac | Aead.Aead | Kdf.Kdf>()
  const run = Effect.runForkWith(context)
  const clock = yield* Clock.Clock
  const send = yield* makeSend
  const metrics = makeAttemptMetrics(context, yield* MetricsShops)
  const underWay = new LinkedSet<UnderWay>()

  /**
   * Begins an attempt, and calls `ended` once when it has ended: with `undefined` if it could not be made for a reason
   * on our side, which does not count (D27).
   */
  const begin = (claim: Claim, ended: (done: Done | undefined) => void): void => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const traced = spans?.begin(claim)
    const one: UnderWay = {
      startedAt,
      end: (outcome) => {
        if (!underWay.remove(place)) return
        traced?.end(outcome)
        if (outcome === undefined) return ended(undefined)
        const durationMs = clock.currentTimeMillisUnsafe() - startedAt
        metrics.ended(claim.shop, outcome, durationMs)
        const { retryAfter, ...logged } = outcome
        ended({ attempt: { number: claim.attempt, at: startedAt, durationMs, ...logged }, retryAfter })
      },
    }
    const place = underWay.add(one)
    const sending = send(claim, startedAt, clock, traced?.headers)
    const fiber = run(
      traced === undefined ? sending : Effect.withParentSpan(sending, traced.span, { captureStackTrace: false }),
    )
    one.fiber = fiber
    fiber.addObserver((exit) => one.end(Exit.isSuccess(exit) ? exit.value : undefined))
  }

  /** Ends attempts that take too long, and returns the milliseconds until the next one may. */
  const endLate = (): number => {
    const now = clock.currentTimeMillisUnsafe()
    for (const { end, fiber, startedAt } of underWay) {
      if (now < startedAt + longestAttempt) return Math.min(startedAt + longestAttempt - now, longestAttempt)
      end(withoutResponse("timeout"))
      fiber?.interruptUnsafe()
    }
    return longestAttempt
  }
  yield* Effect.suspend(() => Effect.sleep(endLate())).pipe(Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { fiber } of underWay) fiber?.interruptUnsafe()
    }),
  )

  return { begin }
})
