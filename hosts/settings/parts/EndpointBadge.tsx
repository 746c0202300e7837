import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { maximumFailures } from "../../../core/rules/EndpointState.ts"
import { Time } from "./Time.tsx"

/** The state of an endpoint. */
export const EndpointBadge = ({
  endpoint: { consecutiveFailures, status, switchedOffAt },
  now,
}: {
  readonly endpoint: Endpoint
  readonly now: number
}) => {
  if (status === "switched_off") {
    return <span class="badge bad">Switched off {switchedOffAt !== null && <Time at={switchedOffAt} now={now} />}</span>
  }
  return consecutiveFailures === 0 ? (
    <span class="badge good">Active</span>
  ) : (
    <span class="badge warn">{`Failing, ${consecutiveFailures} of ${maximumFailures}`}</span>
  )
}
