import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { defaultKinds, EventKind } from "../../../core/model/events/Event.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import { currentRequest, Missing } from "../CurrentRecord.ts"
import { documentOf, exampleOf, fieldsOf, kindWithFieldsOf } from "../EventCatalogue.ts"
import { renderStorePage } from "../Page.tsx"
import { Copyable } from "../parts/Copyable.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { Table } from "../parts/List.tsx"
import type { Route } from "../Routes.ts"
import { englishIn } from "../texts/Language.ts"
import { Visit, type VisitProps } from "../Visit.ts"

const schemaSuffix = ".schema.json"

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  return yield* renderStorePage(
    { title: visit.texts.events.title, section: "events" },
    <>
      <PageTitle title={visit.texts.events.title} lead={visit.texts.events.lead} />
      {EventKind.literals.map((kind) => (
        <KindCard key={kind} kind={kind} shop={shop} visit={visit} />
      ))}
    </>,
  )
})

/** Of examples. With one more, the page would be larger than a first visit may load. */
const indent = 1

const KindCard = ({ kind, shop, visit }: VisitProps & { readonly kind: EventKind; readonly shop: Shop }) => {
  const texts = visit.texts.events
  const like = kindWithFieldsOf(kind, texts)
  return (
    <section class="card" aria-labelledby={kind}>
      <header>
        <div>
          <h2 id={kind}>
            <code>{kind}</code>
          </h2>
          <p>{texts.meanings[kind]}</p>
        </div>
        <div class="actions">
          {defaultKinds.some((each) => each === kind) && <span class="badge good">{texts.isDefault}</span>}
          {kind === "ping" && <span class="badge">{visit.texts.parts.test}</span>}
          <a class="button small" href={`${visit.root}events/${kind}${schemaSuffix}`} download={kind + schemaSuffix}>
            JSON Schema
          </a>
        </div>
      </header>
      <details open={kind === "design.ordered"}>
        <summary>{texts.example(kind)}</summary>
        <div class="pad stack">
          <Copyable
            label={texts.exampleLabel(kind)}
            text={JSON.stringify(JSON.parse(exampleOf(shop, kind)), undefined, indent)}
          />
        </div>
      </details>
      <details>
        <summary>{texts.fields(kind)}</summary>
        {like === undefined ? (
          <FieldTable kind={kind} visit={visit} />
        ) : (
          <p class="pad">
            {texts.sameFields(
              <a href={`#${fieldsId(like)}`}>
                <code>{like}</code>
              </a>,
            )}
          </p>
        )}
      </details>
    </section>
  )
}

/** The id of the table of an event's fields. */
const fieldsId = (kind: EventKind) => `fields-${kind}`

const FieldTable = ({ kind, visit }: VisitProps & { readonly kind: EventKind }) => {
  const texts = visit.texts.events
  return (
    <Table
      id={fieldsId(kind)}
      rows={fieldsOf(kind, texts)}
      keyOf={({ path }) => path}
      columns={[
        { label: texts.field, isBare: true, cell: ({ path }) => <code>{path}</code> },
        { label: texts.type, isBare: true, cell: ({ type }) => type },
        {
          label: texts.meaning,
          lang: englishIn(visit.site.language),
          isBare: true,
          cell: ({ description }) => description,
        },
      ]}
    />
  )
}

const schema = Effect.gen(function* () {
  const { file = "" } = yield* HttpRouter.params
  const kind = EventKind.literals.find((each) => each + schemaSuffix === file)
  if (kind === undefined) return yield* new Missing({ message: (yield* Visit).texts.events.unknownKind })
  return HttpServerResponse.text(documentOf(kind), { contentType: "application/schema+json" })
})

/** The catalogue of events, and a JSON Schema for each kind. */
export const eventRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/events", for: "store", handler: page },
  { method: "GET", path: "/events/:file", for: "store", handler: schema },
]
