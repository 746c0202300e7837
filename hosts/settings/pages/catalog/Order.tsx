import { Effect } from "effect"
import { type LineView, readOrderView } from "../../../../core/usecases/orders/SearchOrders.ts"
import { readEndpoint } from "../../../../core/usecases/webhooks/ManageEndpoints.ts"
import { readOrderFate, sendOrder } from "../../../../core/usecases/webhooks/OrderFate.ts"
import { logChange } from "../../ChangeLog.ts"
import { currentId, currentRequest, pendingNow } from "../../CurrentRecord.ts"
import { Form } from "../../Form.ts"
import { backTo } from "../../forms/Returning.ts"
import { redirect, renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { Card, Facts } from "../../parts/Card.tsx"
import { CopyableText } from "../../parts/Copyable.tsx"
import { ApiCommand } from "../../parts/catalog/ApiCommand.tsx"
import { cut, fitting } from "../../parts/catalog/Cut.ts"
import { DesignItem, designBytes } from "../../parts/catalog/DesignItem.tsx"
import { LineTable, lineBytes, type Titles } from "../../parts/catalog/LineTable.tsx"
import { findHref, orderHref, picturesHref, queryWith, ticketHref } from "../../parts/catalog/Links.ts"
import { FateCard } from "../../parts/deliveries/FateCard.tsx"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { Parts, rangeOf } from "../../parts/List.tsx"
import { Time } from "../../parts/Time.tsx"
import { numberIn } from "../../Query.ts"
import type { Route } from "../../Routes.ts"

/** Designs on a page, at most, and the bytes that they and their lines may take. */
const [designsShown, room, roomOfLines] = [24, 18 * 1024, 8 * 1024]

/** About as many bytes as the lines of one design take: it may be on very many, of which the first are shown. */
const bytesOf = (titles: Titles, lines: ReadonlyArray<LineView> = []): number =>
  Math.min(
    lines.reduce((sum, line) => sum + lineBytes(line, titles), 0),
    roomOfLines / 2,
  )

const page = Effect.gen(function* () {
  const { query, shop, visit } = yield* currentRequest
  const { id, inQuery } = yield* currentId
  const skip = numberIn(query, "at") ?? 0
  const { designs, lines, order, total } = yield* readOrderView(shop.id, id, { skip, limit: designsShown })
  const fate = yield* readOrderFate(shop.id, id)
  const byDesign = Map.groupBy(lines, ({ designId }) => designId)
  const titles = new Map(designs.flatMap(({ design, id }) => (design === null ? [] : [[id, design.customizer.title]])))
  const shown = fitting(designs, room, (design) => designBytes(design) + bytesOf(titles, byDesign.get(design.id)))
  const theirs = shown.flatMap((design) => byDesign.get(design.id) ?? [])
  const linesShown = fitting(theirs, roomOfLines, (line) => lineBytes(line, titles))
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
      <Facts
        label={texts.about}
        facts={[
          [texts.id, <CopyableText label={texts.copyId} text={order.id} />],
          [texts.total, visit.figures.money(order.total, order.currency)],
          [texts.placed, <Time at={order.orderedAt} now={visit.now} exact />],
        ]}
      >
        <p>
          <a href={findHref(visit.root, order.id)}>{texts.events}</a>
        </p>
      </Facts>
      <FateCard {...{ visit, shop, fate, order }} />
      <Card
        id="designs"
        title={texts.designsTitle}
        aside={shown.length > 0 && <span class="hint">{rangeOf(visit, skip, end, total)}</span>}
      >
        {shown.length === 0 ? (
          <p class="pad hint">{texts.noDesigns}</p>
        ) : (
          <ul class="designs pad">
            {shown.map((design) => (
              <DesignItem key={design.id} {...design} visit={visit} />
            ))}
          </ul>
        )}
      </Card>
      {theirs.length > 0 && (
        <Card id="lines" title={texts.linesTitle}>
          <LineTable lines={linesShown} titles={titles} visit={visit} />
          {linesShown.length < theirs.length && (
            <p class="pad hint">{texts.moreLines(visit.figures.figure(theirs.length - linesShown.length))}</p>
          )}
        </Card>
      )}
      <Parts
        label={texts.designsTitle}
        at={skip}
        end={end}
        total={total}
        link={(at) => queryWith({ id: inQuery, at })}
        visit={visit}
      />
      <details class="card">
        <summary>{texts.api}</summary>
        <div class="pad stack tight">
          <ApiCommand url={visit.apiUrl} path={`/orders/${encodeURIComponent(order.id)}`} />
        </div>
      </details>
    </>,
  )
})

const send = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const { id } = yield* currentId
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
