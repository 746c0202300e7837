import type { Subject } from "../../../../core/model/events/Event.ts"
import { format } from "../../../../core/model/Instant.ts"
import type { LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import type { Visit } from "../../Visit.ts"
import { cut } from "../catalog/Cut.ts"
import { Table } from "../List.tsx"
import { PostForm } from "../PostForm.tsx"
import { Time } from "../Time.tsx"
import { LoggedBadge, outcomeOf } from "./Outcome.tsx"
import { selectionForm } from "./ResendActions.tsx"

const tryForm = "try"

/** The form of the buttons that try deliveries now: each has the address of its own delivery. */
export const TryForm = ({ visit }: { readonly visit: Visit["Service"] }) => (
  <PostForm visit={visit} id={tryForm}>
    {undefined}
  </PostForm>
)

interface Props {
  readonly visit: Visit["Service"]
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  /** The names of endpoints by their ids (`namesOf`); left out on the page of one endpoint. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** The names of orders by their ids. */
  readonly orders: ReadonlyMap<string, string>
  /** Whether finished deliveries have boxes, which belong to the form of `ResendActions`. */
  readonly selects?: boolean
  /** Whether pending deliveries have a button to try them now, which belongs to {@link TryForm}. */
  readonly canTry?: boolean
}

/** Deliveries, one a row. */
export const DeliveryTable = ({ canTry = false, deliveries, names, orders, selects = false, visit }: Props) => {
  const { columns, ...texts } = visit.texts.deliveryList
  const endpoint =
    names === undefined
      ? []
      : [
          {
            label: columns.endpoint,
            cell: ({ endpointId }: LoggedDelivery) => <EndpointLink visit={visit} id={endpointId} names={names} />,
          },
        ]
  return (
    <Table
      kind="listed"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        {
          label: columns.state,
          cell: (delivery) => (
            <>
              {selects && delivery.status !== "pending" && (
                <input
                  type="checkbox"
                  name="id"
                  value={delivery.id}
                  form={selectionForm}
                  aria-label={visit.texts.repair.select(delivery.event, delivery.id)}
                />
              )}
              <LoggedBadge delivery={delivery} now={visit.now} />
            </>
          ),
        },
        { label: columns.event, cell: (delivery) => <DeliveryLink visit={visit} delivery={delivery} /> },
        { label: columns.about, cell: ({ subject }) => <About orders={orders} visit={visit} subject={subject} /> },
        ...endpoint,
        {
          label: columns.time,
          class: "short",
          cell: ({ createdAt }) => <Time at={format(createdAt)} now={visit.now} />,
        },
        {
          label: columns.response,
          cell: ({ lastAttempt }) =>
            lastAttempt === null ? (
              <span class="hint">{texts.noAttempt}</span>
            ) : (
              <span>
                {outcomeOf(lastAttempt, visit.texts)}{" "}
                <span class="hint">{visit.texts.deliveries.milliseconds(lastAttempt.durationMs)}</span>
              </span>
            ),
        },
        {
          label: columns.attempts,
          class: "short",
          cell: (delivery) => (
            <>
              {texts.attemptsOf(delivery.attempts, delivery.test ? 1 : visit.site.attempts)}
              {canTry && delivery.status === "pending" && !delivery.isBehind && (
                <TryButton visit={visit} delivery={delivery} />
              )}
            </>
          ),
        },
      ]}
    />
  )
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

/** The event of a delivery, as a link to the delivery. */
export const DeliveryLink = ({
  delivery: { endpointId, event, eventId, id, test },
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly delivery: LoggedDelivery
}) => (
  <span>
    <a href={`${visit.root}webhooks/${endpointId}/deliveries/${id}`}>
      <code>{event}</code>
      <span class="event-id">{eventId}</span>
    </a>{" "}
    {test && <span class="badge">{visit.texts.parts.test}</span>}
  </span>
)

/** The subject of an event: links that find everything about the order and the design. */
export const About = ({
  orders,
  subject: { design, order },
  visit: { root, texts },
}: {
  readonly visit: Visit["Service"]
  readonly subject: Subject
  readonly orders: ReadonlyMap<string, string>
}) => {
  if (order === null && design === null) return <span class="hint">{texts.deliveryList.aboutNothing}</span>
  const link = (id: string, text: string) => (
    <a href={`${root}find?q=${encodeURIComponent(id)}`}>
      <bdi>{text}</bdi>
    </a>
  )
  return (
    <span class="about">
      {order !== null && link(order, texts.deliveryList.order(cut(orders.get(order) ?? order, 100)))}
      {design !== null && link(design, texts.deliveryList.design(design))}
    </span>
  )
}

/** The names of endpoints by their ids: their descriptions, or URLs. */
export const namesOf = (
  endpoints: ReadonlyArray<{ readonly id: string; readonly description: string; readonly url: string }>,
): ReadonlyMap<string, string> =>
  new Map(endpoints.map(({ description, id, url }) => [id, description === "" ? url : description]))

/** An endpoint, by its name if it is known. */
export const EndpointLink = ({
  id,
  names,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly id: string
  readonly names: ReadonlyMap<string, string>
}) => (
  <a href={`${visit.root}webhooks/${id}`} class="target">
    <bdi>{shortened(names.get(id) ?? id)}</bdi>
  </a>
)

/** Without the scheme, and not longer than a row can show. */
const shortened = (url: string): string => {
  const text = url.replace(/^https?:\/\//, "")
  return text.length > 48 ? `${text.slice(0, 47)}…` : text
}
