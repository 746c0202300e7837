import type { LoggedDelivery } from "../../../../core/model/deliveries/LoggedDelivery.ts"
import type { Subject } from "../../../../core/model/Event.ts"
import { format } from "../../../../core/model/Instant.ts"
import type { Visit } from "../../Visit.ts"
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
  /** The URLs of endpoints by their ids; left out on the page of one endpoint. */
  readonly urls?: ReadonlyMap<string, string> | undefined
  /** Whether finished deliveries have boxes, which belong to the form of `ResendActions`. */
  readonly selects?: boolean
  /** Whether pending deliveries have a button to try them now, which belongs to {@link TryForm}. */
  readonly canTry?: boolean
}

/** Deliveries, one a row. */
export const DeliveryTable = ({ canTry = false, deliveries, selects = false, urls, visit }: Props) => {
  const { columns, ...texts } = visit.texts.deliveryList
  const labels = [columns.state, columns.event, columns.about, ...(urls === undefined ? [] : [columns.endpoint])]
  return (
    <table class="folding listed">
      <thead>
        <tr>
          {[...labels, columns.time, columns.response, columns.attempts].map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.id}>
            <td data-label={columns.state}>
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
            </td>
            <td data-label={columns.event}>
              <DeliveryLink visit={visit} delivery={delivery} />
            </td>
            <td data-label={columns.about}>
              <About visit={visit} subject={delivery.subject} />
            </td>
            {urls !== undefined && (
              <td data-label={columns.endpoint}>
                <EndpointLink visit={visit} id={delivery.endpointId} urls={urls} />
              </td>
            )}
            <td class="short" data-label={columns.time}>
              <Time at={format(delivery.createdAt)} now={visit.now} />
            </td>
            <td data-label={columns.response}>
              {delivery.lastAttempt === null ? (
                <span class="hint">{texts.noAttempt}</span>
              ) : (
                <span>
                  {outcomeOf(delivery.lastAttempt, visit.texts)}{" "}
                  <span class="hint">{visit.texts.deliveries.milliseconds(delivery.lastAttempt.durationMs)}</span>
                </span>
              )}
            </td>
            <td class="short" data-label={columns.attempts}>
              {texts.attemptsOf(delivery.attempts, delivery.test ? 1 : visit.site.attempts)}
              {canTry && delivery.status === "pending" && !delivery.isBehind && (
                <TryButton visit={visit} delivery={delivery} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
  subject: { design, order },
  visit: { root, texts },
}: {
  readonly visit: Visit["Service"]
  readonly subject: Subject
}) => {
  if (order === null && design === null) return <span class="hint">{texts.deliveryList.aboutNothing}</span>
  const link = (id: string, text: string) => (
    <a href={`${root}find?q=${encodeURIComponent(id)}`}>
      <bdi>{text}</bdi>
    </a>
  )
  return (
    <span class="about">
      {order !== null && link(order, texts.deliveryList.order(order))}
      {design !== null && link(design, texts.deliveryList.design(design))}
    </span>
  )
}

/** An endpoint, by its URL if it is known. */
export const EndpointLink = ({
  id,
  urls,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly id: string
  readonly urls: ReadonlyMap<string, string>
}) => (
  <a href={`${visit.root}webhooks/${id}`} class="target">
    <bdi>{shortened(urls.get(id) ?? id)}</bdi>
  </a>
)

/** Without the scheme, and not longer than a row can show. */
const shortened = (url: string): string => {
  const text = url.replace(/^https?:\/\//, "")
  return text.length > 48 ? `${text.slice(0, 47)}…` : text
}
