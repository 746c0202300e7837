import { Effect, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { promoteSecret, readEndpoint, rotateSecret } from "../../../core/usecases/ManageEndpoints.ts"
import { changed } from "../Changes.ts"
import { goTo, show } from "../Page.tsx"
import { accepted, type Rejected, rejected } from "../Problems.ts"
import { Field } from "../parts/Field.tsx"
import { FormActions } from "../parts/FormActions.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Form, Visit } from "../Visit.ts"

const endpointAtHand = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  return yield* readEndpoint(shop.id, id)
})

/** How long the old secret can go on to sign: seconds, and how people say it. */
const overlaps: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [604_800, "7 days"],
  [0, "Not at all: it has leaked"],
]

const day = 86_400

const page = Effect.fnUntraced(function* ({ problems, status }: Rejected = accepted) {
  const visit = yield* Visit
  const { id, rotation, url } = yield* endpointAtHand
  return yield* show({
    title: "Rotate the signing secret",
    section: "webhooks",
    status,
    content: (
      <>
        <div class="title">
          <div>
            <p class="crumbs">
              <a href={`${visit.root}webhooks`}>Webhooks</a>
              {" / "}
              <a href={`${visit.root}webhooks/${id}`}>
                <bdi>{url}</bdi>
              </a>
            </p>
            <h1>Rotate the signing secret</h1>
            <p>
              A new signing secret is made and shown once. Until it signs, deliveries are signed with the old one, so
              that you have time to give the new one to your receiver beside the old one.
            </p>
          </div>
        </div>
        <section class="card pad">
          <PostForm visit={visit} kind="stack">
            {rotation !== null && (
              <p>A new secret waits already. It is replaced by this one, and your receiver never needs it.</p>
            )}
            <Field
              name="overlap"
              label="How long the old secret still signs"
              hint="You can end this time on the page of the endpoint, as soon as your receiver has the new secret."
              problems={problems}
              control={(attributes) => (
                <select {...attributes}>
                  {overlaps.map(([seconds, name]) => (
                    <option key={seconds} value={String(seconds)} selected={seconds === day}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            />
            <FormActions submit="Make a new secret" back={`${visit.root}webhooks/${id}`} />
          </PostForm>
        </section>
      </>
    ),
  })
})

const rotate = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* endpointAtHand
  const overlap = (yield* Form).text("overlap")
  return yield* rotateSecret(shop.id, id, { overlap: overlap === "" ? Number.NaN : Number(overlap) }).pipe(
    Effect.tap(() => changed(`rotated the signing secret of the webhook endpoint ${id}`)),
    Effect.flatMap(({ endpoint, secret }) =>
      goTo(`webhooks/${id}/secret`, {
        tone: "good",
        text:
          endpoint.rotation === null
            ? "The signing secret is replaced. From now on deliveries are signed with this one."
            : "This is the new signing secret. Give it to your receiver beside the old one, which still signs.",
        secret: { label: "the signing secret", value: Redacted.value(secret) },
      }),
    ),
    Effect.catchTag("InvalidInput", (error) => page(rejected(error))),
  )
})

const promote = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* endpointAtHand
  yield* promoteSecret(shop.id, id)
  yield* changed(`promoted the new signing secret of the webhook endpoint ${id}`)
  return yield* goTo(`webhooks/${id}`, {
    tone: "good",
    text: "Deliveries are signed with the new secret. Take the old one away from your receiver in a minute.",
  })
})

/** How the signing secret of an endpoint is replaced. */
export const rotateSecretRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/rotate", for: "store", answer: page() },
  { method: "POST", path: "/webhooks/:id/rotate", for: "store", answer: rotate },
  { method: "POST", path: "/webhooks/:id/promote", for: "store", answer: promote },
]
