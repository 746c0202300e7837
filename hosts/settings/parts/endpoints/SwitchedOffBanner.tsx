import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { maximumFailures } from "../../../../core/rules/webhooks/EndpointState.ts"
import type { Visit } from "../../Visit.ts"
import { Icon } from "../Icon.tsx"
import { Time } from "../Time.tsx"

/** Shown on every page while endpoints are switched off (§3). */
export const SwitchedOffBanner = ({
  endpoints,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly endpoints: ReadonlyArray<Endpoint>
}) => (
  <section class="banner" aria-label={visit.texts.notices.bannerLabel}>
    <Icon name="warning" />
    <div class="notice-body">
      {endpoints.map(({ id, switchedOffAt, url }) => (
        <p key={id}>
          <strong>{visit.texts.notices.banner}</strong>{" "}
          {switchedOffAt !== null && <Time at={switchedOffAt} now={visit.now} />}
          {visit.texts.notices.bannerReason(maximumFailures)}
          <a href={`${visit.root}webhooks/${id}`}>
            <bdi>{url}</bdi>
          </a>
        </p>
      ))}
    </div>
  </section>
)
