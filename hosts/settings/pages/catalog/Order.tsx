import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { type LineView, readOrderView } from "../../../../core/usecases/orders/SearchOrders.ts"
import { readEndpoint } from "../../../../core/usecases/webhooks/ManageEndpoints.ts"
import { readOrderFate, sendOrder } from "../../../../core/usecases/webhooks/OrderFate.ts"
import { logChange } from "../../ChangeLog.ts"
import { currentRequest, pendingNow } from "../../CurrentRecord.ts"
import { Form } from "../../Form.ts"
import { backTo } from "../../forms/Returning.ts"
import { redirect, renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { Card } from "../../parts/Card.tsx"
import { CopyableText } from "../../parts/Copyable.tsx"
import { ApiCommand } from "../../parts/catalog/ApiCommand.tsx"
import { cut, fitting } from "../../parts/catalog/Cut.ts"
import { DesignItem, designBytes } from "../../parts/catalog/DesignItem.tsx"
import { LineTable, lineBytes, type Titles } from "../../parts/catalog/LineTable.tsx"
import { findHref, idOf, orderHref, picturesHref, queryWith, ticketHref } from "../../parts/catalog/Links.ts"
import { FateCard } from "../../parts/deliveries/FateCard.tsx"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { Parts } from "../../parts/List.tsx"
import { Time } from "../../parts/Time.tsx"
import { currentQuery } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import type { Visit, VisitProps } from "../../Visit.ts"

/** Designs on a page, at most, and the bytes that they and their lines may take. */
const [designsShown, room, roomOfLines] = [24, 18 * 1024, 8 * 1024]

/** About as many bytes as the lines of one design take: it may be on very many, of which the first are shown. */
const bytesOf = (titles: Titles, lines: ReadonlyArray<LineView> = []): number =>
  Math.min(
    lines.reduce((sum, line) => sum + lineBytes(line, titles), 0),
    roomOfLines / 2,
  )

/** The lines of the designs on the page, as many as fit; none if there are none. */
const LinesCard = ({
  lines,
  titles,
  visit,
}: VisitProps & { readonly lines: ReadonlyArray<LineView>; readonly titles: Titles }) => {
  if (lines.length === 0) return null
  const shown = fitting(lines, roomOfLines, (line) => lineBytes(line, titles))
  const texts = visit.texts.orders
  return (
    <Card id="lines" title={texts.linesTitle}>
      <LineTable lines={shown} titles={titles} visit={visit} />
      {shown.length < lines.length && (
        <p class="pad hint">{texts.moreLines(visit.figures.figure(lines.length - shown.length))}</p>
      )}
    </Card>
  )
}

/** The order that the request's path, or else its query, names. */
const currentOrder = Effect.gen(function* () {
  const query = yield* currentQuery
  const { id: segment = "" } = yield* HttpRouter.params
  return { query, segment, id: idOf(segment, query) }
})

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { id, query, segment } = yield* currentOrder
  const skip = Number(/^\d{1,6}$/.exec(query.get("at") ?? "")?.[0] ?? 0)
  const { designs, lines, order, total } = yield* readOrderView(shop.id, id, { skip, limit: designsShown })
  const fate = yield* readOrderFate(shop.id, id)
  const byDesign = Map.groupBy(lines, ({ designId }) => designId)
  const titles = new Map(designs.flatMap(({ design, id }) => (design === null ? [] : [[id, design.customizer.title]])))
  const shown =
    designs.length === 0
      ? []
      : fitting(designs, room, (design) => designBytes(design) + bytesOf(titles, byDesign.get(design.id)))
  const theirs = shown.flatMap((design) => byDesign.get(design.id) ?? [])
  const end = skip + shown.length
  const texts = visit.texts.orders
  const pictures = shown.flatMap(({ design }) => design?.thumbnail ?? [])
  return yield* renderStorePage(
    { title: texts.orderTitle(cut(order.name, 100)), section: "orders", pictures },
    <>
      <PageTitle
        actions={
          <div class="actions">
            <LinkButton href={ticketHref(visit.root, order.id)} text={visit.texts.ticket.heading} />
            <LinkButton href={picturesHref(visit.root, order.id)} text={visit.texts.ticket.pictures.download} />
          </div>
        }
      >
        <Crumbs links={[[`${visit.root}orders`, texts.title]]} />
        <h1>
          <bdi>{cut(order.name, 100)}</bdi>{" "}
          <span class={order.status === "cancelled" ? "badge" : "badge good"}>{texts.statuses[order.status]}</span>
        </h1>
      </PageTitle>
      <section class="card pad" aria-label={texts.about}>
        <dl class="facts">
          <dt>{texts.id}</dt>
          <dd>
            <CopyableText label={texts.copyId} text={order.id} />
          </dd>
          <dt>{texts.total}</dt>
          <dd>{visit.figures.money(order.total, order.currency)}</dd>
          <dt>{texts.placed}</dt>
          <dd>
            <Time at={order.orderedAt} now={visit.now} exact />
          </dd>
        </dl>
        <p>
          <a href={findHref(visit.root, order.id)}>{texts.events}</a>
        </p>
      </section>
      <FateCard {...{ visit, shop, fate, order }} />
      <section class="card" aria-labelledby="designs">
        <header>
          <h2 id="designs">{texts.designsTitle}</h2>
          {shown.length > 0 && (
            <span class="hint">
              {texts.range(visit.figures.figure(skip + 1), visit.figures.figure(end), visit.figures.figure(total))}
            </span>
          )}
        </header>
        {shown.length === 0 ? (
          <p class="pad hint">{texts.noDesigns}</p>
        ) : (
          <ul class="designs pad">
            {shown.map((design) => (
              <DesignItem key={design.id} {...design} visit={visit} />
            ))}
          </ul>
        )}
      </section>
      <LinesCard lines={theirs} titles={titles} visit={visit} />
      <Parts
        label={texts.designsTitle}
        at={skip}
        end={end}
        total={total}
        link={(at) => queryWith({ id: segment === "~" ? id : "", at })}
        visit={visit}
      />
      <ApiCard id={order.id} visit={visit} />
    </>,
  )
})

/** The command that reads the order. */
const ApiCard = ({ id, visit }: { readonly id: string; readonly visit: Visit["Service"] }) => {
  const { api } = visit.texts.orders
  return (
    <details class="card">
      <summary>{api}</summary>
      <div class="pad stack tight">
        <ApiCommand url={visit.apiUrl} path={`/orders/${encodeURIComponent(id)}`} />
      </div>
    </details>
  )
}

const send = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const { id } = yield* currentOrder
  const endpoint = yield* readEndpoint(shop.id, (yield* Form).text("endpoint"))
  const sent = yield* sendOrder(shop.id, id, endpoint.id)
  if (sent > 0) yield* logChange(`sent ${sent} events of an order to the webhook endpoint ${endpoint.id}`)
  const text = `${texts.fate.sent(sent)} ${yield* pendingNow(endpoint)}`
  const [own = ""] = orderHref("", id).split("?")
  return yield* redirect(yield* backTo("find", own), { tone: sent > 0 ? "good" : "bad", text })
})

/** The page of an order, and sending it to an endpoint. */
export const orderRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/orders/:id", for: "store", handler: page },
  { method: "POST", path: "/orders/:id/send", for: "store", handler: send },
]
