import { Effect, Redacted } from "effect"
import { defaultKinds } from "../../../core/model/Event.ts"
import { includesApi } from "../../../core/model/Shop.ts"
import { createEndpoint } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint } from "../CurrentEndpoint.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection, rejectionOf } from "../Problems.ts"
import { Copyable } from "../parts/Copyable.tsx"
import { EndpointFields, type EndpointInput, readEndpointForm } from "../parts/EndpointFields.tsx"
import { FormActions } from "../parts/FormActions.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PlanNotice } from "../parts/PlanNotice.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { snippets, standardSnippet } from "../parts/Snippets.ts"
import { WebhookCrumbs } from "../parts/WebhookCrumbs.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const createPage = Effect.fnUntraced(function* (
  input: EndpointInput = { url: "", description: "", events: defaultKinds, standardWebhooks: false },
  { problems, status }: Rejection = noProblems,
) {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  return yield* renderStorePage({
    title: "Create an endpoint",
    section: "webhooks",
    status,
    content: (
      <>
        <PageTitle>
          <WebhookCrumbs visit={visit} />
          <h1>Create an endpoint</h1>
        </PageTitle>
        {includesApi(shop.plan) ? (
          <section class="card pad">
            <PostForm visit={visit} class="stack">
              <EndpointFields input={input} problems={problems} />
              <FormActions submit="Create endpoint" cancelHref={`${visit.root}webhooks`} />
            </PostForm>
          </section>
        ) : (
          <PlanNotice />
        )}
      </>
    ),
  })
})

const create = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const input = yield* readEndpointForm
  return yield* createEndpoint(shop.id, input).pipe(
    Effect.tap(({ endpoint }) => logChange(`created the webhook endpoint ${endpoint.id}`)),
    Effect.flatMap(({ endpoint, secret }) =>
      redirect(`webhooks/${endpoint.id}/secret`, {
        tone: "good",
        text: "The endpoint has been created. Verify its deliveries with this signing secret.",
        secret: { label: "the signing secret", value: Redacted.value(secret) },
      }),
    ),
    Effect.catchTag(["InvalidInput", "Refused", "Conflict", "PlanRequired"], (error) =>
      createPage(input, rejectionOf(error)),
    ),
  )
})

const verifyPage = Effect.gen(function* () {
  const visit = yield* Visit
  const endpoint = yield* currentEndpoint
  return yield* renderStorePage({
    title: "Verify deliveries",
    section: "webhooks",
    content: (
      <>
        <PageTitle
          actions={
            <a class="button" href={`${visit.root}webhooks/${endpoint.id}`}>
              Go to the endpoint
            </a>
          }
        >
          <WebhookCrumbs visit={visit} endpoint={endpoint} />
          <h1>Verify deliveries</h1>
          <p>
            Every delivery is signed with the endpoint's signing secret, which is shown only when it is created. Check
            the signature against the raw body, before you parse it. If it does not match, respond with 401.
          </p>
        </PageTitle>
        {endpoint.standardWebhooks && (
          <section class="stack tight">
            <h2>With a Standard Webhooks library</h2>
            <p>
              This endpoint also receives <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
              <code>webhook-signature</code>. Libraries for many languages accept the signing secret as it is.
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

/** The pages to add an endpoint and to learn how to verify its deliveries. */
export const newEndpointRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/new", for: "store", handler: createPage() },
  { method: "POST", path: "/webhooks/new", for: "store", handler: create },
  { method: "GET", path: "/webhooks/:id/secret", for: "store", handler: verifyPage },
]
