import { Effect } from "effect"
import { format } from "../../../core/model/Instant.ts"
import { includesApi, type Shop } from "../../../core/model/shops/Shop.ts"
import { type Endpoint, maximumEndpoints } from "../../../core/model/webhooks/Endpoint.ts"
import { type EndpointActivity, readActivity } from "../../../core/usecases/shops/ReadActivity.ts"
import { listEndpoints } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { renderStorePage } from "../Page.tsx"
import { DayBar } from "../parts/ActivityChart.tsx"
import { ChangeLink } from "../parts/ChangeLink.tsx"
import { EndpointBadge, EventKinds } from "../parts/endpoints/EndpointBadge.tsx"
import { FullNotice, PlanNotice } from "../parts/FlashBox.tsx"
import { PageTitle, Region } from "../parts/Layout.tsx"
import { Empty } from "../parts/List.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const texts = visit.texts.webhooks
  const { shop } = yield* CurrentShop
  const endpoints = yield* listEndpoints(shop.id)
  const activity = yield* readActivity(shop.id, "24h")
  const days = new Map(activity.endpoints.map((day) => [day.endpointId, day]))
  const included = includesApi(shop.plan)
  const isFull = endpoints.length >= maximumEndpoints
  return yield* renderStorePage({
    title: texts.title,
    section: "webhooks",
    content: (
      <>
        <PageTitle
          actions={
            <div class="actions">
              <span class="hint">{texts.used(endpoints.length, maximumEndpoints)}</span>
              {included && !isFull && (
                <ChangeLink visit={visit} class="button main" href={`${visit.root}webhooks/new`}>
                  {texts.create}
                </ChangeLink>
              )}
            </div>
          }
        >
          <h1>{texts.title}</h1>
          <p>{texts.lead}</p>
        </PageTitle>
        <Region name="endpoints">
          {!included && <PlanNotice />}
          {included && isFull && <FullNotice text={texts.full(maximumEndpoints)} />}
          {endpoints.length === 0 && included && <NoEndpoints visit={visit} />}
          {endpoints.length > 0 && (
            <ul class="stack">
              {endpoints.map((endpoint) => (
                <EndpointItem
                  key={endpoint.id}
                  endpoint={endpoint}
                  shop={shop}
                  day={days.get(endpoint.id)}
                  visit={visit}
                />
              ))}
            </ul>
          )}
        </Region>
      </>
    ),
  })
})

const NoEndpoints = ({ visit }: { readonly visit: Visit["Service"] }) => (
  <section class="card">
    <Empty icon="webhook" title={visit.texts.webhooks.none}>
      <p>{visit.texts.webhooks.noneLead}</p>
      <ChangeLink visit={visit} class="button main" href={`${visit.root}webhooks/new`}>
        {visit.texts.webhooks.createFirst}
      </ChangeLink>
    </Empty>
  </section>
)

const EndpointItem = ({
  day,
  endpoint,
  shop,
  visit,
}: {
  readonly endpoint: Endpoint
  readonly shop: Shop
  readonly day: EndpointActivity | undefined
  readonly visit: Visit["Service"]
}) => (
  <li class="card endpoint">
    <div class="stack tight">
      <p>
        <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
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
      <EventKinds kinds={endpoint.events} />
    </div>
    <div class="pulse">
      {day !== undefined && <DayBar day={day} />}
      <p class="hint">
        {day === undefined || day.latest === null ? (
          visit.texts.webhooks.nothing
        ) : (
          <>
            {visit.texts.webhooks.latest(<Time at={format(day.latest)} now={visit.now} />)}
            {day.pending > 0 && visit.texts.webhooks.pending(day.pending)}
          </>
        )}
      </p>
    </div>
  </li>
)

/** The list of a store's webhook endpoints. */
export const webhookRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/webhooks", for: "store", handler: page }]
