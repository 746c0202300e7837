import { Clock, Effect } from "effect"
import { InvalidInput } from "../../model/Errors.ts"
import { reader } from "../../model/Input.ts"
import { format, type Instant, parse } from "../../model/Instant.ts"
import { type Activity, ActivityInput, figuresOf } from "../../model/shops/Activity.ts"
import { hour, hourOf, sum } from "../../model/webhooks/AttemptCounts.ts"
import { DeliveryLog } from "../../ports/DeliveryLog.ts"
import { endpointOf } from "../../support/ShopRecords.ts"

const read = reader(ActivityInput)

/** The hours of 24, that in which a time is included. */
const day = 23 * hour

/**
 * Counts what an endpoint was sent in whole hours, and what is pending (D60). Hours are kept for 30 days. Fails with
 * `NotFound`, `InvalidInput`.
 */
export const readEndpointActivity = Effect.fn("ReadEndpointActivity")(function* (
  shopId: string,
  endpointId: string,
  input: ActivityInput,
) {
  const { endpoint, shop } = yield* endpointOf(shopId, endpointId)
  const { from, to } = yield* Effect.fromResult(read(input))
  // The schema has validated them.
  const until = to === undefined ? yield* Clock.currentTimeMillis : (parse(to) as Instant)
  const begin = hourOf(from === undefined ? until - day : (parse(from) as Instant))
  if (begin > until) {
    const message = "must not be before `from`"
    return yield* new InvalidInput({ message: `to: ${message}`, problems: [{ path: "to", message }] })
  }
  const log = yield* DeliveryLog
  // The hour that begins just now has attempts already.
  const end = to === undefined ? hourOf(until) + hour : Math.ceil(until / hour) * hour
  const all = yield* log.activity(shop.id, { from: begin, until: end, step: hour })
  const { pending = 0, steps = [] } = all.find((each) => each.endpointId === endpoint.id) ?? {}
  const activity: Activity = {
    from: format(begin),
    to: format(until),
    pending,
    ...figuresOf(sum(steps)),
    hours: steps
      .toSorted((one, other) => one.at - other.at)
      .map((counts) => ({ at: format(counts.at), ...figuresOf(counts) })),
  }
  return activity
})
