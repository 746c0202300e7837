import { Effect } from "effect"
import type { Design, ProductionEntry, SummaryEntry } from "../../../../core/model/catalog/Design.ts"
import { type LineView, readOrderView } from "../../../../core/usecases/orders/SearchOrders.ts"
import { currentId, currentRequest } from "../../CurrentRecord.ts"
import { renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { Isolated, NameLink } from "../../parts/catalog/Isolated.tsx"
import { designHref, orderHref, picturesHref, queryWith } from "../../parts/catalog/Links.ts"
import { QrCode, qrBytes } from "../../parts/catalog/QrCode.tsx"
import { Verbatim, verbatimBytes } from "../../parts/catalog/Verbatim.tsx"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { Empty, Parts, rangeOf, Table } from "../../parts/List.tsx"
import { Time } from "../../parts/Time.tsx"
import { numberIn } from "../../Query.ts"
import type { Route } from "../../Routes.ts"
import type { VisitProps } from "../../Visit.ts"

/** Designs on a page, at most, and the bytes that all of them may take. */
const [designsShown, room] = [12, 20 * 1024]

/** The bytes that the pictures, the texts and the codes of a design may take, each. */
const roomOfEach = 5 * 1024

/** A code or a text of a design, by its key. */
interface Entry {
  readonly key: string
  readonly value: string
}

/** A design to make, with all pieces of it, and as much of it as fits. */
interface Job {
  readonly id: string
  readonly lines: ReadonlyArray<LineView>
  readonly design: Design | null
  readonly pictures: ReadonlyArray<readonly [view: string, url: string]>
  readonly texts: ReadonlyArray<Entry>
  readonly codes: ReadonlyArray<Entry>
  /** Whether the design has more of these. */
  readonly isCut: boolean
}

const entryBytes = ({ key, value }: Entry): number => 110 + bytesIn(key) + verbatimBytes(value)

const pictureBytes = ([view, url]: readonly [string, string]): number => 210 + bytesIn(url, url, view, view)

/** The first items that fit, perhaps none: a text that does not fit whole is not shown. */
const whole = <A,>(items: ReadonlyArray<A>, bytesOf: (item: A) => number): ReadonlyArray<A> =>
  fitting([undefined, ...items], roomOfEach, (item) => (item === undefined ? 0 : bytesOf(item))).filter(
    (item) => item !== undefined,
  )

const codeOf = (entry: ProductionEntry): Entry => ({
  key: cut(entry.key, 100),
  value: "values" in entry ? entry.values.join(", ") : entry.value,
})

/** The texts that the buyer entered, by the titles of their questions. */
const textsOf = ({ selection, summary }: Design): ReadonlyArray<Entry> => {
  const entered = new Set(
    Object.values(selection).flatMap((value) =>
      typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"
        ? [value.text]
        : [],
    ),
  )
  const isText = (entry: SummaryEntry): entry is Entry => typeof entry.value === "string" && entered.has(entry.value)
  return summary.filter(isText).map(({ key, value }) => ({ key: cut(key, 100), value }))
}

const jobOf = (id: string, design: Design | null, lines: ReadonlyArray<LineView>): Job => {
  if (design === null) return { id, lines, design, pictures: [], texts: [], codes: [], isCut: true }
  const all = {
    pictures: Object.entries(design.images),
    texts: textsOf(design),
    codes: design.productionData.map(codeOf),
  }
  const shown = {
    pictures: whole(all.pictures, pictureBytes),
    texts: whole(all.texts, entryBytes),
    codes: whole(all.codes, entryBytes),
  }
  const isCut =
    shown.pictures.length < all.pictures.length ||
    shown.texts.length < all.texts.length ||
    shown.codes.length < all.codes.length
  return { id, lines, design, ...shown, isCut }
}

/** About as many bytes as a job takes. */
const bytesOf = ({ codes, design, id, lines, pictures, texts }: Job): number =>
  900 +
  2 * encodeURIComponent(id).length +
  bytesIn(id, cut(design?.customizer.title ?? "", 100)) +
  qrBytes(id) +
  lines.slice(0, linesNamed).reduce((sum, { lineItemId }) => sum + 40 + bytesIn(cut(lineItemId ?? "", 60)), 0) +
  [...texts, ...codes].reduce((sum, entry) => sum + entryBytes(entry), 0) +
  pictures.reduce((sum, picture) => sum + pictureBytes(picture), 0)

/** Lines of one design that are named. */
const linesNamed = 20

const piecesOf = (lines: ReadonlyArray<LineView>): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

const page = Effect.gen(function* () {
  const { query, shop, visit } = yield* currentRequest
  const { id, inQuery } = yield* currentId
  const skip = numberIn(query, "at") ?? 0
  const { designs, lines, order, total } = yield* readOrderView(shop.id, id, { skip, limit: designsShown })
  const ordered = lines.filter(({ quantity, status }) => quantity > 0 && status !== "cancelled")
  const byDesign = Map.groupBy(ordered, ({ designId }) => designId)
  const all = designs.map(({ design, id }) => jobOf(id, design, byDesign.get(id) ?? []))
  const jobs = fitting(all, room, bytesOf)
  const end = skip + jobs.length
  const made = jobs.filter(({ lines }) => lines.length > 0)
  const { orders, ticket: texts } = visit.texts
  const pictures = made.flatMap((job) => job.pictures.map(([, url]) => url))
  return yield* renderStorePage(
    { title: texts.title(cut(order.name, 100)), section: "production", pictures },
    <>
      <PageTitle
        actions={
          made.length > 0 && <LinkButton href={picturesHref(visit.root, order.id)} text={texts.pictures.download} />
        }
      >
        <Crumbs
          links={[
            [`${visit.root}production`, visit.texts.production.title],
            [orderHref(visit.root, order.id), cut(order.name, 100)],
          ]}
        />
        <h1>
          {texts.heading} <bdi>{cut(order.name, 100)}</bdi>
        </h1>
        <p>
          <bdi>{cut(order.id, 255)}</bdi> · <Time at={order.orderedAt} now={visit.now} exact />
        </p>
        {(skip > 0 || end < total) && <p>{rangeOf(visit, skip, end, total)}</p>}
      </PageTitle>
      {made.length === 0 && (
        <section class="card" aria-label={texts.heading}>
          <Empty icon="production" text={texts.none} />
        </section>
      )}
      {made.map((job, index) => (
        <JobCard key={job.id} job={job} place={skip + index} visit={visit} />
      ))}
      <Parts
        label={orders.designsTitle}
        at={skip}
        end={end}
        total={total}
        link={(at) => queryWith({ id: inQuery, at })}
        visit={visit}
      />
    </>,
  )
})

const JobCard = ({
  job: { codes, design, id, isCut, lines, pictures, texts: entered },
  place,
  visit,
}: VisitProps & {
  readonly job: Job
  /** Its number in its order, from 0. */
  readonly place: number
}) => {
  const { design: words, orders, ticket: texts } = visit.texts
  const pieces = piecesOf(lines)
  const title = cut(design?.customizer.title ?? orders.large, 60)
  return (
    <section class="card ticket" aria-labelledby={`job-${place}`}>
      <header>
        <h2 id={`job-${place}`}>
          <bdi>{title}</bdi>
        </h2>
        <strong class="pieces">{texts.pieces(visit.figures.figure(pieces))}</strong>
      </header>
      <div class="pad stack">
        {pictures.length > 0 && (
          <ul class="pictures large">
            {pictures.map(([view, url]) => (
              <li key={view}>
                <img src={url} alt={words.pictureOf(title, view)} width="320" height="320" />
                <p class="hint">
                  <bdi>{view}</bdi>
                </p>
              </li>
            ))}
          </ul>
        )}
        {entered.map(({ key, value }, index) => (
          <div key={index} class="entered">
            <h3>
              <bdi>{key}</bdi>
            </h3>
            <p>
              <Verbatim text={value} />
            </p>
          </div>
        ))}
        {isCut && (
          <p class="notice bad">
            <span>
              {texts.cut} <a href={designHref(visit.root, id)}>{texts.whole}</a>
            </span>
          </p>
        )}
        <dl class="facts">
          <dt>{words.id}</dt>
          <dd>
            <NameLink href={designHref(visit.root, id)} name={id} />
            <div>
              <QrCode label={texts.qrCode} text={id} />
            </div>
          </dd>
          <dt>{orders.line}</dt>
          <dd>
            <Isolated
              texts={lines
                .slice(0, linesNamed)
                .map(({ lineItemId, quantity }) => `${cut(lineItemId ?? "–", 60)} × ${visit.figures.figure(quantity)}`)}
            />
            {lines.length > linesNamed && "…"}
          </dd>
        </dl>
      </div>
      {codes.length > 0 && (
        <Table
          kind="values"
          rows={codes}
          keyOf={(_entry, index) => index}
          columns={[
            { label: words.key, cell: ({ key }) => <bdi>{key}</bdi> },
            { label: texts.code, cell: ({ value }) => <Verbatim text={value} /> },
          ]}
        />
      )}
    </section>
  )
}

/** The job ticket of an order: everything that a workshop needs to make it, on paper too. */
export const ticketRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/orders/:id/ticket", for: "store", handler: page },
]
