import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { includesApi, type Shop } from "../../../core/model/Shop.ts"
import { maximumFailures } from "../../../core/rules/EndpointState.ts"
import { Time } from "./Time.tsx"

/** The state of an endpoint of a store. */
export const EndpointBadge = ({
  endpoint: { consecutiveFailures, status, switchedOffAt },
  now,
  shop,
}: {
  readonly endpoint: Endpoint
  readonly now: number
  readonly shop: Pick<Shop, "plan">
}) => {
  if (!includesApi(shop.plan)) return <span class="badge warn">Nothing is sent on the free plan</span>
  if (status === "switched_off") {
    return <span class="badge bad">Switched off {switchedOffAt !== null && <Time at={switchedOffAt} now={now} />}</span>
  }
  if (status === "paused") {
    return <span class="badge">Paused {switchedOffAt !== null && <Time at={switchedOffAt} now={now} />}</span>
  }
  return consecutiveFailures === 0 ? (
    <span class="badge good">Active</span>
  ) : (
    <span class="badge warn">{`Failing, ${consecutiveFailures} of ${maximumFailures}`}</span>
  )
}
