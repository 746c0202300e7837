import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Delivery } from "../../../core/model/Delivery.ts"
import { type Endpoint, maximumEndpoints } from "../../../core/model/Endpoint.ts"
import type { Order } from "../../../core/model/Order.ts"
import type { OrderPage } from "../../../core/model/Page.ts"
import { listDeliveries } from "../../../core/usecases/ManageDeliveries.ts"
import { listEndpoints } from "../../../core/usecases/ManageEndpoints.ts"
import { listOrders } from "../../../core/usecases/ReadOrders.ts"
import { show } from "../Page.tsx"
import { EndpointBadge } from "../parts/EndpointBadge.tsx"
import { Icon } from "../parts/Icon.tsx"
import { money } from "../parts/Money.ts"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const day = 24 * 60 * 60 * 1000

/** So many orders are shown. */
const newest = 5

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const endpoints = yield* listEndpoints(shop.id)
  const logs = yield* Effect.forEach(endpoints, ({ id }) => listDeliveries(shop.id, id), {
    concurrency: maximumEndpoints,
  })
  const { page } = yield* listOrders(shop.id, { limit: newest })
  const { data, pagination } = JSON.parse(page.text) as OrderPage
  const recent = logs.flat().filter(({ createdAt }) => visit.now - Date.parse(createdAt) < day)
  const response = yield* show({
    title: "Overview",
    section: "overview",
    content: (
      <>
        <div class="title">
          <div>
            <h1>Overview</h1>
            <p>
              <bdi>{shop.domain}</bdi>
            </p>
          </div>
        </div>
        <Numbers deliveries={recent} orders={pagination.total} />
        <Attention endpoints={endpoints} visit={visit} />
        <section class="card" aria-labelledby="orders">
          <header>
            <h2 id="orders">Newest orders</h2>
          </header>
          {data.length === 0 ? (
            <div class="empty">
              <Icon name="store" />
              <p>No order with custom items has come in yet.</p>
            </div>
          ) : (
            <ul class="orders">
              {data.map((order) => (
                <OrderItem key={order.id} order={order} now={visit.now} />
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  })
  const pictures = data.flatMap(({ designs }) => designs.slice(0, shownDesigns).map(({ thumbnail }) => thumbnail))
  return HttpServerResponse.setHeader(response, "content-security-policy", visit.site.policy(pictures))
})

/** Of an order with more designs the first are shown. */
const shownDesigns = 4

const median = (values: ReadonlyArray<number>): number | undefined =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) / 2)]

const Numbers = ({ deliveries, orders }: { readonly deliveries: ReadonlyArray<Delivery>; readonly orders: number }) => {
  const count = (status: Delivery["status"]) => deliveries.filter((delivery) => delivery.status === status).length
  const duration = median(deliveries.flatMap(({ attempts }) => attempts.map(({ durationMs }) => durationMs)))
  return (
    <section aria-label="The last 24 hours" class="stack tight">
      <dl class="numbers">
        <div class="card">
          <dt>Delivered</dt>
          <dd class="good">{count("succeeded")}</dd>
        </div>
        <div class="card">
          <dt>Failed</dt>
          <dd class={count("failed") === 0 ? "" : "bad"}>{count("failed")}</dd>
        </div>
        <div class="card">
          <dt>Pending</dt>
          <dd>{count("pending")}</dd>
        </div>
        <div class="card">
          <dt>Median answer</dt>
          <dd>{duration === undefined ? "–" : `${duration} ms`}</dd>
        </div>
        <div class="card">
          <dt>Orders, all time</dt>
          <dd>{orders}</dd>
        </div>
      </dl>
      <p class="hint">Deliveries of the last 24 hours, of the newest 50 of each endpoint.</p>
    </section>
  )
}

const Attention = ({
  endpoints,
  visit,
}: {
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly visit: Visit["Service"]
}) => {
  const troubled = endpoints.filter(({ consecutiveFailures, status }) => status !== "active" || consecutiveFailures > 0)
  if (endpoints.length === 0) {
    return (
      <section class="card">
        <div class="empty">
          <Icon name="webhook" />
          <h2>Tell your systems what was ordered</h2>
          <p>Add a webhook endpoint, and send it a test event at once.</p>
          <a class="button main" href={`${visit.root}webhooks`}>
            Webhooks
          </a>
        </div>
      </section>
    )
  }
  return (
    <section class="card" aria-labelledby="attention">
      <header>
        <h2 id="attention">Webhooks</h2>
        {troubled.length === 0 && (
          <span class="badge good">
            <Icon name="check" /> All in order
          </span>
        )}
      </header>
      <ul class="plain">
        {(troubled.length === 0 ? endpoints : troubled).map((endpoint) => (
          <li key={endpoint.id}>
            <a class="mono" href={`${visit.root}webhooks/${endpoint.id}`}>
              <bdi>{endpoint.url}</bdi>
            </a>
            <EndpointBadge endpoint={endpoint} now={visit.now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const OrderItem = ({ now, order }: { readonly order: Order; readonly now: number }) => (
  <li>
    <p class="order">
      <strong>
        <bdi>{order.name}</bdi>
      </strong>
      <span class={order.status === "cancelled" ? "badge" : "badge good"}>{order.status}</span>
      <span>{money(order.total, order.currency)}</span>
      <span class="hint">
        <Time at={order.orderedAt} now={now} />
      </span>
    </p>
    <ul class="designs">
      {order.designs.slice(0, shownDesigns).map((design) => (
        <li key={design.id}>
          <img src={design.thumbnail} alt="" width="48" height="48" loading="lazy" />
          <div>
            <p>
              <bdi>{design.customizer.title}</bdi>
            </p>
            <p class="hint">
              <bdi>
                {design.summary
                  .map(({ key, value }) => `${key}: ${typeof value === "string" ? value : value.join(", ")}`)
                  .join(" · ")
                  .slice(0, 300)}
              </bdi>
            </p>
          </div>
        </li>
      ))}
      {order.designs.length > shownDesigns && <li class="hint">{`and ${order.designs.length - shownDesigns} more`}</li>}
    </ul>
  </li>
)

/** The app's first page: whether all is well, at a glance. */
export const overviewRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/", for: "store", answer: page }]
