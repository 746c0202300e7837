import { includesApi, type Shop } from "../../../../core/model/shops/Shop.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { maximumFailures } from "../../../../core/rules/webhooks/EndpointState.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { Time } from "../Time.tsx"

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
  const { badges } = useTexts()
  const since = switchedOffAt !== null && <Time at={switchedOffAt} now={now} />
  if (!includesApi(shop.plan)) return <span class="badge warn">{badges.free}</span>
  if (status === "switched_off") return <span class="badge bad">{badges.switchedOff(since)}</span>
  if (status === "paused") return <span class="badge">{badges.paused(since)}</span>
  return consecutiveFailures === 0 ? (
    <span class="badge good">{badges.active}</span>
  ) : (
    <span class="badge warn">{badges.failing(consecutiveFailures, maximumFailures)}</span>
  )
}

/** The kinds of events that an endpoint receives. */
export const EventKinds = ({ kinds }: { readonly kinds: ReadonlyArray<string> }) => (
  <ul class="tags" aria-label={useTexts().endpointFields.events}>
    {kinds.map((kind) => (
      <li key={kind} class="badge mono">
        {kind}
      </li>
    ))}
  </ul>
)
