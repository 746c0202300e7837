import { format } from "../../../../core/model/Instant.ts"
import type { Attempt } from "../../../../core/model/webhooks/Delivery.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { troubleOf } from "../../../../core/rules/webhooks/EndpointState.ts"
import type { VisitProps } from "../../Visit.ts"
import { cut } from "../catalog/Cut.ts"
import { outcomeOf } from "../deliveries/Outcome.tsx"
import { Time } from "../Time.tsx"

/** The newest attempts of endpoints, the last first. */
export type Recent = ReadonlyArray<{ readonly endpointId: string; readonly recent: ReadonlyArray<Attempt> }>

/** The beginning of an answer, unless it is a page or was said before. */
const bodyOf = ({ error, responseStart }: Attempt): string =>
  error !== null || responseStart === null || responseStart.startsWith("<") ? "" : cut(responseStart.trim(), 80)

/** In one line, what the receiver of a failing endpoint last answered, and since when it fails. */
export const Why = ({
  endpoint,
  recent,
  visit,
}: VisitProps & { readonly endpoint: Endpoint; readonly recent: Recent }) => {
  const own = recent.find(({ endpointId }) => endpointId === endpoint.id)?.recent ?? []
  const trouble = troubleOf(endpoint.consecutiveFailures, own)
  if (trouble === undefined) return null
  const { last, since } = trouble
  const time = (at: number) => <Time at={format(at)} now={visit.now} />
  const body = bodyOf(last)
  const answer = (
    <>
      <strong>{outcomeOf(last, visit.texts)}</strong> {body !== "" && <bdi>{body}</bdi>}
    </>
  )
  return <p class="why">{visit.texts.badges.why(answer, time(last.at), since !== null && time(since))}</p>
}
