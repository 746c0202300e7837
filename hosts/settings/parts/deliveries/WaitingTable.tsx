import { format } from "../../../../core/model/Instant.ts"
import { includesApi, type Shop } from "../../../../core/model/shops/Shop.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { isUnderWay, type LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import type { Named } from "../../DeliveryQuery.ts"
import type { VisitProps } from "../../Visit.ts"
import { EndpointBadge } from "../endpoints/EndpointBadge.tsx"
import { EndpointName } from "../endpoints/EndpointName.tsx"
import { Table } from "../List.tsx"
import { Time } from "../Time.tsx"
import { deliveryColumns, namesOf } from "./DeliveryTable.tsx"
import { LoggedBadge } from "./Outcome.tsx"

interface Waiting extends VisitProps {
  readonly shop: Pick<Shop, "plan">
}

/** Pending deliveries, with when each goes out, and why it waits. */
export const WaitingTable = ({
  deliveries,
  endpoints,
  orders,
  showEndpoint,
  shop,
  visit,
}: Waiting & {
  readonly deliveries: ReadonlyArray<LoggedDelivery>
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly orders: Named
  readonly showEndpoint: boolean
}) => {
  const { columns } = visit.texts.deliveryList
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]))
  const waiting = (delivery: LoggedDelivery) => ({
    ...{ visit, shop, delivery, endpoint: byId.get(delivery.endpointId) },
  })
  return (
    <Table
      kind="log waits"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={[
        ...deliveryColumns(visit, orders, showEndpoint ? namesOf(endpoints) : undefined),
        { label: columns.why, class: "outcome", cell: (delivery) => <span>{whyItWaits(waiting(delivery))}</span> },
        { label: columns.due, class: "when", cell: (delivery) => <GoesOut {...waiting(delivery)} /> },
      ]}
    />
  )
}

/** What waits, in a line for each endpoint: of those that are off, nothing else is listed. */
export const WaitingCounts = ({
  counts,
  endpoints,
  shop,
  visit,
}: Waiting & {
  readonly counts: ReadonlyArray<{ readonly endpointId: string; readonly pending: number }>
  readonly endpoints: ReadonlyArray<Endpoint>
}) => (
  <ul class="plain">
    {endpoints.flatMap((endpoint) => {
      const pending = counts.find(({ endpointId }) => endpointId === endpoint.id)?.pending
      const isOff = endpoint.status !== "active" || !includesApi(shop.plan)
      return pending === undefined ? (
        []
      ) : (
        <li key={endpoint.id}>
          <div>
            <EndpointName endpoint={endpoint} root={visit.root} />
          </div>
          <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
          <a href={`?endpoint=${endpoint.id}`}>
            {visit.texts.deliveryList.waits(visit.figures.figure(pending), isOff)}
          </a>
        </li>
      )
    })}
  </ul>
)

interface WaitingDelivery extends Waiting {
  readonly delivery: LoggedDelivery
  readonly endpoint: Endpoint | undefined
}

const isHeld = ({ delivery, endpoint, shop }: WaitingDelivery): boolean =>
  !includesApi(shop.plan) || (endpoint?.status !== "active" && !delivery.test)

const isDue = ({ delivery: { nextAttemptAt }, visit }: WaitingDelivery): boolean => (nextAttemptAt ?? 0) <= visit.now

/** When a pending delivery goes out. */
export const GoesOut = (waiting: WaitingDelivery) => {
  const { delivery, visit } = waiting
  if (isUnderWay(delivery, visit.now)) return <LoggedBadge delivery={delivery} now={visit.now} />
  if (isHeld(waiting) || delivery.isBehind) return <span>{visit.texts.deliveryList.held}</span>
  if (delivery.nextAttemptAt === null || isDue(waiting)) return <span>{visit.texts.deliveryList.now}</span>
  return <Time at={format(delivery.nextAttemptAt)} now={visit.now} />
}

/** Why a pending delivery waits. */
export const whyItWaits = (waiting: WaitingDelivery): string => {
  const { delivery, endpoint, shop, visit } = waiting
  const { why } = visit.texts.deliveryList
  if (isUnderWay(delivery, visit.now)) return why.underWay
  if (!includesApi(shop.plan)) return why.plan
  if (isHeld(waiting)) return endpoint?.status === "paused" ? why.paused : why.off
  if (delivery.isBehind) return why.behind
  if (isDue(waiting)) return (endpoint?.consecutiveFailures ?? 0) > 0 ? why.oneAtATime : why.due
  return delivery.attempts === 0 ? why.later : why.retry(delivery.attempts, visit.site.attempts - 1)
}
