import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { canBePlaced, isDone } from "../../../core/model/ingest/InboxItem.ts"
import type { InboxView } from "../../../core/model/ingest/InboxView.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { readInboxEvent } from "../../../core/usecases/ingest/ReadInbox.ts"
import { orderNames } from "../../../core/usecases/orders/SearchOrders.ts"
import { currentRequest } from "../CurrentRecord.ts"
import { renderStorePage } from "../Page.tsx"
import { Card, Facts } from "../parts/Card.tsx"
import { CopyableText } from "../parts/Copyable.tsx"
import { cut } from "../parts/catalog/Cut.ts"
import { NameLink } from "../parts/catalog/Isolated.tsx"
import { designHref, orderHref } from "../parts/catalog/Links.ts"
import { Actions, badges, OrderLink, Reason } from "../parts/inbox/EventParts.tsx"
import { Crumbs, PageTitle, Region } from "../parts/Layout.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import type { Texts } from "../texts/Language.ts"
import type { VisitProps } from "../Visit.ts"

/** Advice for an event. */
const todoOf = (event: InboxView, { todos }: Texts["inbox"]): string => {
  if (event.state === "failed") return todos.failed
  if (event.state === "unpaid") return todos.unpaid
  if (event.state === "waiting") return event.designId === null ? todos.waiting : todos.missing
  return canBePlaced(event) ? todos.placeable : todos.done
}

/** The name of the order that an event names, if it is stored, and whether its design is: their pages exist then. */
const storedOf = Effect.fnUntraced(function* (shop: string, { designId, orderId }: InboxView) {
  const { orders: names } = yield* orderNames(shop, [orderId])
  const designs = designId === null ? [] : yield* OrderStore.use((store) => store.existing(shop, "designs", [designId]))
  return { orderName: names.get(orderId ?? ""), hasDesign: designs.length > 0 }
})

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { id = "" } = yield* HttpRouter.params
  const event = yield* readInboxEvent(shop.id, id)
  const stored = yield* storedOf(shop.id, event)
  const { inbox } = visit.texts
  const topic = cut(event.topic, 60)
  return yield* renderStorePage(
    { title: inbox.eventTitle(topic), section: "inbox" },
    <Region name="event">
      <PageTitle>
        <Crumbs links={[[`${visit.root}inbox`, inbox.title]]} />
        <h1>
          <bdi>{topic}</bdi> <span class={badges[event.state]}>{inbox.states[event.state]}</span>
        </h1>
      </PageTitle>
      <Card id="todo" title={inbox.todo}>
        <div class="pad stack">
          {(event.reason !== null || !isDone(event.state)) && (
            <p>
              <Reason event={event} visit={visit} />
            </p>
          )}
          <p>{todoOf(event, inbox)}</p>
          <div class="actions">
            <Actions event={event} visit={visit} dismisses />
          </div>
        </div>
      </Card>
      <AboutEvent event={event} {...stored} visit={visit} />
    </Region>,
  )
})

const AboutEvent = ({
  event,
  hasDesign,
  orderName,
  visit,
}: VisitProps & Effect.Success<ReturnType<typeof storedOf>> & { readonly event: InboxView }) => {
  const { inbox, platforms } = visit.texts
  const { designId, orderId } = event
  const order =
    orderId === null ? (
      inbox.noOrder
    ) : orderName === undefined ? (
      <OrderLink id={orderId} visit={visit} />
    ) : (
      <>
        <NameLink href={orderHref(visit.root, orderId)} name={cut(orderName, 100)} />{" "}
        <bdi class="hint">{cut(orderId, 255)}</bdi>
      </>
    )
  const design = cut(designId ?? "", 255)
  return (
    <Facts
      label={inbox.about}
      facts={[
        [platforms.columns.platform, inbox.sources[event.source]],
        [inbox.columns.order, order],
        designId !== null && [
          inbox.design,
          hasDesign ? <NameLink href={designHref(visit.root, designId)} name={design} /> : <bdi>{design}</bdi>,
        ],
        [inbox.columns.received, <Time at={event.receivedAt} now={visit.now} exact />],
        [inbox.id, <CopyableText label={inbox.copyId} text={event.id} />],
      ]}
    >
      <p>
        <a href={`${visit.root}audit?subject=inbox:${event.id}`}>{inbox.history}</a>
      </p>
    </Facts>
  )
}

/** The page of an event that a shop's platform has sent (D57). */
export const inboxEventRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/inbox/:id", for: "store", handler: page },
]
