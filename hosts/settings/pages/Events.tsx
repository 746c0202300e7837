import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { NotFound } from "../../../core/model/Errors.ts"
import { defaultKinds, EventKind } from "../../../core/model/Event.ts"
import { documentOf, exampleOf, fieldsOf } from "../EventCatalogue.ts"
import { show } from "../Page.tsx"
import { Copyable } from "../parts/Copyable.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const meanings: Readonly<Record<EventKind, string>> = {
  "design.ordered": "Once per design, when the order that it is part of is placed.",
  "order.cancelled": "An order with custom items is cancelled. Its designs are cancelled with it.",
  "design.created": "A buyer saves a design on the storefront. Off by default: there are many.",
  ping: "A test event, while the store has no ordered design yet.",
}

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  return yield* show({
    title: "Event catalogue",
    section: "events",
    content: (
      <>
        <div class="title">
          <div>
            <h1>Event catalogue</h1>
            <p>
              What your endpoints receive. Designs and orders are the same as in the REST API, money is in minor units,
              and an event's id stays the same when it is sent again: drop what you have seen.
            </p>
          </div>
        </div>
        {EventKind.literals.map((kind) => (
          <section key={kind} class="card" aria-labelledby={kind}>
            <header>
              <div>
                <h2 id={kind}>
                  <code>{kind}</code>
                </h2>
                <p>{meanings[kind]}</p>
              </div>
              <div class="actions">
                {defaultKinds.some((one) => one === kind) && <span class="badge good">On by default</span>}
                {kind === "ping" && <span class="badge">Test</span>}
                <a
                  class="button small"
                  href={`${visit.root}events/${kind}.schema.json`}
                  download={`${kind}.schema.json`}
                >
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
        ))}
      </>
    ),
  })
})

const suffix = ".schema.json"

const schema = Effect.gen(function* () {
  const { file = "" } = yield* HttpRouter.params
  const kind = EventKind.literals.find((one) => one + suffix === file)
  if (kind === undefined) return yield* new NotFound({ message: "There is no such kind of event." })
  return HttpServerResponse.text(documentOf(kind), { contentType: "application/schema+json" })
})

/** The catalogue of events. */
export const eventRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/events", for: "store", answer: page },
  { method: "GET", path: "/events/:file", for: "store", answer: schema },
]
