import { Effect, Redacted } from "effect"
import { defaultKinds } from "../../../core/model/events/Event.ts"
import { includesApi } from "../../../core/model/shops/Shop.ts"
import { maximumEndpoints } from "../../../core/model/webhooks/Endpoint.ts"
import { createEndpoint, listEndpoints } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint, currentRequest } from "../CurrentRecord.ts"
import { endpointRejection } from "../EndpointRejection.ts"
import { endpointForm } from "../forms/EndpointForm.tsx"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection } from "../Problems.ts"
import { LinkButton } from "../parts/Buttons.tsx"
import { Copyable } from "../parts/Copyable.tsx"
import { type EndpointInput, readEndpointForm, shownInput } from "../parts/endpoints/EndpointFields.tsx"
import { nameOf } from "../parts/endpoints/EndpointName.tsx"
import { usualValues } from "../parts/endpoints/OptionControls.ts"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { FullNotice, PlanNotice } from "../parts/FlashBox.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { snippets, standardSnippet } from "../parts/Snippets.ts"
import type { Route } from "../Routes.ts"
import { Visit } from "../Visit.ts"

const createPage = Effect.fnUntraced(function* (
  input: EndpointInput = { url: "", description: "", events: defaultKinds, ...usualValues },
  { problems, status }: Rejection = noProblems,
) {
  const { shop, visit } = yield* currentRequest
  const included = includesApi(shop.plan)
  const submit = visit.texts.webhooks.create
  const form = yield* endpointForm({ input, problems, isNew: true, submit, cancelHref: `${visit.root}webhooks` })
  const isFull = (yield* listEndpoints(shop.id)).length >= maximumEndpoints
  return yield* renderStorePage(
    { title: visit.texts.newEndpoint.title, section: "webhooks", status },
    <>
      <PageTitle title={visit.texts.newEndpoint.title}>
        <WebhookCrumbs visit={visit} />
      </PageTitle>
      {isFull && included ? (
        <FullNotice text={visit.texts.webhooks.full(maximumEndpoints)} />
      ) : included ? (
        form
      ) : (
        <PlanNotice />
      )}
    </>,
  )
})

const create = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const input = yield* readEndpointForm(usualValues)
  return yield* createEndpoint(shop.id, input).pipe(
    Effect.tap(({ endpoint }) => logChange(`created the webhook endpoint ${endpoint.id}`)),
    Effect.flatMap(({ endpoint, secret }) =>
      redirect(`webhooks/${endpoint.id}/secret`, {
        tone: "good",
        text: texts.newEndpoint.created,
        secret: { label: texts.newEndpoint.secret, value: Redacted.value(secret) },
      }),
    ),
    Effect.catchTag(["InvalidInput", "Refused", "Conflict", "PlanRequired"], (error) =>
      Effect.flatMap(endpointRejection(error, input), (rejection) =>
        createPage(shownInput(input, usualValues), rejection),
      ),
    ),
  )
})

const verifyPage = Effect.gen(function* () {
  const visit = yield* Visit
  const texts = visit.texts.newEndpoint
  const endpoint = yield* currentEndpoint
  return yield* renderStorePage(
    { title: texts.verifyTitle(nameOf(endpoint)), section: "webhooks" },
    <>
      <PageTitle actions={<LinkButton href={`${visit.root}webhooks/${endpoint.id}`} text={texts.toEndpoint} />}>
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
        <h1>{texts.verify}</h1>
        <p>{texts.verifyLead}</p>
      </PageTitle>
      {endpoint.standardWebhooks && (
        <section class="stack tight">
          <h2>{texts.standard}</h2>
          <p>
            {texts.standardBefore}
            <code>webhook-id</code>, <code>webhook-timestamp</code>
            {texts.and}
            <code>webhook-signature</code>
            {texts.standardAfter}
          </p>
          <Copyable label={texts.standardLabel} text={standardSnippet} />
        </section>
      )}
      {snippets.map(({ code, language }) => (
        <section key={language} class="stack tight">
          <h2>{language}</h2>
          <Copyable label={texts.example(language)} text={code} />
        </section>
      ))}
    </>,
  )
})

/** The pages to add an endpoint and to learn how to verify its deliveries. */
export const newEndpointRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/new", for: "store", handler: createPage() },
  {
    ...{ method: "POST", path: "/webhooks/new", for: "store", handler: create },
    again: Effect.flatMap(readEndpointForm(usualValues), (input) => createPage(shownInput(input, usualValues))),
  },
  { method: "GET", path: "/webhooks/:id/secret", for: "store", handler: verifyPage },
]
