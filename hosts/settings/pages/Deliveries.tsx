import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import { EventKind } from "../../../core/model/events/Event.ts"
import { DeliveryStatus } from "../../../core/model/webhooks/Delivery.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { type AttemptsSpan, waitingCauses } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { listAllDeliveries, listWaiting } from "../../../core/usecases/webhooks/FindDeliveries.ts"
import { listEndpoints } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { type FilterTexts, filterTexts, ordersAbout, placeText, readFilter, readPlace } from "../DeliveryQuery.ts"
import { renderStorePage } from "../Page.tsx"
import { cut } from "../parts/catalog/Cut.ts"
import { DeliveryTable, namesOf } from "../parts/deliveries/DeliveryTable.tsx"
import { WaitingCounts, WaitingTable } from "../parts/deliveries/WaitingTable.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { ChoiceField, Empty, type FilterChoice, Pages } from "../parts/List.tsx"
import { ListFilter } from "../parts/ListFilter.tsx"
import { currentQuery, currentZone } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const list = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const texts = visit.texts.deliveryList
  const query = yield* currentQuery
  const given = filterTexts(query)
  const zone = yield* currentZone
  const after = yield* readPlace(query)
  const filter = yield* readFilter(given, zone)
  const found = yield* listAllDeliveries(shop.id, filter, after)
  const endpoints = yield* listEndpoints(shop.id)
  const orders = yield* ordersAbout(shop.id, found.deliveries)
  const isFiltered = Object.values(given).some((text) => text !== "")
  const empty = found.next !== null ? texts.noneHere : isFiltered || after !== null ? texts.none : texts.noneEver
  return yield* renderStorePage(
    {
      title: texts.title,
      section: "deliveries",
    },
    <>
      <Title visit={visit} current="all" />
      <section class="card" aria-label={texts.title}>
        <ListFilter visit={visit} zone={zone} span={filter.attempts && spanOf(filter.attempts, visit)}>
          <FilterFields visit={visit} given={given} endpoints={endpoints} />
        </ListFilter>
        <FirstPage name="deliveries" isFirst={after === null} fresh={visit.texts.live.fresh}>
          {found.deliveries.length === 0 ? (
            <Nothing text={empty} />
          ) : (
            <DeliveryTable visit={visit} deliveries={found.deliveries} names={namesOf(endpoints)} orders={orders} />
          )}
          <Pages isInCard visit={visit} next={found.next && placeText(found.next)} />
        </FirstPage>
      </section>
    </>,
  )
})

const waiting = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const texts = visit.texts.deliveryList
  const query = yield* currentQuery
  const given = filterTexts(query)
  const only = { ...filterTexts(new URLSearchParams()), endpoint: given.endpoint }
  const { endpoint } = yield* readFilter(only, yield* currentZone)
  const after = yield* readPlace(query)
  const cause = waitingCauses.find((each) => each === query.get("cause"))
  // In this order go out only those that wait for nothing but their time.
  const causes = cause !== undefined ? [cause] : endpoint === undefined ? (["due", "retry"] as const) : waitingCauses
  const { counts = [], ...found } = yield* listWaiting(shop.id, { after, endpoint, causes })
  const endpoints = yield* listEndpoints(shop.id)
  const orders = yield* ordersAbout(shop.id, found.deliveries)
  return yield* renderStorePage(
    {
      title: texts.waitingTitle,
      section: "deliveries",
    },
    <>
      <Title visit={visit} current="waiting" />
      <section class="card" aria-label={texts.waitingTitle}>
        <FirstPage name="waiting" isFirst={after === null}>
          {counts.length > 0 && <WaitingCounts {...{ visit, shop, endpoints, endpoint, counts }} current={cause} />}
          {found.deliveries.length === 0 ? (
            counts.length === 0 && <Nothing text={texts.nothingWaits} />
          ) : (
            <WaitingTable
              visit={visit}
              shop={shop}
              deliveries={found.deliveries}
              endpoints={endpoints}
              orders={orders}
              showEndpoint
            />
          )}
          <Pages isInCard visit={visit} sorted="soonest" next={found.next && placeText(found.next)} />
        </FirstPage>
      </section>
    </>,
  )
})

/** The attempts of a filter as its row of times names them. */
const spanOf = ({ failed, from, until }: AttemptsSpan, { texts: { activity, deliveryList } }: Visit["Service"]) =>
  [failed ? activity.failedAttempts : deliveryList.filters.attempts, from, until] as const

/** The list of a page. The first page stays up to date; others keep their place. */
const FirstPage = ({
  children,
  fresh,
  isFirst,
  name,
}: {
  readonly name: string
  /** The text of the button behind which new rows wait. */
  readonly fresh?: string
  readonly isFirst: boolean
  readonly children: ComponentChildren
}) => <div {...(isFirst ? { "data-live": name, "data-fresh": fresh } : {})}>{children}</div>

const Title = ({ current, visit }: { readonly visit: Visit["Service"]; readonly current: "all" | "waiting" }) => {
  const texts = visit.texts.deliveryList
  const here = (name: typeof current) => (name === current ? ({ "aria-current": "page" } as const) : {})
  return (
    <PageTitle
      actions={
        <nav class="actions lists" aria-label={texts.lists}>
          <a class="button small" href={`${visit.root}deliveries`} {...here("all")}>
            {texts.all}
          </a>
          <a class="button small" href={`${visit.root}deliveries/waiting`} {...here("waiting")}>
            {texts.waiting}
          </a>
        </nav>
      }
    >
      <h1>{current === "all" ? texts.title : texts.waitingTitle}</h1>
      <p>{current === "all" ? texts.lead : texts.waitingLead}</p>
    </PageTitle>
  )
}

const FilterFields = ({
  endpoints,
  given,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly given: FilterTexts
  readonly endpoints: ReadonlyArray<Endpoint>
}) => {
  const { filters } = visit.texts.deliveryList
  const { states } = visit.texts.deliveries
  const choose = (name: keyof FilterTexts, choices: ReadonlyArray<FilterChoice>) => (
    <ChoiceField name={name} label={filters[name]} any={filters.any} choices={choices} value={given[name]} />
  )
  return (
    <>
      {choose(
        "state",
        DeliveryStatus.literals.map((value) => ({ value, text: states[value] })),
      )}
      {choose(
        "endpoint",
        [...namesOf(endpoints)].map(([value, name]) => ({ value, text: cut(name, 80) })),
      )}
      {choose(
        "kind",
        EventKind.literals.map((value) => ({ value, text: value })),
      )}
      {choose("test", [
        { value: "no", text: filters.noTests },
        { value: "yes", text: filters.onlyTests },
      ])}
    </>
  )
}

const Nothing = ({ text }: { readonly text: string }) => (
  <Empty icon="clock">
    <p>{text}</p>
  </Empty>
)

/** The lists of a store's deliveries over all endpoints. */
export const allDeliveriesRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/deliveries", for: "store", handler: list },
  { method: "GET", path: "/deliveries/waiting", for: "store", handler: waiting },
]
