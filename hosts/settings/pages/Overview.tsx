import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Order } from "../../../core/model/orders/Order.ts"
import type { OrderPage } from "../../../core/model/Page.ts"
import { includesApi, type Shop } from "../../../core/model/shops/Shop.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import type { InboxTrouble } from "../../../core/ports/Inbox.ts"
import { endFirstRun, readFirstRun } from "../../../core/usecases/access/FirstRun.ts"
import { readTrouble } from "../../../core/usecases/ingest/ReadInbox.ts"
import { listOrders } from "../../../core/usecases/orders/ReadOrders.ts"
import type { OrderView } from "../../../core/usecases/orders/SearchOrders.ts"
import { readActivity } from "../../../core/usecases/shops/ReadActivity.ts"
import { listEndpoints } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { readNotices } from "../../../core/usecases/webhooks/ReadNotices.ts"
import { logChange } from "../ChangeLog.ts"
import { currentRequest } from "../CurrentRecord.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { ActivityCard, rangeOf } from "../parts/ActivityCard.tsx"
import { Card } from "../parts/Card.tsx"
import { OrderItem } from "../parts/catalog/OrderItem.tsx"
import { EndpointBadge } from "../parts/endpoints/EndpointBadge.tsx"
import { EndpointName } from "../parts/endpoints/EndpointName.tsx"
import { type Recent, Why } from "../parts/endpoints/Why.tsx"
import { FirstRun } from "../parts/FirstRun.tsx"
import { PlanNotice } from "../parts/FlashBox.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PageTitle, Region } from "../parts/Layout.tsx"
import { Empty } from "../parts/List.tsx"
import { NoticeList } from "../parts/NoticeList.tsx"
import type { Route } from "../Routes.ts"
import type { VisitProps } from "../Visit.ts"

/** How many orders, and how many notices, are shown. */
const newest = 5

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const endpoints = yield* listEndpoints(shop.id)
  const activity = yield* readActivity(shop.id, rangeOf(url))
  const firstRun = yield* readFirstRun(shop.id)
  const trouble = yield* readTrouble(shop.id)
  const notices = yield* readNotices(shop.id, newest)
  const { page } = yield* listOrders(shop.id, { limit: newest })
  const { data, pagination } = JSON.parse(page.text) as OrderPage
  const pictures = data.flatMap(({ designs }) => designs.slice(0, shownDesigns).map(({ thumbnail }) => thumbnail))
  return yield* renderStorePage(
    { title: visit.texts.overview.title, section: "overview", saysOff: true, trouble, pictures },
    <>
      <PageTitle title={visit.texts.overview.title} />
      <Region name="overview">
        {firstRun !== undefined && <FirstRun visit={visit} state={firstRun} language={languageIn(url)} />}
        {(firstRun === undefined || endpoints.length > 0) && (
          <Attention
            endpoints={endpoints}
            pending={activity.pending}
            recent={activity.endpoints}
            shop={shop}
            visit={visit}
          />
        )}
        {Object.values(trouble).some((count) => count > 0) && <PlatformTrouble trouble={trouble} visit={visit} />}
        <ActivityCard
          visit={visit}
          activity={activity}
          figures={[[visit.texts.overview.ordersTotal, pagination.total]]}
        />
        {notices.length > 0 && <NoticeList notices={notices} endpoints={endpoints} visit={visit} />}
        <Card id="orders" title={visit.texts.overview.orders}>
          {data.length === 0 ? (
            <Empty icon="store" text={visit.texts.orders.none} />
          ) : (
            <ul class="orders">
              {data.map((order) => (
                <OrderItem
                  key={order.id}
                  view={orderView(order)}
                  more={
                    order.designs.length > shownDesigns &&
                    visit.texts.overview.more(order.designs.length - shownDesigns)
                  }
                  visit={visit}
                />
              ))}
            </ul>
          )}
        </Card>
      </Region>
    </>,
  )
})

/** Hides the checklist from everybody in the store. */
const hide = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  yield* endFirstRun(shop.id)
  yield* logChange("hid the checklist of a new shop")
  return yield* redirect(yield* backTo(""), { tone: "good", text: texts.firstRun.hidden })
})

/** The language that a page's query names. */
const languageIn = (url: string) => new URLSearchParams(url.split("?")[1]).get("language")

/** How many designs of an order are shown. */
const shownDesigns = 4

const Attention = ({
  endpoints,
  pending,
  recent,
  shop,
  visit,
}: VisitProps & {
  readonly shop: Shop
  readonly endpoints: ReadonlyArray<Endpoint>
  /** Deliveries that wait, to any of them. */
  readonly pending: number
  readonly recent: Recent
}) => {
  const unhealthy = endpoints.filter(
    ({ consecutiveFailures, status }) => status !== "active" || consecutiveFailures > 0,
  )
  const included = includesApi(shop.plan)
  if (endpoints.length === 0) return <PlanNotice />
  return (
    <section class="card" aria-labelledby="attention">
      <header>
        <h2 id="attention">{visit.texts.webhooks.title}</h2>
        {unhealthy.length === 0 && included && (
          <span class="badge good">
            <Icon name="check" /> {visit.texts.overview.allWorking}
          </span>
        )}
        {pending > 0 && (
          <a class="button small" href={`${visit.root}deliveries/waiting`}>
            {visit.texts.overview.waiting(visit.figures.figure(pending))}
          </a>
        )}
      </header>
      <ul class="plain">
        {(unhealthy.length === 0 ? endpoints : unhealthy).map((endpoint) => (
          <li key={endpoint.id}>
            <div>
              <EndpointName endpoint={endpoint} root={visit.root} />
              <Why endpoint={endpoint} recent={recent} visit={visit} />
            </div>
            <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Events of the shop's platform that need a person (D85). The waiting ones are in two lists: the link has both. */
const PlatformTrouble = ({
  trouble: { ended, failed, troubled, waiting },
  visit: { root, texts },
}: VisitProps & { readonly trouble: InboxTrouble }) => {
  const all = [
    [ended, "platforms", texts.platforms.endedAt],
    [troubled, "platforms", texts.platforms.troubled],
    [failed, "inbox?state=failed", texts.overview.platformFailed(failed)],
    [waiting, "inbox", texts.overview.platformWaiting(waiting)],
  ] as const
  return (
    <Card id="platform" title={texts.inbox.title}>
      <ul class="plain">
        {all
          .filter(([count]) => count > 0)
          .map(([, path, text]) => (
            <li key={text}>
              <a href={root + path}>{text}</a>
            </li>
          ))}
      </ul>
    </Card>
  )
}

const orderView = ({ designs, ...order }: Order): OrderView => ({
  order,
  total: designs.length,
  designs: designs.slice(0, shownDesigns).map((design) => ({ id: design.id, design })),
})

/** The app's first page: the state of the store at a glance. */
export const overviewRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/", for: "store", handler: page },
  { method: "POST", path: "/first-run/hide", for: "store", handler: hide },
]
