import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { defaultKinds } from "../../../core/model/Event.ts"
import { addEndpoint, readEndpoint } from "../../../core/usecases/ManageEndpoints.ts"
import { changed } from "../Changes.ts"
import { goTo, show } from "../Page.tsx"
import { accepted, type Rejected, rejected } from "../Problems.ts"
import { Copyable } from "../parts/Copyable.tsx"
import { type EndpointEntered, EndpointFields, readEndpointForm } from "../parts/EndpointFields.tsx"
import { FormActions } from "../parts/FormActions.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { snippets, standardSnippet } from "../parts/Snippets.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const page = Effect.fnUntraced(function* (
  entered: EndpointEntered = { url: "", description: "", events: defaultKinds, standardWebhooks: false },
  { problems, status }: Rejected = accepted,
) {
  const visit = yield* Visit
  return yield* show({
    title: "Add an endpoint",
    section: "webhooks",
    status,
    content: (
      <>
        <div class="title">
          <div>
            <p class="crumbs">
              <a href={`${visit.root}webhooks`}>Webhooks</a>
            </p>
            <h1>Add an endpoint</h1>
          </div>
        </div>
        <section class="card pad">
          <PostForm visit={visit} kind="stack">
            <EndpointFields entered={entered} problems={problems} />
            <FormActions submit="Add endpoint" back={`${visit.root}webhooks`} />
          </PostForm>
        </section>
      </>
    ),
  })
})

const add = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const entered = yield* readEndpointForm
  return yield* addEndpoint(shop.id, entered).pipe(
    Effect.tap(({ endpoint }) => changed(`added the webhook endpoint ${endpoint.id}`)),
    Effect.flatMap(({ endpoint, secret }) =>
      goTo(`webhooks/${endpoint.id}/secret`, {
        tone: "good",
        text: "The endpoint is added. Verify its deliveries with this signing secret.",
        secret: { label: "the signing secret", value: Redacted.value(secret) },
      }),
    ),
    Effect.catchTag(["InvalidInput", "Refused", "Conflict", "PlanRequired"], (error) => page(entered, rejected(error))),
  )
})

const verify = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const { standardWebhooks, url } = yield* readEndpoint(shop.id, id)
  return yield* show({
    title: "Verify deliveries",
    section: "webhooks",
    content: (
      <>
        <div class="title">
          <div>
            <p class="crumbs">
              <a href={`${visit.root}webhooks`}>Webhooks</a> /{" "}
              <a href={`${visit.root}webhooks/${id}`}>
                <bdi>{url}</bdi>
              </a>
            </p>
            <h1>Verify deliveries</h1>
            <p>
              Every delivery is signed with the endpoint's secret, which is shown when it is made and not again. Check
              the signature against the raw body, before you parse it, and refuse what does not fit with 401.
            </p>
          </div>
          <a class="button" href={`${visit.root}webhooks/${id}`}>
            To the endpoint
          </a>
        </div>
        {standardWebhooks && (
          <section class="stack tight">
            <h2>With a library of Standard Webhooks</h2>
            <p>
              This endpoint also gets <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
              <code>webhook-signature</code>. Libraries for many languages take the signing secret as it is.
            </p>
            <Copyable label="the Standard Webhooks example" text={standardSnippet} />
          </section>
        )}
        {snippets.map(({ code, language }) => (
          <section key={language} class="stack tight">
            <h2>{language}</h2>
            <Copyable label={`the ${language} example`} text={code} />
          </section>
        ))}
      </>
    ),
  })
})

/** How an endpoint is added. */
export const newEndpointRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/new", for: "store", answer: page() },
  { method: "POST", path: "/webhooks/new", for: "store", answer: add },
  { method: "GET", path: "/webhooks/:id/secret", for: "store", answer: verify },
]
