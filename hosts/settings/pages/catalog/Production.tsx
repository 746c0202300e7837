import { type DateTime, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { ProductionEntry } from "../../../../core/model/catalog/Design.ts"
import { isInstant } from "../../../../core/model/Instant.ts"
import { isStorable } from "../../../../core/model/Text.ts"
import { exportProduction } from "../../../../core/usecases/bulk/ExportShop.ts"
import { type LinePlace, readProduction, type ToMake } from "../../../../core/usecases/orders/ReadProduction.ts"
import { currentRequest } from "../../CurrentRecord.ts"
import { renderStorePage } from "../../Page.tsx"
import { Card } from "../../parts/Card.tsx"
import { customizerChoices } from "../../parts/catalog/CustomizerField.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { NameLink } from "../../parts/catalog/Isolated.tsx"
import { designHref, orderHref, queryWith, ticketHref } from "../../parts/catalog/Links.ts"
import { OrderFilter, orderFields } from "../../parts/catalog/OrderFilter.tsx"
import { Verbatim, verbatimBytes } from "../../parts/catalog/Verbatim.tsx"
import { PageTitle } from "../../parts/Layout.tsx"
import { Empty, Pages, Table } from "../../parts/List.tsx"
import { currentQuery, currentZone, dayAt, readFields, typedIn, Unreadable } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import { CurrentShop, Visit, type VisitProps } from "../../Visit.ts"

/** Lines on a page, at most, the bytes that they may take, and production codes that have a column of their own. */
const [linesShown, room, ownColumns] = [60, 17 * 1024, 6]

/** The longest id, and the longest value of a code, that the table shows. */
const [longestId, longestValue] = [60, 80]

/** The filter as it was typed: every field a text, empty for no restriction. */
type Asked = Readonly<Record<"customizer" | "from" | "to", string>>

const askedIn = (query: URLSearchParams): Asked => typedIn(query, ["customizer", "from", "to"])

/** Reads a filter; `to` is the last day that it selects. Fails with `Unreadable` for fields that can't be read. */
const readFilter = Effect.fnUntraced(function* (asked: Asked, zone: DateTime.TimeZone) {
  const { customizer = null, from = null, to: until = null } = yield* readFields(asked, yield* orderFields(zone))
  const { shop } = yield* CurrentShop
  return { shop: shop.id, customizer, from, until }
})

/** Reads the place that a link to a page names: `<skip>~<milliseconds>~<id>`. Fails with `Unreadable` otherwise. */
const readPlace = Effect.fnUntraced(function* (query: URLSearchParams) {
  const text = query.get("after")
  if (text === null) return null
  const [, skip, at, id = ""] = /^(\d{1,6})(?:~(-?\d{1,15})~([\s\S]{0,255}))?$/u.exec(text) ?? []
  if (skip === undefined || (at !== undefined && !isInstant(Number(at))) || !isStorable(id)) {
    return yield* new Unreadable({ message: (yield* Visit).texts.deliveryList.wrongPlace })
  }
  const place: LinePlace = {
    after: at === undefined ? null : { orderedAt: Number(at), id },
    skip: Number(skip),
  }
  return place
})

const placeText = ({ after, skip }: LinePlace): string =>
  after === null ? String(skip) : `${skip}~${after.orderedAt}~${after.id}`

const valueOf = (entry: ProductionEntry): string =>
  cut("values" in entry ? entry.values.slice(0, 100).join(", ") : entry.value, longestValue)

/** The production codes of a design, by their keys. */
const codesOf = ({ design }: ToMake): ReadonlyMap<string, string> => {
  const codes = new Map<string, string>()
  for (const entry of design.productionData) {
    const before = codes.get(entry.key)
    codes.set(entry.key, before === undefined ? valueOf(entry) : cut(`${before}; ${valueOf(entry)}`, longestValue))
  }
  return codes
}

/** About as many bytes as a line takes. */
const bytesOf = (made: ToMake): number =>
  620 +
  2 * encodeURIComponent(made.order.id).length +
  encodeURIComponent(made.design.id).length +
  bytesIn(cut(made.order.name, longestId), cut(made.line.lineItemId, longestId), made.design.thumbnail) +
  [...codesOf(made)].reduce((sum, [key, value]) => sum + 40 + bytesIn(cut(key, longestId)) + verbatimBytes(value), 0)

/** Lines of one day and customizer. */
interface Batch {
  readonly day: string
  readonly title: string
  readonly lines: ReadonlyArray<ToMake>
}

/** The lines by day, newest first, and by customizer. */
const batchesOf = (lines: ReadonlyArray<ToMake>, zone: DateTime.TimeZone): ReadonlyArray<Batch> =>
  [...Map.groupBy(lines, ({ order }) => dayAt(zone, Date.parse(order.orderedAt)))].flatMap(([day, ofDay]) =>
    [...Map.groupBy(ofDay, ({ design }) => design.customizer.id).values()].map((lines) => ({
      ...{ day, lines },
      title: cut(lines[0]?.design.customizer.title ?? "", longestId),
    })),
  )

const piecesOf = (lines: ReadonlyArray<ToMake>): number => lines.reduce((sum, { line }) => sum + line.quantity, 0)

const page = Effect.gen(function* () {
  const { query, shop, visit } = yield* currentRequest
  const asked = askedIn(query)
  const zone = yield* currentZone
  const filter = yield* readFilter(asked, zone)
  const place = yield* readPlace(query)
  const choices = yield* customizerChoices(shop.id)
  const found = yield* readProduction({ ...filter, place, limit: linesShown })
  const lines = fitting(found.lines.slice(0, linesShown), room, bytesOf)
  const next = found.lines[lines.length]?.place ?? found.next
  const { production: texts } = visit.texts
  const pieces = piecesOf(lines)
  const pictures = lines.map(({ design }) => design.thumbnail)
  return yield* renderStorePage(
    { title: texts.title, section: "production", pictures },
    <>
      <PageTitle
        actions={
          <a class="button" href={`${visit.root}production/csv${queryWith({ ...asked })}`} download="production.csv">
            {texts.download}
          </a>
        }
        title={texts.title}
        lead={texts.lead}
      />
      <OrderFilter choices={choices} value={asked.customizer} visit={visit} zone={zone} />
      {lines.length === 0 ? (
        <section class="card" aria-label={texts.title}>
          <Empty icon="production" text={next === null ? texts.none : texts.noneYet} />
        </section>
      ) : (
        <p class="hint">{texts.pieces(visit.figures.figure(pieces), pieces === 1)}</p>
      )}
      {batchesOf(lines, zone).map((batch) => (
        <BatchCard key={`${batch.day} ${batch.lines[0]?.design.customizer.id}`} batch={batch} visit={visit} />
      ))}
      <Pages visit={visit} next={next && placeText(next)} />
    </>,
  )
})

const BatchCard = ({ batch: { day, lines, title }, visit }: VisitProps & { readonly batch: Batch }) => {
  const { orders, production: texts } = visit.texts
  const pieces = piecesOf(lines)
  const id = `made-${day}-${lines[0]?.design.customizer.id}`
  const codes = new Map(lines.map((line) => [line, codesOf(line)]))
  const keys = [...new Set([...codes.values()].flatMap((ofLine) => [...ofLine.keys()]))]
  const rest = keys.slice(ownColumns)
  return (
    <Card
      id={id}
      title={
        <>
          {visit.figures.date(Date.parse(`${day}T00:00:00Z`))} · <bdi>{title}</bdi>
        </>
      }
      aside={<span class="hint">{texts.pieces(visit.figures.figure(pieces), pieces === 1)}</span>}
    >
      <Table
        kind="values made"
        rows={lines}
        keyOf={(_line, index) => index}
        columns={[
          { label: orders.order, cell: (made) => <OrderCell made={made} visit={visit} /> },
          {
            label: orders.line,
            cell: ({ design, line }) => (
              <NameLink href={designHref(visit.root, design.id)} name={cut(line.lineItemId, longestId)} />
            ),
          },
          {
            label: orders.quantity,
            class: "number",
            cell: ({ line }) => <strong>{visit.figures.figure(line.quantity)}</strong>,
          },
          ...keys.slice(0, ownColumns).map((key) => ({
            label: cut(key, longestId),
            cell: (line: ToMake) => <Code value={codes.get(line)?.get(key)} />,
          })),
          ...(rest.length === 0
            ? []
            : [
                {
                  label: texts.more,
                  cell: (line: ToMake) => <Rest codes={codes.get(line)} keys={rest} />,
                },
              ]),
        ]}
      />
    </Card>
  )
}

const OrderCell = ({ made: { design, order }, visit }: VisitProps & { readonly made: ToMake }) => (
  <div class="made-order">
    <img src={design.thumbnail} alt="" width="48" height="48" loading="lazy" />
    <div>
      <NameLink href={orderHref(visit.root, order.id)} name={cut(order.name, longestId)} />
      <a class="hint" href={ticketHref(visit.root, order.id)}>
        {visit.texts.ticket.heading}
      </a>
    </div>
  </div>
)

const Code = ({ value }: { readonly value: string | undefined }) =>
  value === undefined ? null : <Verbatim text={value} />

/** The codes that have no column of their own. */
const Rest = ({
  codes,
  keys,
}: {
  readonly codes: ReadonlyMap<string, string> | undefined
  readonly keys: ReadonlyArray<string>
}) => {
  const own = keys.flatMap((key) => {
    const value = codes?.get(key)
    return value === undefined
      ? []
      : [
          <p key={key}>
            <bdi class="hint">{cut(key, longestId)}</bdi> <Verbatim text={value} />
          </p>,
        ]
  })
  return own.length === 0 ? null : <div>{own}</div>
}

const download = Effect.gen(function* () {
  const asked = askedIn(yield* currentQuery)
  const table = yield* exportProduction(yield* readFilter(asked, yield* currentZone))
  return HttpServerResponse.stream(Stream.encodeText(table), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": 'attachment; filename="production.csv"' },
  })
})

/** The list of lines to make, and its table. */
export const productionRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/production", for: "store", handler: page },
  { method: "GET", path: "/production/csv", for: "store", handler: download },
]
