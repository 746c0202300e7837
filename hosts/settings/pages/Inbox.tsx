import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { type InboxState, isDone } from "../../../core/model/ingest/InboxItem.ts"
import { InboxStates, type InboxView } from "../../../core/model/ingest/InboxView.ts"
import { dismissEvent, placeByHand, tryEvent } from "../../../core/usecases/ingest/ApplyEvent.ts"
import { findInbox, listInbox } from "../../../core/usecases/ingest/ReadInbox.ts"
import { orderNames } from "../../../core/usecases/orders/SearchOrders.ts"
import { logChange } from "../ChangeLog.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { cut } from "../parts/catalog/Cut.ts"
import { Actions, badges, OrderLink, Reason } from "../parts/inbox/EventParts.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, Pages, SearchForm, Table } from "../parts/List.tsx"
import { Time } from "../parts/Time.tsx"
import { currentQuery, typedIn } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** Few enough that a page of the longest reasons stays small. */
const pageSize = 15

/** Ids of a platform are cut after this many characters. The API has all of them. */
const longestId = 60

/** The events that the query asks for: those about an order that it names, or a page of all or of one state. */
const askedEvents = Effect.fnUntraced(function* (query: URLSearchParams) {
  const { shop } = yield* CurrentShop
  const { after, q: order, state } = typedIn(query, ["state", "after", "q"])
  if (order !== "") return { state: "", after: "", order, events: yield* findInbox(shop.id, order), next: null }
  const given = Object.fromEntries(Object.entries({ state, after }).filter(([, value]) => value !== ""))
  const { data, pagination } = yield* listInbox(shop.id, { ...given, limit: pageSize })
  return { state, after, order, events: data, next: pagination.nextCursor }
})

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const { after, events, next, order, state } = yield* askedEvents(yield* currentQuery)
  const { orders: names } = yield* orderNames(
    shop.id,
    events.map(({ orderId }) => orderId),
  )
  const { inbox } = visit.texts
  return yield* renderStorePage({
    title: inbox.title,
    section: "inbox",
    content: (
      <>
        <PageTitle actions={<States visit={visit} current={state} />}>
          <h1>{inbox.title}</h1>
          <p>
            {inbox.lead} <a href={`${visit.root}platforms`}>{visit.texts.platforms.link}</a>
          </p>
        </PageTitle>
        <SearchForm label={inbox.find} search={order} visit={visit} />
        <section class="card" aria-label={inbox.title}>
          {events.length === 0 ? (
            <Empty icon="inbox">
              <p>{order !== "" ? inbox.noneFound : state === "" && after === "" ? inbox.noneEver : inbox.none}</p>
            </Empty>
          ) : (
            <EventTable visit={visit} events={events} names={names} />
          )}
        </section>
        <Pages visit={visit} next={next} />
      </>
    ),
  })
})

const States = ({ current, visit }: { readonly visit: Visit["Service"]; readonly current: string }) => {
  const { inbox } = visit.texts
  const link = (state: "" | InboxState, text: string) => (
    <a
      key={state}
      class="button small"
      href={`${visit.root}inbox${state === "" ? "" : `?state=${state}`}`}
      {...(state === current ? ({ "aria-current": "page" } as const) : {})}
    >
      {text}
    </a>
  )
  return (
    <nav class="actions lists" aria-label={inbox.lists}>
      {link("", inbox.all)}
      {InboxStates.literals.map((state) => link(state, inbox.states[state]))}
    </nav>
  )
}

const EventTable = ({
  events,
  names,
  visit,
}: {
  readonly events: ReadonlyArray<InboxView>
  /** The names of orders that are stored, by their ids. */
  readonly names: ReadonlyMap<string, string>
  readonly visit: Visit["Service"]
}) => {
  const { columns, noOrder, sources, states } = visit.texts.inbox
  return (
    <Table
      kind="listed"
      rows={events}
      keyOf={({ id }) => id}
      columns={[
        { label: columns.state, cell: ({ state }) => <span class={badges[state]}>{states[state]}</span> },
        {
          label: columns.event,
          cell: ({ id, source, topic }) => (
            <div>
              <a href={`${visit.root}inbox/${id}`}>
                <bdi>{cut(topic, longestId)}</bdi>
              </a>{" "}
              <span class="hint">{sources[source]}</span>
            </div>
          ),
        },
        {
          label: columns.order,
          cell: ({ orderId: id }) => (id === null ? noOrder : <OrderLink {...{ id, visit }} name={names.get(id)} />),
        },
        { label: columns.received, cell: ({ receivedAt }) => <Time at={receivedAt} now={visit.now} /> },
        {
          label: columns.reason,
          cell: (event) =>
            (event.reason !== null || !isDone(event.state)) && (
              <div class="stack tight">
                <Reason event={event} visit={visit} />
                <div class="actions">
                  <Actions event={event} visit={visit} />
                </div>
              </div>
            ),
        },
      ]}
    />
  )
}

const apply = Effect.gen(function* () {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const { state } = yield* tryEvent(shop.id, id)
  yield* logChange(`tried the event ${id} of the shop platform again`)
  return yield* redirect(yield* backTo(`inbox/${id}`, "inbox"), {
    tone: isDone(state) ? "good" : "bad",
    text: texts.inbox.tried[state],
  })
})

const place = Effect.gen(function* () {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const { state } = yield* placeByHand(shop.id, id)
  yield* logChange(`placed the order of the event ${id} of the shop platform`)
  return yield* redirect(yield* backTo(`inbox/${id}`, "inbox"), {
    tone: isDone(state) ? "good" : "bad",
    text: texts.inbox.tried[state],
  })
})

const dismiss = Effect.gen(function* () {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  yield* dismissEvent(shop.id, id)
  yield* logChange(`dismissed the event ${id} of the shop platform`)
  return yield* redirect(yield* backTo(`inbox/${id}`, "inbox"), { tone: "good", text: texts.inbox.dismissed })
})

/** The events that a store's platform has sent (D57). */
export const inboxRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/inbox", for: "store", handler: page },
  { method: "POST", path: "/inbox/:id/apply", for: "store", handler: apply },
  { method: "POST", path: "/inbox/:id/place", for: "store", handler: place },
  { method: "POST", path: "/inbox/:id/dismiss", for: "store", handler: dismiss },
]
