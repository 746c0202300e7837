import type { Subject } from "../../../../core/model/events/Event.ts"
import { format } from "../../../../core/model/Instant.ts"
import type { LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import type { Named } from "../../DeliveryQuery.ts"
import type { Visit, VisitProps } from "../../Visit.ts"
import { useTexts } from "../CurrentLanguage.ts"
import { cut } from "../catalog/Cut.ts"
import { NameLink } from "../catalog/Isolated.tsx"
import { type Column, Table } from "../List.tsx"
import { PostForm } from "../PostForm.tsx"
import { Time } from "../Time.tsx"
import { outcomeOf, StateMark } from "./Outcome.tsx"
import { selectionForm } from "./ResendActions.tsx"

const tryForm = "try"

/** The form of the buttons that try deliveries now: each has the address of its own delivery. */
export const TryForm = ({ visit }: VisitProps) => (
  <PostForm visit={visit} id={tryForm}>
    {undefined}
  </PostForm>
)

interface Props extends VisitProps {
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  /** The names of endpoints by their ids (`namesOf`); left out on the page of one endpoint. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** What they are about (`ordersAbout`). */
  readonly orders: Named
  /** Whether finished deliveries have boxes, which belong to the form of `ResendActions`. */
  readonly selects?: boolean
  /** Whether pending deliveries have a button to try them now, which belongs to {@link TryForm}. */
  readonly canTry?: boolean
}

/** Deliveries, each a line, which opens it. */
export const DeliveryTable = ({ canTry = false, deliveries, names, orders, selects = false, visit }: Props) => {
  const { columns, noAttempt } = visit.texts.deliveryList
  const { select, tryNow } = visit.texts.repair
  return (
    <Table
      kind={selects ? "log selects" : "log"}
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          label: columns.state,
          class: "state",
          isHidden: true,
          cell: (delivery) => (
            <>
              {selects && delivery.status !== "pending" && (
                <input
                  type="checkbox"
                  name="id"
                  value={delivery.id}
                  form={selectionForm}
                  aria-label={select(delivery.event, delivery.id)}
                />
              )}
              <StateMark delivery={delivery} now={visit.now} />
            </>
          ),
        },
        ...deliveryColumns(visit, orders, names),
        {
          label: columns.response,
          class: "outcome",
          cell: ({ lastAttempt }) => (lastAttempt === null ? noAttempt : <Outcome attempt={lastAttempt} />),
        },
        ...(canTry
          ? [
              {
                ...{ label: tryNow, class: "end", isHidden: true },
                cell: (delivery: LoggedDelivery) =>
                  delivery.status === "pending" &&
                  !delivery.isBehind && <TryButton visit={visit} delivery={delivery} />,
              },
            ]
          : []),
        {
          label: columns.time,
          class: "when",
          cell: ({ createdAt }) => <Time at={format(createdAt)} now={visit.now} />,
        },
      ]}
    />
  )
}

/** What lists of deliveries have in common: the event, what it is about, and the endpoint if `names` has it. */
export const deliveryColumns = (
  visit: Visit["Service"],
  orders: Named,
  names: ReadonlyMap<string, string> | undefined,
): ReadonlyArray<Column<LoggedDelivery>> => {
  const { columns } = visit.texts.deliveryList
  const endpoint: Column<LoggedDelivery> = {
    ...{ label: columns.endpoint, class: "target" },
    cell: ({ endpointId }) => <EndpointLink visit={visit} id={endpointId} names={names ?? new Map()} />,
  }
  return [
    {
      ...{ label: columns.event, class: "event" },
      cell: (delivery) => <DeliveryLink visit={visit} delivery={delivery} />,
    },
    {
      ...{ label: columns.about, class: "about" },
      cell: ({ subject }) => <About orders={orders} visit={visit} subject={subject} />,
    },
    ...(names === undefined ? [] : [endpoint]),
  ]
}

/** The answer to an attempt, or why there was none, and how long it took: `503 · 30 ms`. */
const Outcome = ({ attempt }: { readonly attempt: NonNullable<LoggedDelivery["lastAttempt"]> }) => {
  const texts = useTexts()
  const text = `${outcomeOf(attempt, texts)} · ${texts.deliveries.milliseconds(attempt.durationMs)}`
  return <span {...(attempt.error === null ? {} : { title: text })}>{text}</span>
}

const TryButton = ({
  delivery: { endpointId, event, id },
  visit,
}: Pick<Props, "visit"> & { readonly delivery: LoggedDelivery }) => (
  <button
    class="button small"
    type="submit"
    form={tryForm}
    formaction={`${visit.root}webhooks/${endpointId}/deliveries/${id}/try`}
    aria-label={visit.texts.repair.tryNowOf(event, id)}
  >
    {visit.texts.repair.tryNow}
  </button>
)

/** The event of a delivery, as a link to the delivery. Its id is for those who only hear links: each has its own. */
const DeliveryLink = ({
  delivery: { endpointId, event, eventId, id, test },
  visit,
}: VisitProps & { readonly delivery: LoggedDelivery }) => (
  <>
    <a href={`${visit.root}webhooks/${endpointId}/deliveries/${id}`}>
      <code>{event}</code>
      <span class="event-id">{eventId}</span>
    </a>
    {test && <span class="badge">{visit.texts.parts.test}</span>}
  </>
)

/** The subject of an event: links that find everything about the order and the design, by its product. */
export const About = ({
  orders: { orders, products },
  subject: { design, order },
  visit: { root, texts },
}: VisitProps & { readonly subject: Subject; readonly orders: Named }) => {
  if (order === null && design === null) return <span class="hint">{texts.deliveryList.aboutNothing}</span>
  const link = (id: string, text: string) => <NameLink href={`${root}find?q=${encodeURIComponent(id)}`} name={text} />
  const product = products.get(design ?? "")
  return (
    <>
      {order !== null && link(order, texts.deliveryList.order(cut(orders.get(order) ?? order, 100)))}
      {order !== null && design !== null && " · "}
      {design !== null && link(design, product === undefined ? texts.deliveryList.design(design) : cut(product, 100))}
    </>
  )
}

/** The names of endpoints by their ids: their descriptions, or URLs. */
export const namesOf = (
  endpoints: ReadonlyArray<{ readonly id: string; readonly description: string; readonly url: string }>,
): ReadonlyMap<string, string> =>
  new Map(endpoints.map(({ description, id, url }) => [id, description === "" ? url : description]))

/** An endpoint, by its name if it is known. */
const EndpointLink = ({
  id,
  names,
  visit,
}: VisitProps & { readonly id: string; readonly names: ReadonlyMap<string, string> }) => (
  <NameLink href={`${visit.root}webhooks/${id}`} name={shortened(names.get(id) ?? id)} />
)

/** Without the scheme, and not longer than a row can show. */
const shortened = (url: string): string => {
  const text = url.replace(/^https?:\/\//, "")
  return text.length > 48 ? `${text.slice(0, 47)}…` : text
}
