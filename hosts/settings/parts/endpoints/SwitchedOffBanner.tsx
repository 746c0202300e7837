import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { maximumFailures } from "../../../../core/rules/webhooks/EndpointState.ts"
import type { Visit } from "../../Visit.ts"
import { Icon } from "../Icon.tsx"
import { Time } from "../Time.tsx"
import { nameOf } from "./UrlHeading.tsx"
import { type Recent, Why } from "./Why.tsx"

/** Shown on every page while endpoints are switched off (§3). */
export const SwitchedOffBanner = ({
  endpoints,
  recent,
  visit,
}: {
  readonly recent: Recent
  readonly visit: Visit["Service"]
  readonly endpoints: ReadonlyArray<Endpoint>
}) => (
  <section class="banner" aria-label={visit.texts.notices.bannerLabel}>
    <Icon name="warning" />
    <div class="notice-body">
      {endpoints.map((endpoint) => (
        <div key={endpoint.id}>
          <p>
            <strong>{visit.texts.notices.banner}</strong>{" "}
            {endpoint.switchedOffAt !== null && <Time at={endpoint.switchedOffAt} now={visit.now} />}
            {visit.texts.notices.bannerReason(maximumFailures)}
            <a href={`${visit.root}webhooks/${endpoint.id}`}>
              <bdi>{nameOf(endpoint)}</bdi>
            </a>
          </p>
          <Why endpoint={endpoint} recent={recent} visit={visit} />
        </div>
      ))}
    </div>
  </section>
)
