/** Attempts of deliveries, made and settled like a worker does, with a scripted outcome. */
import { Context, Effect } from "effect"
import type { Health } from "../../../core/model/Health.ts"
import type { Attempt } from "../../../core/model/webhooks/Delivery.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { inTurn } from "../../suites/storage/support/TurnQueue.ts"

/** Outcome of an attempt. */
export type Outcome = Pick<Attempt, "statusCode" | "responseStart" | "error">

/** How long an attempt took, in milliseconds. */
const durationMs = 123

/**
 * Attempts everything due of a shop with one outcome: 200 succeeds, anything else is retried in a minute. Returns the
 * start time; the attempts end now.
 */
export const attempted = Effect.fnUntraced(function* (
  ports: Context.Context<DeliveryQueue>,
  shop: string,
  outcome: Outcome,
  health: Partial<Health> = {},
) {
  const queue = Context.get(ports, DeliveryQueue)
  const at = Date.now()
  const startedAt = at - durationMs
  const claims = yield* inTurn(queue).claim({
    now: at,
    limit: 100,
    perShop: 100,
    perEndpoint: 100,
    probation: { limit: 100, troubled: 100, perEndpoint: 100 },
    busy: [],
    leaseUntil: at + 60_000,
    token: unique(),
  })
  const failed = outcome.statusCode !== 200
  const settlements = claims
    .filter((claim) => claim.shop === shop)
    .map((claim) => ({
      claim,
      attempt: { number: claim.attempt, at: startedAt, durationMs, ...outcome },
      status: failed ? ("pending" as const) : ("succeeded" as const),
      nextAttemptAt: failed ? at + 60_000 : null,
    }))
  yield* queue.release(claims.filter((claim) => claim.shop !== shop))
  yield* queue.settle(settlements, (before) => ({ ...before, ...health }))
  return startedAt
})
