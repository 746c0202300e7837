import { Clock, Effect, Metric } from "effect"
import { type Aead, type Kdf, Mac } from "effect/crypto"
import { type Attempt, maximumResponseStart } from "../../model/Delivery.ts"
import type { Instant } from "../../model/Instant.ts"
import type { Claim } from "../../ports/DeliveryQueue.ts"
import { HostLookup } from "../../ports/HostLookup.ts"
import type { KeyRing } from "../../ports/KeyRing.ts"
import { WebhookPolicy } from "../../ports/WebhookPolicy.ts"
import { WebhookSender } from "../../ports/WebhookSender.ts"
import { approve } from "../../rules/Approval.ts"
import { errorOf, isSuccess } from "../../rules/DeliveryState.ts"
import { deliveryHeaders, ServiceName } from "../../support/DeliveryHeaders.ts"
import type { UnopenedSecret } from "../../support/SealedSecret.ts"
import { makeSigningKeys } from "../../support/SigningKeys.ts"
import { attemptTimeout } from "./WorkerOptions.ts"

/** Milliseconds of an attempt that connecting may take (§6). */
const connectTimeout = 3000

/** How an attempt ended: with a response, or why without one. */
type Outcome = Pick<Attempt, "statusCode" | "responseStart" | "error">

const withoutResponse = (error: Attempt["error"]): Outcome => ({ statusCode: null, responseStart: null, error })

/**
 * Makes what makes attempts (§6, D24, D26, D36): a function of a claim that judges the host, signs, sends, and tells how the attempt ended.
 *
 * That function fails only where no attempt could be made for a reason of our own, which counts for nothing (D27).
 */
export const makeAttempt: Effect.Effect<
  (claim: Claim) => Effect.Effect<Attempt, UnopenedSecret>,
  never,
  HostLookup | WebhookSender | Mac.Mac | KeyRing | Aead.Aead | Kdf.Kdf
> = Effect.gen(function* () {
  const hosts = yield* HostLookup
  const sender = yield* WebhookSender
  const mac = yield* Mac.Mac
  const policy = yield* WebhookPolicy
  const serviceName = yield* ServiceName
  const keyOf = yield* makeSigningKeys

  const headersOf = (claim: Claim, startedAt: Instant) =>
    Effect.flatMap(keyOf(claim), (key) =>
      deliveryHeaders({ id: claim.deliveryId, event: claim.event, body: claim.body }, startedAt, key),
    ).pipe(Effect.provideService(Mac.Mac, mac), Effect.provideService(ServiceName, serviceName))

  const send = Effect.fnUntraced(function* (claim: Claim, startedAt: Instant) {
    const { addresses, destination } = yield* approve(claim, policy, hosts.lookup)
    const now = yield* Clock.currentTimeMillis
    if (now >= startedAt + attemptTimeout) return withoutResponse("timeout")
    const response = yield* sender.send({
      url: destination.href,
      addresses,
      headers: yield* headersOf(claim, startedAt),
      body: claim.body,
      timeout: startedAt + attemptTimeout - now,
      connectTimeout,
      responseLimit: maximumResponseStart,
    })
    return { ...response, error: response.statusCode === null ? response.error : errorOf(response.statusCode) }
  })

  return Effect.fnUntraced(function* (claim: Claim) {
    const at = yield* Clock.currentTimeMillis
    const outcome: Outcome = yield* send(claim, at).pipe(
      Effect.catchTag("NotApproved", () => Effect.succeed(withoutResponse("address_refused"))),
      Effect.catchTag("LookupFailed", () => Effect.succeed(withoutResponse("dns"))),
      // The sender keeps to its timeout; this is for a look-up that takes too long.
      Effect.timeoutOrElse({
        duration: attemptTimeout + 100,
        orElse: () => Effect.succeed(withoutResponse("timeout")),
      }),
    )
    const durationMs = (yield* Clock.currentTimeMillis) - at
    yield* Metric.update(attemptsMade(outcomeLabel(outcome)), 1)
    yield* Metric.update(attemptDuration, durationMs / 1000)
    const attempt: Attempt = { number: claim.attempt, at, durationMs, ...outcome }
    return attempt
  })
})

const outcomeLabel = (outcome: Outcome): string => {
  if (isSuccess(outcome)) return "success"
  return outcome.error ?? "refused"
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
