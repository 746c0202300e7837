import { Clock, Effect } from "effect"
import { InvalidInput } from "../../model/Errors.ts"
import { reader } from "../../model/Input.ts"
import { type Instant, parse } from "../../model/Instant.ts"
import { isStorable } from "../../model/Text.ts"
import { type ResendFilter, ResendInput, type Resent } from "../../model/webhooks/Resend.ts"
import { decode, encode, type ResendRun } from "../../model/webhooks/ResendRun.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../ports/DeliveryQueue.ts"
import * as AuditRules from "../../rules/audit/AuditRules.ts"
import { logEntry, newOccasion } from "../../support/Auditing.ts"
import { newId } from "../../support/NewId.ts"
import { endpointOf, requireWebhooks } from "../../support/ShopRecords.ts"

/** The most deliveries that a step sends again: a few hundred milliseconds of a store's time. */
const stepLimit = 1000

/** The milliseconds after which a request begins no further step. */
const requestTime = 2000

/** The most deliveries that a request sends again. */
const requestLimit = 10_000

const read = reader(ResendInput)

const wrong = (path: string, message: string) =>
  new InvalidInput({ message: `The input is not valid: ${path}: ${message}`, problems: [{ path, message }] })

// The schema has validated it.
const instantOf = (text: string | undefined): Instant | null => (text === undefined ? null : (parse(text) as Instant))

/**
 * Reads what to send again, and the run to continue with, or a new one without `next`. `ids` names deliveries. Fails
 * with `InvalidInput`.
 */
export const readResend = Effect.fnUntraced(function* (input: ResendInput, ids: ReadonlyArray<string> | null = null) {
  const { from, kind = null, next, state = null, tests = false, to } = yield* Effect.fromResult(read(input))
  const run = next === undefined ? yield* newRun : decode(next)
  if (run === undefined) return yield* wrong("next", "is not the `next` of an answer to this request")
  const end = instantOf(to)
  const begin = instantOf(from)
  if (end !== null && begin !== null && begin >= end) return yield* wrong("to", "must be after `from`")
  const until = end === null ? run.began : Math.min(end, run.began)
  const filter: ResendFilter = { state, kind, tests, from: begin, until, ids: ids?.filter(isStorable) ?? null }
  return { filter, run }
})

const newRun = Effect.gen(function* () {
  const run: ResendRun = {
    run: (yield* newId("dlv_")).slice("dlv_".length),
    began: yield* Clock.currentTimeMillis,
    after: null,
  }
  return run
})

/** What to send again and the run that does, as {@link readResend} returns it. */
export type ReadResend = Effect.Success<ReturnType<typeof readResend>>

/**
 * Counts the deliveries that a run would add: of each event with a delivery that the filter finds one, unless one waits
 * already. Fails with `NotFound`.
 */
export const countResend = Effect.fn("ResendDeliveries.count")(function* (
  shopId: string,
  endpointId: string,
  filter: ResendFilter,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  return yield* DeliveryLog.use((log) => log.resendable(shop.id, endpoint.id, filter))
})

/**
 * The result of a step: how many deliveries it sends again, and the run to continue with, `null` after the last step.
 */
export interface Stepped {
  readonly sent: number
  readonly added: number
  readonly run: ResendRun | null
}

/**
 * Takes the next step of a run: at most `limit` deliveries, with an entry of their number (D59). If it is repeated, it
 * adds nothing twice. Fails with
 * `NotFound`, and with `PlanRequired` if the shop's plan does not include webhooks (D8).
 */
export const resendStep = Effect.fn("ResendDeliveries.step")(function* (
  shopId: string,
  endpointId: string,
  { filter, run }: ReadResend,
  limit = stepLimit,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  yield* requireWebhooks(shop)
  // A run may continue on a host whose clock is behind the first host's.
  const now = Math.max(run.began, yield* Clock.currentTimeMillis)
  const audited = AuditRules.resending(yield* newOccasion, endpoint)
  const step = { shop: shop.id, endpointId: endpoint.id, filter, after: run.after, limit, run: run.run, now, audited }
  const { added, after, sent } = yield* DeliveryQueue.use((queue) => queue.resend(step))
  if (added > 0) yield* logEntry(audited(added))
  const done: Stepped = { sent, added, run: after === null ? null : { ...run, after } }
  return done
})

/**
 * Sends the deliveries of the log that the filter finds again, as new deliveries with the same event ids and bodies
 * (D22, D29), at most one of an event; none of an event that already has a pending delivery to the endpoint. Finished
 * deliveries are found, oldest first, and tests only if `tests` is true.
 *
 * Returns their number. If they are too many for one request, `next` continues with the rest: at most 10,000, or as
 * many as two seconds allow.
 *
 * Fails with `NotFound`, `InvalidInput`, and `PlanRequired` if the shop's plan does not include webhooks (D8).
 */
export const resend = Effect.fn("ResendDeliveries.resend")(function* (
  shopId: string,
  endpointId: string,
  input: ResendInput,
) {
  yield* endpointOf(shopId, endpointId)
  let { filter, run } = yield* readResend(input)
  const deadline = (yield* Clock.currentTimeMillis) + requestTime
  let [deliveries, sent] = [0, 0]
  while (true) {
    const step = yield* resendStep(shopId, endpointId, { filter, run })
    deliveries += step.added
    sent += step.sent
    if (step.run === null) return { deliveries, next: null } satisfies Resent
    run = step.run
    const isTime = (yield* Clock.currentTimeMillis) >= deadline
    if (isTime || sent >= requestLimit) return { deliveries, next: encode(run) } satisfies Resent
  }
})
