import type { Endpoint } from "../../../core/model/Endpoint.ts"
import type { Visit } from "../Visit.ts"
import { Icon } from "./Icon.tsx"
import { Time } from "./Time.tsx"

/** Stands above every page while endpoints are switched off (§3). */
export const SwitchedOff = ({
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
          {", after 20 failed attempts in a row: "}
          <a href={`${visit.root}webhooks/${id}`}>
            <bdi>{url}</bdi>
          </a>
        </p>
      ))}
    </div>
  </section>
)
