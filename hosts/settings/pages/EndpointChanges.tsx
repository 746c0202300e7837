import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { attemptTimeout } from "../../../core/usecases/dispatch/Dispatch.ts"
import { readDelivery, recover, sendTestEvent } from "../../../core/usecases/ManageDeliveries.ts"
import { changeEndpoint, readEndpoint, removeEndpoint, turnOnEndpoint } from "../../../core/usecases/ManageEndpoints.ts"
import { changed } from "../Changes.ts"
import { goTo, show } from "../Page.tsx"
import { accepted, type Rejected, rejected } from "../Problems.ts"
import { type EndpointEntered, EndpointFields, readEndpointForm } from "../parts/EndpointFields.tsx"
import { FormActions } from "../parts/FormActions.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Form, Visit } from "../Visit.ts"

const endpointAtHand = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  return yield* readEndpoint(shop.id, id)
})

const editPage = Effect.fnUntraced(function* (typed?: EndpointEntered, { problems, status }: Rejected = accepted) {
  const visit = yield* Visit
  const endpoint = yield* endpointAtHand
  return yield* show({
    title: "Edit an endpoint",
    section: "webhooks",
    status,
    content: (
      <>
        <div class="title">
          <div>
            <p class="crumbs">
              <a href={`${visit.root}webhooks`}>Webhooks</a>
              {" / "}
              <a href={`${visit.root}webhooks/${endpoint.id}`}>
                <bdi>{endpoint.url}</bdi>
              </a>
            </p>
            <h1>Edit the endpoint</h1>
            <p>Deliveries that wait for it go to the new address. The signing secret stays the same.</p>
          </div>
        </div>
        <section class="card pad">
          <PostForm visit={visit} kind="stack">
            <EndpointFields entered={typed ?? endpoint} problems={problems} />
            <FormActions submit="Save" back={`${visit.root}webhooks/${endpoint.id}`} />
          </PostForm>
        </section>
      </>
    ),
  })
})

const edit = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* endpointAtHand
  const entered = yield* readEndpointForm
  return yield* changeEndpoint(shop.id, id, entered).pipe(
    Effect.tap(() => changed(`changed the webhook endpoint ${id}`)),
    Effect.flatMap(() => goTo(`webhooks/${id}`, { tone: "good", text: "Saved." })),
    Effect.catchTag(["InvalidInput", "Refused"], (error) => editPage(entered, rejected(error))),
  )
})

const askToDelete = Effect.gen(function* () {
  const visit = yield* Visit
  const { id, url } = yield* endpointAtHand
  return yield* show({
    title: "Delete an endpoint",
    section: "webhooks",
    content: (
      <section class="card pad stack" data-question>
        <h1>Delete this endpoint?</h1>
        <p class="mono">
          <bdi>{url}</bdi>
        </p>
        <p>
          Nothing is sent to it any more. Its signing secret, its log and what waits to be delivered are gone for good.
        </p>
        <PostForm visit={visit} action="delete" kind="actions">
          <button class="button danger main" type="submit">
            Delete endpoint
          </button>
          <a class="button" href={`${visit.root}webhooks/${id}`} data-cancel>
            Keep it
          </a>
        </PostForm>
      </section>
    ),
  })
})

const remove = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id, url } = yield* endpointAtHand
  yield* removeEndpoint(shop.id, id)
  yield* changed(`deleted the webhook endpoint ${id}`)
  return yield* goTo("webhooks", { tone: "good", text: `The endpoint ${url} is deleted.` })
})

const turnOn = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id, switchedOffAt } = yield* endpointAtHand
  const { missed } = yield* turnOnEndpoint(shop.id, id)
  yield* changed(`turned on the webhook endpoint ${id}`)
  return yield* goTo(`webhooks/${id}`, {
    tone: "good",
    text: "The endpoint is on again. What waited for it is sent now.",
    ...(missed === 0 || switchedOffAt === null ? {} : { missed: { count: missed, since: switchedOffAt } }),
  })
})

/** How long the page of a test event waits for its attempt, in milliseconds, and how long between looks. */
const [patience, pause] = [attemptTimeout + 1000, 100]

const test = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* endpointAtHand
  const sent = yield* sendTestEvent(shop.id, id)
  yield* changed(`sent a test event to the webhook endpoint ${id}`)
  yield* readDelivery(shop.id, id, sent.id).pipe(
    Effect.delay(pause),
    Effect.repeat({ until: ({ status }) => status !== "pending" }),
    Effect.timeoutOption(patience),
  )
  return yield* goTo(`webhooks/${id}`, { tone: "good", text: "A test event was sent.", tested: sent.id })
})

/** What a field for a time has, as an instant in UTC; a whole instant stays as it is. */
const instantOf = (text: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : /^[\dT:.-]+$/.test(text) ? `${text}Z` : text

const sendMissed = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { id } = yield* endpointAtHand
  const since = instantOf((yield* Form).text("since"))
  return yield* recover(shop.id, id, { since }).pipe(
    Effect.tap((count) => changed(`made ${count} deliveries of missed events to the webhook endpoint ${id}`)),
    Effect.flatMap((count) =>
      goTo(`webhooks/${id}`, {
        tone: "good",
        text:
          count === 0
            ? "It has missed nothing since then."
            : `${count} ${count === 1 ? "event is" : "events are"} on the way.`,
      }),
    ),
    Effect.catchTag("InvalidInput", () =>
      goTo(`webhooks/${id}`, { tone: "bad", text: "Enter the time since when events should be sent again." }),
    ),
  )
})

/** What can be done with a webhook endpoint. */
export const endpointChangeRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/edit", for: "store", answer: editPage() },
  { method: "POST", path: "/webhooks/:id/edit", for: "store", answer: edit },
  { method: "GET", path: "/webhooks/:id/delete", for: "store", answer: askToDelete },
  { method: "POST", path: "/webhooks/:id/delete", for: "store", answer: remove },
  { method: "POST", path: "/webhooks/:id/turn-on", for: "store", answer: turnOn },
  { method: "POST", path: "/webhooks/:id/test", for: "store", answer: test },
  { method: "POST", path: "/webhooks/:id/recover", for: "store", answer: sendMissed },
]
