import { type DateTime, Effect } from "effect"
import type { OrderStatus } from "../../../../core/model/orders/Order.ts"
import { designsCounted, type OrderTotals } from "../../../../core/model/orders/OrderSearch.ts"
import type { Position } from "../../../../core/model/Page.ts"
import { type OrderView, searchOrders } from "../../../../core/usecases/orders/SearchOrders.ts"
import { currentRequest } from "../../CurrentRecord.ts"
import { placeText, readPlace } from "../../DeliveryQuery.ts"
import { renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { customizerChoices } from "../../parts/catalog/CustomizerField.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { designBytes } from "../../parts/catalog/DesignItem.tsx"
import { queryWith } from "../../parts/catalog/Links.ts"
import { OrderFilter, orderFields } from "../../parts/catalog/OrderFilter.tsx"
import { OrderItem } from "../../parts/catalog/OrderItem.tsx"
import { PageTitle } from "../../parts/Layout.tsx"
import { ChoiceField, Empty, Pages } from "../../parts/List.tsx"
import { currentZone, readFields, typedIn } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import { Visit, type VisitProps } from "../../Visit.ts"

/** Orders on a page, and designs of each, at most. */
const [ordersShown, designsShown] = [20, 3]

/** Bytes of a page that orders may take. */
const room = 20 * 1024

/** The search of the form, as it was typed: every field a text, empty for no restriction. */
type Asked = ReturnType<typeof askedIn>

const askedIn = (query: URLSearchParams) => {
  const typed = typedIn(query, ["text", "exact", "status", "customizer", "from", "to"])
  return { ...typed, text: typed.text.slice(0, 255), exact: typed.exact === "yes" ? "yes" : "" }
}

const statuses: ReadonlyArray<OrderStatus> = ["ordered", "cancelled"]

/** Reads a search; `to` is the last day that it selects. Fails with `Unreadable` for fields that can't be read. */
const readSearch = Effect.fnUntraced(function* (asked: Asked, zone: DateTime.TimeZone) {
  const { orders } = (yield* Visit).texts
  const fields = yield* readFields(asked, {
    status: [orders.status, (text) => statuses.find((status) => status === text)],
    ...(yield* orderFields(zone)),
  })
  const { customizer = null, from = null, status = null, to: until = null } = fields
  return { text: asked.text, exact: asked.exact !== "", status, customizer, from, until }
})

const placeAfter = ({ id, orderedAt }: Position): string => placeText({ at: orderedAt, id })

/** About as many bytes as an order takes. */
const bytesOf = ({ designs, order }: OrderView): number =>
  520 +
  2 * encodeURIComponent(order.id).length +
  bytesIn(cut(order.name, 100), order.id) +
  designs.reduce((sum, design) => sum + designBytes(design), 0)

const page = Effect.gen(function* () {
  const { query, shop, visit } = yield* currentRequest
  const asked = askedIn(query)
  const zone = yield* currentZone
  const search = yield* readSearch(asked, zone)
  const place = yield* readPlace(query)
  const after = place && { orderedAt: place.at, id: place.id }
  const texts = visit.texts.orders
  const isFiltered = Object.values(asked).some((value) => value !== "")
  const choices = yield* customizerChoices(shop.id)
  const found = yield* searchOrders({
    shop: shop.id,
    ...search,
    isCounted: isFiltered && asked.text === "" && after === null,
    after,
    limit: ordersShown,
    designs: designsShown,
  })
  const orders = fitting(found.orders, room, bytesOf)
  const last = orders.at(-1)?.order
  const isCut = last !== undefined && orders.length < found.orders.length
  const next = isCut ? { orderedAt: Date.parse(last.orderedAt), id: last.id } : found.next
  const none = !isFiltered && after === null ? texts.none : asked.exact === "" ? texts.noneFound : texts.noneExact
  const pictures = orders.flatMap(({ designs }) => designs.flatMap(({ design }) => design?.thumbnail ?? []))
  return yield* renderStorePage(
    { title: texts.title, section: "orders", pictures },
    <>
      <PageTitle
        actions={
          <div class="actions">
            <LinkButton look="small" href={`${visit.root}drafts`} text={visit.texts.drafts.title} />
            <LinkButton look="small" href={`${visit.root}inbox`} text={visit.texts.inbox.title} />
          </div>
        }
        title={texts.title}
        lead={texts.lead}
      />
      <OrderFilter choices={choices} value={asked.customizer} visit={visit} zone={zone}>
        <FilterFields asked={asked} visit={visit} />
      </OrderFilter>
      {found.totals !== undefined && (
        <p>
          <strong>{totalsText(found.totals, visit)}</strong>
        </p>
      )}
      {found.isCut && (
        <p class="hint">
          {texts.cut} <a href={queryWith({ ...asked, exact: "yes" })}>{texts.onlyExact}</a>
        </p>
      )}
      <section class="card" aria-label={texts.list}>
        {orders.length === 0 ? (
          <Empty icon="order">
            <p>{next === null ? none : texts.noneYet}</p>
            {isFiltered && <a href={`${visit.root}orders`}>{texts.clear}</a>}
          </Empty>
        ) : (
          <ul class="orders">
            {orders.map((view) => (
              <OrderItem key={view.order.id} view={view} visit={visit} />
            ))}
          </ul>
        )}
      </section>
      <Pages visit={visit} next={next && placeAfter(next)} />
    </>,
  )
})

/** The totals of orders in words. */
const totalsText = ({ designs, isMore, orders, pieces }: OrderTotals, { figures, texts }: Visit["Service"]): string => {
  const { designs: designsText, ordersTotal, piecesTotal, totalsOfNewest } = texts.orders
  const all = [
    ordersTotal(figures.figure(orders), orders === 1),
    designsText(figures.figure(designs), designs === 1),
    piecesTotal(figures.figure(pieces), pieces === 1),
  ].join(", ")
  return isMore ? totalsOfNewest(all, figures.figure(designsCounted)) : all
}

const FilterFields = ({ asked, visit }: VisitProps & { readonly asked: Asked }) => {
  const texts = visit.texts.orders
  return (
    <>
      <div class="field">
        <label for="text">{texts.text}</label>
        <input type="text" id="text" name="text" value={asked.text} maxLength={255} />
      </div>
      <div class="choice">
        <input type="checkbox" id="exact" name="exact" value="yes" checked={asked.exact !== ""} />
        <label for="exact">{texts.exact}</label>
      </div>
      <ChoiceField
        name="status"
        label={texts.status}
        any={visit.texts.deliveryList.filters.any}
        choices={statuses.map((status) => ({ value: status, text: texts.statuses[status] }))}
        value={asked.status}
      />
    </>
  )
}

/** The list of a store's orders. */
export const orderListRoutes: ReadonlyArray<Route> = [{ method: "GET", path: "/orders", for: "store", handler: page }]
