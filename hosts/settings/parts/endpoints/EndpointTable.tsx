import type { ComponentChildren } from "preact"
import { format } from "../../../../core/model/Instant.ts"
import type { Shop } from "../../../../core/model/shops/Shop.ts"
import { durationClass, quantile } from "../../../../core/model/webhooks/AttemptCounts.ts"
import type { Endpoint } from "../../../../core/model/webhooks/Endpoint.ts"
import { failuresIn, slowAttempt } from "../../../../core/rules/webhooks/EndpointState.ts"
import type { EndpointActivity } from "../../../../core/usecases/shops/ReadActivity.ts"
import type { VisitProps } from "../../Visit.ts"
import { medianOf } from "../Durations.ts"
import { isTimeout, outcomeOf } from "../deliveries/Outcome.tsx"
import { type Column, Table } from "../List.tsx"
import { Time } from "../Time.tsx"
import { EndpointBadge } from "./EndpointBadge.tsx"
import { EndpointName } from "./EndpointName.tsx"
import { Why } from "./Why.tsx"

/** The figures that a table of endpoints can be sorted by, the worst first: by the least, or by the greatest. */
const worst = { success: 1, failed: -1, median: -1, slow: -1, waiting: -1, lastSuccess: 1 } as const
type Figure = keyof typeof worst

/** Causes of failures that a row names. */
const causesShown = 3

/** An endpoint with its figures of the last 24 hours, what waits, and its last known success; `null` without any. */
interface Row extends Readonly<Record<Figure, number | null>> {
  readonly endpoint: Endpoint
  readonly day: EndpointActivity
}

const rowOf = (endpoint: Endpoint, day: EndpointActivity): Row => {
  const { durations, failedAttempts, succeeded } = day.sum
  const attempts = succeeded + failedAttempts
  const slow = durations.slice(durationClass(slowAttempt) + 1).reduce((all, count) => all + count, 0)
  return {
    ...{ endpoint, day, failed: failedAttempts, median: quantile(day.sum, 0.5), waiting: day.pending },
    success: attempts === 0 ? null : succeeded / attempts,
    slow: attempts === 0 ? null : slow / attempts,
    lastSuccess: day.lastSuccess,
  }
}

/** The outcomes of the newest attempts that failed, those that are most first, and how many of these timed out. */
const Causes = ({ day: { recent }, visit }: VisitProps & { readonly day: EndpointActivity }) => {
  const { ofLast, timedOut } = visit.texts.webhooks
  const { figure } = visit.figures
  const failed = failuresIn(recent)
  if (failed.length === 0) return null
  const causes = [...Map.groupBy(failed, (attempt) => outcomeOf(attempt, visit.texts))]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, causesShown)
    .map(([cause, { length }]) => `${figure(length)} × ${cause}`)
  const slow = recent.filter(isTimeout).length
  const said = [...causes, ...(slow === 0 ? [] : [timedOut(figure(slow))])].join(", ")
  return <p class="hint">{ofLast(figure(recent.length), said)}</p>
}

/** Endpoints alongside each other. `sort` is what the address asks for. */
export const EndpointTable = ({
  days,
  endpoints,
  shop,
  sort,
  visit,
}: VisitProps & {
  readonly days: ReadonlyArray<EndpointActivity>
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly shop: Shop
  readonly sort: string | null
}) => {
  const { columns, noSuccess, nothing } = visit.texts.webhooks
  const { figure, percent } = visit.figures
  const rows = endpoints.flatMap((endpoint) => {
    const day = days.find(({ endpointId }) => endpointId === endpoint.id)
    return day === undefined ? [] : [rowOf(endpoint, day)]
  })
  const worthOf = (row: Row): number => {
    const value = row[sort as Figure]
    if (value !== null) return value * worst[sort as Figure]
    // None has ever succeeded, although some were attempted.
    return sort === "lastSuccess" && row.day.recent.length > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  const sorted =
    sort !== null && Object.hasOwn(worst, sort) ? rows.toSorted((one, other) => worthOf(one) - worthOf(other)) : rows
  const column = (name: Figure, show: (value: number, row: Row) => ComponentChildren): Column<Row> => ({
    ...{ label: columns[name], class: "number", href: `?sort=${name}` },
    order: sort !== name ? undefined : worst[name] > 0 ? "ascending" : "descending",
    cell: (row) => (row[name] === null ? "–" : show(row[name], row)),
  })
  return (
    <Table
      kind="listed compared"
      rows={sorted}
      keyOf={({ endpoint }) => endpoint.id}
      columns={[
        {
          ...{ label: columns.endpoint, isBare: true },
          cell: ({ day, endpoint }) => (
            <div>
              <EndpointName endpoint={endpoint} root={visit.root} />
              <Why endpoint={endpoint} recent={[day]} visit={visit} />
              <Causes day={day} visit={visit} />
            </div>
          ),
        },
        {
          label: columns.state,
          cell: ({ endpoint }) => <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />,
        },
        column("success", percent),
        column("failed", figure),
        column("median", (_most, { day }) => medianOf(day.sum, visit.texts)),
        column("slow", percent),
        column("waiting", (pending, { endpoint }) => (
          <a href={`${visit.root}deliveries/waiting?endpoint=${endpoint.id}`}>{figure(pending)}</a>
        )),
        {
          ...column("lastSuccess", () => ""),
          cell: ({ day: { recent }, lastSuccess }) => {
            if (lastSuccess !== null) return <Time at={format(lastSuccess)} now={visit.now} />
            return <span class="hint">{recent.length === 0 ? nothing : noSuccess(figure(recent.length))}</span>
          },
        },
      ]}
    />
  )
}
