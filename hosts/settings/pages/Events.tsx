import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { NotFound } from "../../../core/model/Errors.ts"
import { defaultKinds, EventKind, eventMeanings } from "../../../core/model/Event.ts"
import type { Shop } from "../../../core/model/Shop.ts"
import { documentOf, exampleOf, fieldsOf } from "../EventCatalogue.ts"
import { renderStorePage } from "../Page.tsx"
import { Copyable } from "../parts/Copyable.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const schemaSuffix = ".schema.json"

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  return yield* renderStorePage({
    title: "Event catalogue",
    section: "events",
    content: (
      <>
        <PageTitle>
          <h1>Event catalogue</h1>
          <p>
            The events that your endpoints receive. Designs and orders have the same form as in the REST API, and
            amounts are in minor units. An event that is sent again keeps its id: ignore ids that you have already
            processed.
          </p>
        </PageTitle>
        {EventKind.literals.map((kind) => (
          <KindCard key={kind} kind={kind} shop={shop} visit={visit} />
        ))}
      </>
    ),
  })
})

const KindCard = ({
  kind,
  shop,
  visit,
}: {
  readonly kind: EventKind
  readonly shop: Shop
  readonly visit: Visit["Service"]
}) => (
  <section class="card" aria-labelledby={kind}>
    <header>
      <div>
        <h2 id={kind}>
          <code>{kind}</code>
        </h2>
        <p>{eventMeanings[kind]}</p>
      </div>
      <div class="actions">
        {defaultKinds.some((each) => each === kind) && <span class="badge good">On by default</span>}
        {kind === "ping" && <span class="badge">Test</span>}
        <a class="button small" href={`${visit.root}events/${kind}${schemaSuffix}`} download={kind + schemaSuffix}>
          JSON Schema
        </a>
      </div>
    </header>
    <details open={kind === "design.ordered"}>
      <summary>{`Example of ${kind}`}</summary>
      <div class="pad stack">
        <Copyable
          label={`the example of ${kind}`}
          text={JSON.stringify(JSON.parse(exampleOf(shop, kind)), undefined, 2)}
        />
      </div>
    </details>
    <details>
      <summary>{`Fields of ${kind}`}</summary>
      <table class="folding">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {fieldsOf(kind).map(({ description, path, type }) => (
            <tr key={path}>
              <td>
                <code>{path}</code>
              </td>
              <td data-label="Type">{type}</td>
              <td>{description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  </section>
)

const schema = Effect.gen(function* () {
  const { file = "" } = yield* HttpRouter.params
  const kind = EventKind.literals.find((each) => each + schemaSuffix === file)
  if (kind === undefined) return yield* new NotFound({ message: "This kind of event does not exist." })
  return HttpServerResponse.text(documentOf(kind), { contentType: "application/schema+json" })
})

/** The catalogue of events, and a JSON Schema for each kind. */
export const eventRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/events", for: "store", handler: page },
  { method: "GET", path: "/events/:file", for: "store", handler: schema },
]
