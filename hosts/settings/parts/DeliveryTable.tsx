import type { Delivery } from "../../../core/model/Delivery.ts"
import type { Visit } from "../Visit.ts"
import { attemptsOf, DeliveryBadge, outcomeOf } from "./Outcome.tsx"
import { PostForm } from "./PostForm.tsx"
import { selectionForm } from "./ResendActions.tsx"
import { Time } from "./Time.tsx"

const tryForm = "try"

/** The form of the buttons that try deliveries now: each has the address of its own delivery. */
export const TryForm = ({ visit }: { readonly visit: Visit["Service"] }) => (
  <PostForm visit={visit} id={tryForm}>
    {undefined}
  </PostForm>
)

/** The log of an endpoint. */
export const DeliveryTable = ({
  canTry = false,
  deliveries,
  endpointId,
  selects = false,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly endpointId: string
  readonly deliveries: ReadonlyArray<Delivery>
  /** Whether finished deliveries have boxes, which belong to the form of `ResendActions`. */
  readonly selects?: boolean
  /** Whether pending deliveries have a button to try them now, which belongs to {@link TryForm}. */
  readonly canTry?: boolean
}) => (
  <table class="folding log">
    <thead>
      <tr>
        {visit.texts.deliveryTable.columns.map((label) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {deliveries.map((delivery) => {
        const last = delivery.attempts.at(-1)
        return (
          <tr key={delivery.id}>
            <td>
              {selects && delivery.status !== "pending" && (
                <input
                  type="checkbox"
                  name="id"
                  value={delivery.id}
                  form={selectionForm}
                  aria-label={visit.texts.repair.select(delivery.event, delivery.id)}
                />
              )}
              <DeliveryBadge status={delivery.status} />
            </td>
            <td>
              <span>
                <a
                  href={`${visit.root}webhooks/${endpointId}/deliveries/${delivery.id}`}
                  aria-label={visit.texts.deliveryTable.link(delivery.event, delivery.id)}
                >
                  <code>{delivery.event}</code>
                </a>{" "}
                {delivery.test && <span class="badge">{visit.texts.parts.test}</span>}
                <span class="hint mono event-id">{delivery.eventId}</span>
              </span>
            </td>
            <td>
              <Time at={delivery.createdAt} now={visit.now} />
            </td>
            <td class="words">
              {last === undefined ? (
                <span class="hint">{visit.texts.deliveryTable.noResponse}</span>
              ) : (
                outcomeOf(last, visit.texts)
              )}
            </td>
            <td>{last === undefined ? "" : visit.texts.deliveries.milliseconds(last.durationMs)}</td>
            <td>
              {attemptsOf(delivery, visit)}
              {canTry && delivery.status === "pending" && (
                <button
                  class="button small"
                  type="submit"
                  form={tryForm}
                  formaction={`${visit.root}webhooks/${endpointId}/deliveries/${delivery.id}/try`}
                  aria-label={visit.texts.repair.tryNowOf(delivery.event, delivery.id)}
                >
                  {visit.texts.repair.tryNow}
                </button>
              )}
            </td>
          </tr>
        )
      })}
    </tbody>
  </table>
)
