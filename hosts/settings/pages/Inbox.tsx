import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { canBePlaced, type InboxState, isDone } from "../../../core/model/ingest/InboxItem.ts"
import { InboxStates, type InboxView } from "../../../core/model/ingest/InboxView.ts"
import { placeByHand, tryEvent } from "../../../core/usecases/ingest/ApplyEvent.ts"
import { listInbox } from "../../../core/usecases/ingest/ReadInbox.ts"
import { logChange } from "../ChangeLog.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { cut } from "../parts/catalog/Cut.ts"
import { findHref, queryOf, queryWith } from "../parts/catalog/Links.ts"
import { PageTitle } from "../parts/Layout.tsx"
import { Empty, Pages, Table } from "../parts/List.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** Few enough that a page of the longest reasons stays small. */
const pageSize = 15

/** Texts of a platform are cut after this many characters. The API has all of them. */
const [longestId, longestReason] = [60, 300]

/** A link of more characters would make the page large: ids of orders may be any text. */
const longestLink = 400

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const query = queryOf((yield* HttpServerRequest.HttpServerRequest).url)
  const [state, after] = [query.get("state") ?? "", query.get("after") ?? ""]
  const given = Object.fromEntries(Object.entries({ state, after }).filter(([, value]) => value !== ""))
  const { data, pagination } = yield* listInbox(shop.id, { ...given, limit: pageSize })
  const { inbox } = visit.texts
  return yield* renderStorePage({
    title: inbox.title,
    section: "orders",
    content: (
      <>
        <PageTitle actions={<States visit={visit} current={state} />}>
          <p class="crumbs">
            <a href={`${visit.root}orders`}>{visit.texts.orders.title}</a>
          </p>
          <h1>{inbox.title}</h1>
          <p>
            {inbox.lead} <a href={`${visit.root}platforms`}>{visit.texts.platforms.link}</a>
          </p>
        </PageTitle>
        <section class="card" aria-label={inbox.title}>
          {data.length === 0 ? (
            <Empty icon="order">
              <p>{state === "" && after === "" ? inbox.noneEver : inbox.none}</p>
            </Empty>
          ) : (
            <EventTable visit={visit} events={data} />
          )}
        </section>
        <Pages
          label={inbox.pages}
          first={after === "" ? undefined : { href: queryWith({ state }), text: inbox.newest }}
          next={
            pagination.nextCursor === null
              ? undefined
              : { href: queryWith({ state, after: pagination.nextCursor }), text: inbox.older }
          }
        />
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

const badges: Readonly<Record<InboxState, string>> = {
  waiting: "badge warn",
  failed: "badge bad",
  applied: "badge good",
  ignored: "badge",
  unpaid: "badge warn",
}

const EventTable = ({
  events,
  visit,
}: {
  readonly events: ReadonlyArray<InboxView>
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
          cell: ({ source, topic }) => (
            <div>
              <bdi>{cut(topic, longestId)}</bdi> <span class="hint">{sources[source]}</span>
            </div>
          ),
        },
        {
          label: columns.order,
          cell: ({ orderId }) => (orderId === null ? noOrder : <OrderLink id={orderId} visit={visit} />),
        },
        { label: columns.received, cell: ({ receivedAt }) => <Time at={receivedAt} now={visit.now} /> },
        {
          label: columns.reason,
          cell: (event) =>
            (event.reason !== null || !isDone(event.state)) && (
              <div>
                <Reason event={event} visit={visit} />
                {!visit.visitor.isReadOnly && <Actions event={event} visit={visit} />}
              </div>
            ),
        },
      ]}
    />
  )
}

/** Everything about an order. It may not be stored: then its page would not exist. */
const OrderLink = ({ id, visit }: { readonly id: string; readonly visit: Visit["Service"] }) => {
  const href = findHref(visit.root, id)
  const text = <bdi>{cut(id, longestId)}</bdi>
  return href.length > longestLink ? text : <a href={href}>{text}</a>
}

interface AboutEvent {
  readonly event: InboxView
  readonly visit: Visit["Service"]
}

/** Why an event is in its state. Reasons are kept in English. */
const Reason = ({ event: { designId, reason }, visit }: AboutEvent) => {
  if (designId !== null) return <bdi>{visit.texts.inbox.waitsFor(cut(designId, longestId))}</bdi>
  return reason === null ? null : <bdi lang="en">{cut(reason, longestReason)}</bdi>
}

/** What a person may do about an event. */
const Actions = ({ event, visit }: AboutEvent) => {
  const { placeNamed, placeNow, tryAgain, tryNamed } = visit.texts.inbox
  return (
    <>
      {!isDone(event.state) && event.state !== "unpaid" && (
        <Action event={event} visit={visit} name="apply" text={tryAgain} label={tryNamed} />
      )}
      {canBePlaced(event) && <Action event={event} visit={visit} name="place" text={placeNow} label={placeNamed} />}
    </>
  )
}

const Action = ({
  event: { id, orderId, topic },
  label,
  name,
  text,
  visit,
}: AboutEvent & {
  readonly name: "apply" | "place"
  readonly text: string
  readonly label: (topic: string, order: string) => string
}) => (
  <PostForm visit={visit} action={`${visit.root}inbox/${id}/${name}`}>
    <button class="button small" type="submit" aria-label={label(cut(topic, longestId), cut(orderId ?? "", longestId))}>
      {text}
    </button>
  </PostForm>
)

const apply = Effect.gen(function* () {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const { state } = yield* tryEvent(shop.id, id)
  yield* logChange(`tried the event ${id} of the shop platform again`)
  return yield* redirect(yield* backTo("inbox"), {
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
  return yield* redirect(yield* backTo("inbox"), {
    tone: isDone(state) ? "good" : "bad",
    text: texts.inbox.tried[state],
  })
})

/** The events that a store's platform has sent (D57). */
export const inboxRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/inbox", for: "store", handler: page },
  { method: "POST", path: "/inbox/:id/apply", for: "store", handler: apply },
  { method: "POST", path: "/inbox/:id/place", for: "store", handler: place },
]
