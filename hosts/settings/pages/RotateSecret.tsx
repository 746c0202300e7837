import { Effect, Redacted } from "effect"
import { promoteSecret, rotateSecret } from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint } from "../CurrentEndpoint.ts"
import { Form } from "../Form.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection, rejectionOf } from "../Problems.ts"
import { Field } from "../parts/Field.tsx"
import { FormActions } from "../parts/FormActions.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { WebhookCrumbs } from "../parts/WebhookCrumbs.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const day = 86_400

/** The periods during which the old secret may still sign, each in seconds and in words. */
const overlaps: ReadonlyArray<readonly [seconds: number, text: string]> = [
  [3_600, "1 hour"],
  [day, "1 day"],
  [7 * day, "7 days"],
  [0, "Not at all, because it has leaked"],
]

const rotatePage = Effect.fnUntraced(function* ({ problems, status }: Rejection = noProblems) {
  const visit = yield* Visit
  const endpoint = yield* currentEndpoint
  return yield* renderStorePage({
    title: "Rotate the signing secret",
    section: "webhooks",
    status,
    content: (
      <>
        <PageTitle>
          <WebhookCrumbs visit={visit} endpoint={endpoint} />
          <h1>Rotate the signing secret</h1>
          <p>
            A new signing secret is created and shown once. For a while, deliveries are still signed with the old one,
            so that you have time to add the new one to your receiver.
          </p>
        </PageTitle>
        <section class="card pad">
          <PostForm visit={visit} class="stack">
            {endpoint.rotation !== null && (
              <p>
                There is already a new secret that does not sign yet. It is replaced, and your receiver will never need
                it.
              </p>
            )}
            <Field
              name="overlap"
              label="How long the old secret still signs"
              hint="You can end this period early on the page of the endpoint, once your receiver has the new secret."
              problems={problems}
              control={(attributes) => (
                <select {...attributes}>
                  {overlaps.map(([seconds, text]) => (
                    <option key={seconds} value={String(seconds)} selected={seconds === day}>
                      {text}
                    </option>
                  ))}
                </select>
              )}
            />
            <FormActions submit="Create a new secret" cancelHref={`${visit.root}webhooks/${endpoint.id}`} />
          </PostForm>
        </section>
      </>
    ),
  })
})

const rotate = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* currentEndpoint
  const overlap = (yield* Form).text("overlap")
  return yield* rotateSecret(shop.id, id, { overlap: overlap === "" ? Number.NaN : Number(overlap) }).pipe(
    Effect.tap(() => logChange(`rotated the signing secret of the webhook endpoint ${id}`)),
    Effect.flatMap(({ endpoint, secret }) =>
      redirect(`webhooks/${id}/secret`, {
        tone: "good",
        text:
          endpoint.rotation === null
            ? "The signing secret has been replaced. From now on, deliveries are signed with this one."
            : "This is the new signing secret. Add it to your receiver, and keep the old one, which still signs.",
        secret: { label: "the signing secret", value: Redacted.value(secret) },
      }),
    ),
    Effect.catchTag("InvalidInput", (error) => rotatePage(rejectionOf(error))),
  )
})

const promote = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* currentEndpoint
  yield* promoteSecret(shop.id, id)
  yield* logChange(`promoted the new signing secret of the webhook endpoint ${id}`)
  return yield* redirect(`webhooks/${id}`, {
    tone: "good",
    text: "Deliveries are now signed with the new secret. You can remove the old one from your receiver in a minute.",
  })
})

/** The rotation of an endpoint's signing secret. */
export const rotateSecretRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/rotate", for: "store", handler: rotatePage() },
  { method: "POST", path: "/webhooks/:id/rotate", for: "store", handler: rotate },
  { method: "POST", path: "/webhooks/:id/promote", for: "store", handler: promote },
]
