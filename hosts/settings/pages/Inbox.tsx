import { type DateTime, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { isDone } from "../../../core/model/ingest/InboxItem.ts"
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
import { ChoiceField, Empty, Pages, Table } from "../parts/List.tsx"
import { ListFilter } from "../parts/ListFilter.tsx"
import { Time } from "../parts/Time.tsx"
import { currentQuery, currentZone, readFields, timeFields, typedIn } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** Few enough that a page of the longest reasons stays small. */
const pageSize = 15

/** Ids of a platform are cut after this many characters. The API has all of them. */
const longestId = 60

/** The filter as it was typed: every field a text, empty for no restriction. */
type Asked = Readonly<Record<"state" | "q" | "from" | "to", string>>

/** The events that a filter asks for: the newest about an order that it names, or a page. */
const askedEvents = Effect.fnUntraced(function* (asked: Asked, after: string, zone: DateTime.TimeZone) {
  const { shop } = yield* CurrentShop
  const {
    from,
    state,
    to: until,
  } = yield* readFields(asked, {
    state: [(yield* Visit).texts.inbox.columns.state, (text) => InboxStates.literals.find((state) => state === text)],
    ...(yield* timeFields(zone)),
  })
  if (asked.q !== "") return { events: yield* findInbox(shop.id, asked.q, { state, from, until }), next: null }
  const input = { state, limit: pageSize, after: after === "" ? undefined : after }
  const { data, pagination } = yield* listInbox(shop.id, input, { from, until })
  return { events: data, next: pagination.nextCursor }
})

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const zone = yield* currentZone
  const { after, ...asked } = typedIn(yield* currentQuery, ["state", "q", "from", "to", "after"])
  const { events, next } = yield* askedEvents(asked, after, zone)
  const isFiltered = Object.values(asked).some((text) => text !== "")
  const { orders: names } = yield* orderNames(
    shop.id,
    events.map(({ orderId }) => orderId),
  )
  const { inbox } = visit.texts
  return yield* renderStorePage(
    {
      title: inbox.title,
      section: "inbox",
    },
    <>
      <PageTitle>
        <h1>{inbox.title}</h1>
        <p>
          {inbox.lead} <a href={`${visit.root}platforms`}>{visit.texts.platforms.link}</a>
        </p>
      </PageTitle>
      <section class="card" aria-label={inbox.title}>
        <ListFilter visit={visit} zone={zone}>
          <FilterFields visit={visit} asked={asked} />
        </ListFilter>
        {events.length === 0 ? (
          <Empty icon="inbox">
            <p>{isFiltered || after !== "" ? inbox.none : inbox.noneEver}</p>
          </Empty>
        ) : (
          <EventTable visit={visit} events={events} names={names} />
        )}
      </section>
      <Pages visit={visit} next={next} />
    </>,
  )
})

const FilterFields = ({ asked, visit }: { readonly visit: Visit["Service"]; readonly asked: Asked }) => {
  const { deliveryList, inbox } = visit.texts
  return (
    <>
      <div class="field">
        <label for="q">{inbox.find}</label>
        <input type="search" id="q" name="q" value={asked.q} maxLength={255} autocomplete="off" />
      </div>
      <ChoiceField
        name="state"
        label={inbox.columns.state}
        any={deliveryList.filters.any}
        choices={InboxStates.literals.map((value) => ({ value, text: inbox.states[value] }))}
        value={asked.state}
      />
    </>
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
