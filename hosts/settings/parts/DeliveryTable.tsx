import type { Delivery } from "../../../core/model/Delivery.ts"
import type { Visit } from "../Visit.ts"
import { attemptsOf, DeliveryBadge, outcomeOf } from "./Outcome.tsx"
import { Time } from "./Time.tsx"

/** The log of an endpoint. */
export const DeliveryTable = ({
  deliveries,
  endpointId,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly endpointId: string
  readonly deliveries: ReadonlyArray<Delivery>
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
            <td>{attemptsOf(delivery, visit)}</td>
          </tr>
        )
      })}
    </tbody>
  </table>
)
