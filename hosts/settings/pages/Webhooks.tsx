import { Effect } from "effect"
import { maximumEndpoints } from "../../../core/model/Endpoint.ts"
import { includesApi } from "../../../core/model/Shop.ts"
import { listDeliveries } from "../../../core/usecases/ManageDeliveries.ts"
import { listEndpoints } from "../../../core/usecases/ManageEndpoints.ts"
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
  const endpoints = yield* Effect.forEach(
    yield* listEndpoints(shop.id),
    (endpoint) => Effect.map(listDeliveries(shop.id, endpoint.id), (deliveries) => ({ endpoint, deliveries })),
    { concurrency: maximumEndpoints },
  )
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
            <p>Your systems are told by a signed request when a design is ordered or an order is cancelled.</p>
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
        {endpoints.length === 0 ? (
          <section class="card">
            <div class="empty">
              <Icon name="webhook" />
              <h2>No endpoints yet</h2>
              <p>
                Add the address of a system of yours. You can send it a test event at once, and see what it answers.
              </p>
            </div>
          </section>
        ) : (
          <ul class="stack">
            {endpoints.map(({ deliveries, endpoint }) => (
              <li key={endpoint.id} class="card endpoint">
                <div class="stack tight">
                  <p>
                    <EndpointBadge endpoint={endpoint} now={visit.now} />
                  </p>
                  <h2>
                    <a href={`${visit.root}webhooks/${endpoint.id}`}>
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
                <div class="pulse">
                  <DayBar deliveries={deliveries} now={visit.now} />
                  <p class="hint">
                    {deliveries[0] === undefined ? (
                      "Nothing delivered yet"
                    ) : (
                      <>
                        Last delivery <Time at={deliveries[0].createdAt} now={visit.now} />
                      </>
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </>
    ),
  })
})

/** The list of a store's webhook endpoints. */
export const webhookRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/webhooks", for: "store", answer: page }]
