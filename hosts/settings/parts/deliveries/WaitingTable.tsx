import type { ComponentChildren } from "preact"
import { format } from "../../../../core/model/Instant.ts"
import { includesApi, type Shop } from "../../../../core/model/shops/Shop.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import {
  isUnderWay,
  type LoggedDelivery,
  type WaitingCause,
  type WaitingCount,
  waitingCauses,
} from "../../../../core/model/webhooks/LoggedDelivery.ts"
import { causeOf } from "../../../../core/rules/webhooks/DeliveryState.ts"
import { sumOf } from "../../CurrentRecord.ts"
import { addressOf, type Named } from "../../DeliveryQuery.ts"
import type { Inline } from "../../texts/Inline.ts"
import type { VisitProps } from "../../Visit.ts"
import { cut } from "../catalog/Cut.ts"
import { EndpointBadge } from "../endpoints/EndpointBadge.tsx"
import { nameOf } from "../endpoints/EndpointName.tsx"
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

/** What waits: a line for each reason, for each endpoint that is off, and for each that can't be sent all at once. */
export const WaitingCounts = ({
  counts,
  current,
  endpoint: only,
  endpoints,
  shop,
  visit,
}: Waiting & {
  readonly counts: ReadonlyArray<WaitingCount>
  readonly endpoints: ReadonlyArray<Endpoint>
  /** The reason and the endpoint of the deliveries that are listed. */
  readonly current: WaitingCause | undefined
  readonly endpoint: string | undefined
}) => {
  const { causes } = visit.texts.deliveryList
  const line = (cause: WaitingCause, text: Inline, endpoint?: Endpoint, more?: ComponentChildren) => {
    const id = endpoint?.id ?? only
    return (
      <li key={`${cause} ${endpoint?.id}`}>
        <a
          href={addressOf("waiting", { cause, endpoint: id ?? "" })}
          {...(cause === current && id === only ? { "aria-current": "page" } : {})}
        >
          {text}
        </a>
        {endpoint !== undefined && <bdi>{cut(nameOf(endpoint), 60)}</bdi>}
        {more}
      </li>
    )
  }
  return (
    <ul class="plain causes">
      {waitingCauses.flatMap((cause) => {
        const own = counts.filter((each) => each.cause === cause)
        if (own.length === 0) return []
        const first = format(Math.min(...own.map((each) => each.first)))
        const text = causes[cause](sumOf(own), <Time at={first} now={visit.now} />)
        const lines = endpoints.flatMap((endpoint) => {
          const count = own.find(({ endpointId }) => endpointId === endpoint.id)?.count ?? 0
          const limit = limitOf(endpoint, visit)
          if (count > 0 && cause === "held") {
            const badge = <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
            return [line(cause, causes.held(count), endpoint, badge)]
          }
          return cause === "due" && limit !== undefined && count > limit.atOnce
            ? [line(cause, causes.limited(count), endpoint, <span class="hint">{limit.text}</span>)]
            : []
        })
        return cause === "held" ? lines : [line(cause, text), ...lines]
      })}
    </ul>
  )
}

/** How many deliveries to an endpoint are sent at once, if that is limited. */
const limitOf = (
  { consecutiveFailures, maxConcurrent, maxPerSecond, status }: Endpoint,
  { texts }: VisitProps["visit"],
): { readonly atOnce: number; readonly text: string } | undefined => {
  const { limits } = texts.deliveryList
  if (consecutiveFailures > 0 && status === "active") return { atOnce: 1, text: limits.failing }
  if (maxConcurrent !== null) return { atOnce: maxConcurrent, text: limits.concurrent(maxConcurrent) }
  return maxPerSecond === null ? undefined : { atOnce: maxPerSecond, text: limits.rate(maxPerSecond) }
}

interface WaitingDelivery extends Waiting {
  readonly delivery: LoggedDelivery
  readonly endpoint: Endpoint | undefined
}

const causeNow = ({ delivery, endpoint, shop, visit }: WaitingDelivery): WaitingCause =>
  causeOf(delivery, endpoint ?? { status: "switched_off" }, shop, visit.now)

/** When a pending delivery goes out. */
export const GoesOut = (waiting: WaitingDelivery) => {
  const { delivery, visit } = waiting
  if (isUnderWay(delivery, visit.now)) return <LoggedBadge delivery={delivery} now={visit.now} />
  const cause = causeNow(waiting)
  if (cause === "retry") return <Time at={format(delivery.nextAttemptAt ?? 0)} now={visit.now} />
  return <span>{cause === "due" ? visit.texts.deliveryList.now : visit.texts.deliveryList.held}</span>
}

/** Why a pending delivery waits. */
export const whyItWaits = (waiting: WaitingDelivery): string => {
  const { delivery, endpoint, shop, visit } = waiting
  const { why } = visit.texts.deliveryList
  if (isUnderWay(delivery, visit.now)) return why.underWay
  const cause = causeNow(waiting)
  if (cause === "behind") return why.behind
  if (cause === "retry") return why.retry(delivery.attempts, visit.site.attempts - 1)
  if (cause === "held" && !includesApi(shop.plan)) return why.plan
  if (cause === "held") return endpoint?.status === "paused" ? why.paused : why.off
  const limit = endpoint && limitOf(endpoint, visit)
  return limit === undefined ? why.due : `${why.due}. ${limit.text}`
}
