import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { maximumFailures } from "../../../core/rules/EndpointState.ts"
import type { Visit } from "../Visit.ts"
import { Icon } from "./Icon.tsx"
import { Time } from "./Time.tsx"

/** Shown on every page while endpoints are switched off (§3). */
export const SwitchedOffBanner = ({
  endpoints,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly endpoints: ReadonlyArray<Endpoint>
}) => (
  <section class="banner" aria-label="Webhooks that are switched off">
    <Icon name="warning" />
    <div class="notice-body">
      {endpoints.map(({ id, switchedOffAt, url }) => (
        <p key={id}>
          <strong>A webhook endpoint was switched off</strong>{" "}
          {switchedOffAt !== null && <Time at={switchedOffAt} now={visit.now} />}
          {`, after ${maximumFailures} failed attempts in a row: `}
          <a href={`${visit.root}webhooks/${id}`}>
            <bdi>{url}</bdi>
          </a>
        </p>
      ))}
    </div>
  </section>
)
