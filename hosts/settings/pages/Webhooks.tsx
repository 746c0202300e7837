import { Effect } from "effect"
import { maximumEndpoints } from "../../../core/model/Endpoint.ts"
import { includesApi } from "../../../core/model/Shop.ts"
import { listEndpoints } from "../../../core/usecases/ManageEndpoints.ts"
import { type EndpointDay, readActivity } from "../../../core/usecases/ReadActivity.ts"
import { show } from "../Page.tsx"
import { DayBar } from "../parts/DayBar.tsx"
import { EndpointBadge } from "../parts/EndpointBadge.tsx"
import { Icon } from "../parts/Icon.tsx"
import { Kinds } from "../parts/Kinds.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const endpoints = yield* listEndpoints(shop.id)
  const activity = yield* readActivity(shop.id)
  const days = new Map(activity.endpoints.map((day) => [day.endpointId, day]))
  const included = includesApi(shop.plan)
  const full = endpoints.length >= maximumEndpoints
  return yield* show({
    title: "Webhooks",
    section: "webhooks",
    content: (
      <>
        <div class="title">
          <div>
            <h1>Webhooks</h1>
            <p>A signed request tells your systems when a design is ordered or an order is cancelled.</p>
          </div>
          <div class="actions">
            <span class="hint">{`${endpoints.length} of ${maximumEndpoints} used`}</span>
            {included && !full && (
              <a class="button main" href={`${visit.root}webhooks/new`}>
                Add endpoint
              </a>
            )}
          </div>
        </div>
        {!included && (
          <p class="notice bad">
            <Icon name="warning" />
            <span>
              Webhooks are part of the Pro and Plus plans. This store is on the free plan: nothing is sent, and
              endpoints can't be added.
            </span>
          </p>
        )}
        {endpoints.length === 0 && included && (
          <section class="card">
            <div class="empty">
              <Icon name="webhook" />
              <h2>No endpoints yet</h2>
              <p>
                Add the address of a system of yours. You can send it a test event at once, and see what it answers.
              </p>
              <a class="button main" href={`${visit.root}webhooks/new`}>
                Add the first endpoint
              </a>
            </div>
          </section>
        )}
        {endpoints.length > 0 && (
          <ul class="stack">
            {endpoints.map((endpoint) => (
              <li key={endpoint.id} class="card endpoint">
                <div class="stack tight">
                  <p>
                    <EndpointBadge endpoint={endpoint} now={visit.now} />
                  </p>
                  <h2>
                    <a href={`${visit.root}webhooks/${endpoint.id}`} class="clamped">
                      <bdi>{endpoint.url}</bdi>
                    </a>
                  </h2>
                  {endpoint.description !== "" && (
                    <p class="hint">
                      <bdi>{endpoint.description}</bdi>
                    </p>
                  )}
                  <Kinds kinds={endpoint.events} />
                </div>
                <Pulse day={days.get(endpoint.id)} visit={visit} />
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  })
})

/** How the last 24 hours of an endpoint were. */
const Pulse = ({ day, visit }: { readonly day: EndpointDay | undefined; readonly visit: Visit["Service"] }) => (
  <div class="pulse">
    {day !== undefined && <DayBar day={day} />}
    <p class="hint">
      {day === undefined || day.latest === null ? (
        "Nothing delivered yet"
      ) : (
        <>
          Last delivery <Time at={day.latest} now={visit.now} />
        </>
      )}
    </p>
  </div>
)

/** The list of a store's webhook endpoints. */
export const webhookRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/webhooks", for: "store", answer: page }]
