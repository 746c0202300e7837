import { Effect } from "effect"
import type { Design } from "../../../../core/model/catalog/Design.ts"
import { utf8Length } from "../../../../core/model/Text.ts"
import { readVersion } from "../../../../core/usecases/catalog/ListCustomizers.ts"
import { readDesign } from "../../../../core/usecases/catalog/ReadDesign.ts"
import { currentId } from "../../CurrentRecord.ts"
import { jsonFile, renderStorePage } from "../../Page.tsx"
import { LinkButton } from "../../parts/Buttons.tsx"
import { Card, Facts } from "../../parts/Card.tsx"
import { Copyable, CopyableText } from "../../parts/Copyable.tsx"
import { ApiCommand } from "../../parts/catalog/ApiCommand.tsx"
import { bytesIn, cut, fitting } from "../../parts/catalog/Cut.ts"
import { EvaluatedTables } from "../../parts/catalog/EvaluatedTables.tsx"
import { NameLink } from "../../parts/catalog/Isolated.tsx"
import { customizerHref, designJsonHref, findHref, orderHref } from "../../parts/catalog/Links.ts"
import { Crumbs, PageTitle } from "../../parts/Layout.tsx"
import { Time } from "../../parts/Time.tsx"
import type { Route } from "../../Routes.ts"
import { CurrentShop, Visit, type VisitProps } from "../../Visit.ts"

/** Bytes of a page that its pictures, and each of its tables, may take; characters of JSON that it shows. */
const [picturesRoom, tableRoom, maximumShown] = [4 * 1024, 4 * 1024, 1024]

/** The design that the request's path names, as its JSON. */
const currentDesign = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* currentId
  return yield* readDesign(shop.id, id)
})

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { text, value: design } = yield* currentDesign
  const texts = visit.texts.design
  const { order } = design
  const { shop } = yield* CurrentShop
  // An imported design may have a version that the shop has not.
  const questions = yield* readVersion(shop.id, design.customizer.id, design.customizer.version).pipe(
    Effect.map(({ definition }) => definition.questions),
    Effect.catchTag("NotFound", () => Effect.succeed([])),
  )
  const all = Object.entries(design.images)
  const title = bytesIn(cut(design.customizer.title, 60))
  const pictures = fitting(all, picturesRoom, ([view, url]) => 260 + title + bytesIn(cut(view, 60), cut(view, 60), url))
  return yield* renderStorePage(
    { title: texts.title(cut(design.id, 100)), section: "orders", pictures: pictures.map(([, url]) => url) },
    <>
      <PageTitle
        actions={
          <LinkButton href={designJsonHref(visit.root, design.id)} download="design.json" text={texts.download} />
        }
      >
        <Crumbs
          links={[
            [`${visit.root}orders`, visit.texts.orders.title],
            ...(order === null ? [] : [[orderHref(visit.root, order.id), cut(order.name, 100)] as const]),
          ]}
        />
        <h1>
          <bdi>{cut(design.customizer.title, 100)}</bdi>{" "}
          <span class={design.status === "ordered" ? "badge good" : "badge"}>{texts.statuses[design.status]}</span>
        </h1>
      </PageTitle>
      <AboutDesign design={design} visit={visit} />
      <Card id="pictures" title={texts.pictures}>
        <ul class="pictures pad">
          {pictures.map(([view, url]) => (
            <li key={view}>
              <img
                src={url}
                alt={texts.pictureOf(cut(design.customizer.title, 60), cut(view, 60))}
                width="160"
                height="160"
                loading="lazy"
              />
              <p class="hint">
                <bdi>{cut(view, 60)}</bdi>
              </p>
            </li>
          ))}
        </ul>
        {pictures.length < all.length && (
          <p class="pad hint">{texts.picturesCut(visit.figures.figure(all.length - pictures.length))}</p>
        )}
      </Card>
      <EvaluatedTables evaluated={design} questions={questions} bytes={tableRoom} visit={visit} />
      <Json design={design} text={text} visit={visit} />
    </>,
  )
})

interface Shown extends VisitProps {
  readonly design: Design
}

const AboutDesign = ({ design: { createdAt, customizer, id, order, orderedAt }, visit }: Shown) => {
  const texts = visit.texts.design
  return (
    <Facts
      label={texts.about}
      facts={[
        [texts.id, <CopyableText label={texts.copyId} text={id} />],
        [
          texts.customizer,
          <a href={`${customizerHref(visit.root, customizer.id)}?version=${customizer.version}`}>
            <bdi>{cut(customizer.title, 100)}</bdi>
            {`, ${texts.version(customizer.version)}`}
          </a>,
        ],
        [
          texts.order,
          order === null ? (
            texts.noOrder
          ) : (
            <NameLink href={orderHref(visit.root, order.id)} name={cut(order.name, 100)} />
          ),
        ],
        order !== null && [texts.lineItem, <bdi>{cut(order.lineItemId, 255)}</bdi>],
        [texts.created, <Time at={createdAt} now={visit.now} exact />],
        orderedAt !== null && [texts.ordered, <Time at={orderedAt} now={visit.now} exact />],
      ]}
    >
      <p>
        <a href={findHref(visit.root, id)}>{visit.texts.orders.events}</a>
      </p>
      {order !== null && (
        <p>
          <a href={findHref(visit.root, order.id)}>{texts.orderEvents}</a>
        </p>
      )}
    </Facts>
  )
}

const Json = ({ design, text, visit }: Shown & { readonly text: string }) => {
  const texts = visit.texts.design
  return (
    <section class="stack" aria-labelledby="json">
      <h2 id="json">{texts.json}</h2>
      <Copyable label={texts.copyJson} text={cut(text, maximumShown)} />
      {text.length > maximumShown && (
        <p class="hint">{texts.jsonCut(texts.size(visit.figures.figure(Math.ceil(utf8Length(text) / 1024))))}</p>
      )}
      <ApiCommand url={visit.apiUrl} path={`/designs/${encodeURIComponent(design.id)}`} />
    </section>
  )
}

const download = Effect.map(currentDesign, ({ text }) => jsonFile(text, "design.json"))

/** The page of a design, and its JSON. */
export const designRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/designs/:id", for: "store", handler: page },
  { method: "GET", path: "/designs/:id/json", for: "store", handler: download },
]
