import { Effect } from "effect"
import { format } from "../../../core/model/Instant.ts"
import type { InboxView } from "../../../core/model/ingest/InboxView.ts"
import { eventsLookedThrough } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { findInbox } from "../../../core/usecases/ingest/ReadInbox.ts"
import { type Found, findDeliveries } from "../../../core/usecases/webhooks/FindDeliveries.ts"
import { listEndpoints } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { readOrderFate } from "../../../core/usecases/webhooks/OrderFate.ts"
import { type Named, ordersAbout, placeText, readPlace } from "../DeliveryQuery.ts"
import { renderStorePage } from "../Page.tsx"
import { cut } from "../parts/catalog/Cut.ts"
import { designHref, namedOrdersHref, orderHref } from "../parts/catalog/Links.ts"
import { About, DeliveryTable, namesOf } from "../parts/deliveries/DeliveryTable.tsx"
import { FateCard } from "../parts/deliveries/FateCard.tsx"
import { EndpointName, nameOf } from "../parts/endpoints/EndpointName.tsx"
import { badges } from "../parts/inbox/EventParts.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, Pages } from "../parts/List.tsx"
import { Time } from "../parts/Time.tsx"
import { currentQuery } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** The longest id that there is. */
const maximumQuery = 255

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const texts = visit.texts.find
  const query = yield* currentQuery
  // By characters: half of one would be shown as another.
  const asked = Array.from((query.get("q") ?? "").trim().slice(0, 2 * maximumQuery))
    .slice(0, maximumQuery)
    .join("")
  const after = yield* readPlace(query)
  const { found, hasMoreOrders } = yield* findDeliveries(shop.id, asked, after)
  const endpoints = yield* listEndpoints(shop.id)
  const named = endpoints.filter(({ id }) => asked.toLowerCase().includes(id.toLowerCase()))
  const names = namesOf(endpoints)
  const subjects = found.flatMap(({ as, deliveries, events, id }) => [
    ...(as === "order" ? [{ subject: { order: id, design: null } }] : []),
    ...[...deliveries, ...events.slice(0, 1)],
  ])
  const orders = yield* ordersAbout(shop.id, subjects.slice(0, 100))
  const messages = after === null ? yield* findInbox(shop.id, asked) : []
  const fates = yield* Effect.forEach(
    found.filter(({ as }) => as === "order" && after === null).slice(0, shownFates),
    (order) => Effect.map(readOrderFate(shop.id, order.id), (fate) => ({ order, fate })),
  )
  return yield* renderStorePage(
    {
      title: asked === "" ? texts.title : texts.titleOf(asked),
    },
    <>
      <PageTitle>
        <h1>
          <bdi>{asked === "" ? texts.title : texts.results(asked)}</bdi>
        </h1>
      </PageTitle>
      {named.map((endpoint) => (
        <section class="card pad" key={endpoint.id} aria-label={nameOf(endpoint)}>
          <EndpointName endpoint={endpoint} root={visit.root} />
        </section>
      ))}
      {found.length === 0 && messages.length === 0 && named.length === 0 && (
        <section class="card">
          <Empty icon="find" title={asked === "" ? undefined : texts.nothing}>
            <p>{texts.hint}</p>
          </Empty>
        </section>
      )}
      {hasMoreOrders && (
        <p>
          {texts.moreOrders}{" "}
          <a href={namedOrdersHref(visit.root, asked)}>
            <bdi>{texts.allOrders(asked)}</bdi>
          </a>
        </p>
      )}
      {fates.map(({ fate, order }, index) => (
        <FateCard
          key={order.id}
          {...{ visit, shop, fate, order, name: orders.orders.get(order.id) ?? order.id }}
          heading={index === 0 ? "fate" : `fate-${index}`}
        />
      ))}
      {messages.length > 0 && <Messages events={messages} visit={visit} />}
      {found.map((one) => (
        <FoundCard
          key={one.as + one.id}
          found={one}
          names={names}
          orders={orders}
          visit={visit}
          isFirst={after === null}
          mostEvents={found.length === 1 ? shownEvents : shownOfEach}
        />
      ))}
    </>,
  )
})

/** The platform's events about the order, the newest first. */
const Messages = ({
  events,
  visit,
}: {
  readonly events: ReadonlyArray<InboxView>
  readonly visit: Visit["Service"]
}) => (
  <section class="card" aria-labelledby="messages">
    <header>
      <h2 id="messages">{visit.texts.inbox.title}</h2>
    </header>
    <ul class="plain">
      {events.slice(0, shownMessages).map(({ id, receivedAt, state, topic }) => (
        <li key={id}>
          <a href={`${visit.root}inbox/${id}`}>
            <bdi>{cut(topic, 60)}</bdi>
          </a>
          <span class={badges[state]}>{visit.texts.inbox.states[state]}</span>
          <Time at={receivedAt} now={visit.now} />
        </li>
      ))}
    </ul>
  </section>
)

/** Orders whose fate is shown: each takes some reads, and a quarter of a page. */
const shownFates = 2

/** Events of the platform that are listed. */
const shownMessages = 5

/** Events that are listed one by one, of one thing that is found, and of each of several. */
const [shownEvents, shownOfEach] = [10, 2]

const FoundCard = ({
  found: { as, deliveries, events, id, isStored, next },
  isFirst,
  mostEvents,
  names,
  orders,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly found: Found
  readonly names: ReadonlyMap<string, string>
  readonly orders: Named
  readonly isFirst: boolean
  readonly mostEvents: number
}) => {
  const texts = visit.texts.find
  const [newest] = events
  const name = as === "order" ? orders.orders.get(id) : orders.products.get(id)
  const noDeliveries = newest === undefined ? texts.noEvents : texts.noDeliveries
  return (
    <section class="card" aria-label={`${texts.as[as]} ${id}`}>
      <header>
        <h2>
          {texts.as[as]} <bdi>{name ?? id}</bdi> {name !== undefined && <bdi class="hint mono">{id}</bdi>}
        </h2>
        {isStored && (
          <a class="button small" href={as === "order" ? orderHref(visit.root, id) : designHref(visit.root, id)}>
            {texts.open}
          </a>
        )}
        {newest !== undefined && (as === "event" || as === "delivery") && (
          <p>
            <About orders={orders} visit={visit} subject={newest.subject} />
          </p>
        )}
      </header>
      {isFirst && newest !== undefined && (
        <details open={deliveries.length === 0}>
          <summary>{texts.events(events.length, eventsLookedThrough)}</summary>
          <ul class="plain">
            {events.slice(0, mostEvents).map((event) => (
              <li key={event.id}>
                <span>
                  <code>{event.event}</code> {event.test && <span class="badge">{visit.texts.parts.test}</span>}
                </span>
                <span class="event-id">{event.id}</span> <Time at={format(event.createdAt)} now={visit.now} exact />
              </li>
            ))}
          </ul>
        </details>
      )}
      {deliveries.length === 0 ? (
        <p class="pad hint">{isFirst ? noDeliveries : visit.texts.deliveryList.none}</p>
      ) : (
        <DeliveryTable {...{ visit, deliveries, names, orders }} />
      )}
      <Pages isInCard visit={visit} of={`${texts.as[as]} ${id}`} next={next && placeText(next)} />
    </section>
  )
}

/** The thing that an id names, with every delivery about it. */
export const findRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/find", for: "store", handler: page }]
