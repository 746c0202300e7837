/** Attempts of deliveries, as a worker makes and settles them, with the outcome that a test says. */
import { Context, Effect } from "effect"
import type { Attempt } from "../../core/model/Delivery.ts"
import type { Health } from "../../core/model/Health.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { unique } from "../storage/Fixtures.ts"

/** How an attempt ends. */
export type Outcome = Pick<Attempt, "statusCode" | "responseStart" | "error">

/** Attempts what is due of a shop, all of it with the same outcome: 200 succeeds, anything else is tried again in a minute. Answers when it began. */
export const attempted = Effect.fnUntraced(function* (
  ports: Context.Context<DeliveryQueue>,
  shop: string,
  outcome: Outcome,
  health: Partial<Health> = {},
) {
  const queue = Context.get(ports, DeliveryQueue)
  const at = Date.now()
  const claims = yield* queue.claim({
    now: at,
    limit: 100,
    perShop: 100,
    perEndpoint: 100,
    unproven: { limit: 100, perEndpoint: 100 },
    busy: [],
    leaseUntil: at + 60_000,
    token: unique(),
  })
  const failed = outcome.statusCode !== 200
  const settlements = claims
    .filter((claim) => claim.shop === shop)
    .map((claim) => ({
      claim,
      attempt: { number: claim.attempt, at, durationMs: 123, ...outcome },
      status: failed ? ("pending" as const) : ("succeeded" as const),
      nextAttemptAt: failed ? at + 60_000 : null,
    }))
  yield* queue.release(claims.filter((claim) => claim.shop !== shop))
  yield* queue.settle(settlements, (before) => ({ ...before, ...health }))
  return at
})
