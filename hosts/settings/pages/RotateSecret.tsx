import { Effect, Redacted } from "effect"
import { promoteSecret, rotateSecret } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint, currentRequest } from "../CurrentRecord.ts"
import { Form } from "../Form.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection, rejectionOf } from "../Problems.ts"
import { nameOf } from "../parts/endpoints/EndpointName.tsx"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { Field } from "../parts/Field.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { FormActions, PostForm } from "../parts/PostForm.tsx"
import type { Route } from "../Routes.ts"
import { Visit } from "../Visit.ts"

const day = 86_400

/** The periods during which the old secret may still sign, each in seconds and with its text. */
const overlaps = [
  [3_600, "hour"],
  [day, "day"],
  [7 * day, "week"],
  [0, "none"],
] as const

const rotatePage = Effect.fnUntraced(function* (sent = String(day), { problems, status }: Rejection = noProblems) {
  const visit = yield* Visit
  const texts = visit.texts.rotateSecret
  const endpoint = yield* currentEndpoint
  const overlap = overlaps.some(([seconds]) => String(seconds) === sent) ? sent : String(day)
  return yield* renderStorePage(
    { title: texts.pageTitle(nameOf(endpoint)), section: "webhooks", status },
    <>
      <PageTitle title={texts.title} lead={texts.lead}>
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
      </PageTitle>
      <section class="card pad">
        <PostForm visit={visit} class="stack">
          {endpoint.rotation !== null && <p>{texts.replaces}</p>}
          <Field
            name="overlap"
            label={texts.overlap}
            hint={texts.overlapHint}
            problems={problems}
            control={(attributes) => (
              <select {...attributes}>
                {overlaps.map(([seconds, text]) => (
                  <option key={seconds} value={String(seconds)} selected={String(seconds) === overlap}>
                    {texts[text]}
                  </option>
                ))}
              </select>
            )}
          />
          <FormActions submit={texts.submit} cancelHref={`${visit.root}webhooks/${endpoint.id}`} />
        </PostForm>
      </section>
    </>,
  )
})

const rotate = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const { id } = yield* currentEndpoint
  const overlap = (yield* Form).text("overlap")
  return yield* rotateSecret(shop.id, id, { overlap: overlap === "" ? Number.NaN : Number(overlap) }).pipe(
    Effect.tap(() => logChange(`rotated the signing secret of the webhook endpoint ${id}`)),
    Effect.flatMap(({ endpoint, secret }) =>
      redirect(`webhooks/${id}/secret`, {
        tone: "good",
        text: endpoint.rotation === null ? texts.rotateSecret.replaced : texts.rotateSecret.rotated,
        secret: { label: texts.newEndpoint.secret, value: Redacted.value(secret) },
      }),
    ),
    Effect.catchTag("InvalidInput", (error) => rotatePage(overlap, rejectionOf(error, texts))),
  )
})

const promote = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const { id } = yield* currentEndpoint
  yield* promoteSecret(shop.id, id)
  yield* logChange(`promoted the new signing secret of the webhook endpoint ${id}`)
  return yield* redirect(yield* backTo(`webhooks/${id}`), { tone: "good", text: texts.rotateSecret.promoted })
})

/** The rotation of an endpoint's signing secret. */
export const rotateSecretRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/rotate", for: "store", handler: rotatePage() },
  {
    ...{ method: "POST", path: "/webhooks/:id/rotate", for: "store", handler: rotate },
    again: Effect.flatMap(Form, ({ text }) => rotatePage(text("overlap"))),
  },
  { method: "POST", path: "/webhooks/:id/promote", for: "store", handler: promote },
]
