import { Effect } from "effect"
import { includesApi } from "../../../core/model/shops/Shop.ts"
import { maximumEndpoints } from "../../../core/model/webhooks/Endpoint.ts"
import { readActivity } from "../../../core/usecases/shops/ReadActivity.ts"
import { listEndpoints } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { currentRequest } from "../CurrentRecord.ts"
import { renderStorePage } from "../Page.tsx"
import { ChangeLink } from "../parts/ChangeLink.tsx"
import { EndpointTable } from "../parts/endpoints/EndpointTable.tsx"
import { FullNotice, PlanNotice } from "../parts/FlashBox.tsx"
import { PageTitle, Region } from "../parts/Layout.tsx"
import { Empty } from "../parts/List.tsx"
import { currentQuery } from "../Query.ts"
import type { Route } from "../Routes.ts"
import type { VisitProps } from "../Visit.ts"

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const texts = visit.texts.webhooks
  const endpoints = yield* listEndpoints(shop.id)
  const activity = yield* readActivity(shop.id, "24h")
  const sort = (yield* currentQuery).get("sort")
  const included = includesApi(shop.plan)
  const isFull = endpoints.length >= maximumEndpoints
  return yield* renderStorePage(
    { title: texts.title, section: "webhooks", saysOff: true },
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
        title={texts.title}
        lead={texts.lead}
      />
      <Region name="endpoints">
        {!included && <PlanNotice />}
        {included && isFull && <FullNotice text={texts.full(maximumEndpoints)} />}
        {endpoints.length === 0 && included && <NoEndpoints visit={visit} />}
        {endpoints.length > 0 && (
          <section class="card" aria-label={texts.title}>
            <EndpointTable {...{ visit, shop, endpoints, sort }} days={activity.endpoints} />
          </section>
        )}
      </Region>
    </>,
  )
})

const NoEndpoints = ({ visit }: VisitProps) => (
  <section class="card">
    <Empty icon="webhook" title={visit.texts.webhooks.none}>
      <p>{visit.texts.webhooks.noneLead}</p>
      <ChangeLink visit={visit} class="button main" href={`${visit.root}webhooks/new`}>
        {visit.texts.webhooks.createFirst}
      </ChangeLink>
    </Empty>
  </section>
)

/** The list of a store's webhook endpoints. */
export const webhookRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/webhooks", for: "store", handler: page }]
