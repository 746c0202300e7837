import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type Delivery, DeliveryStatus, logLength } from "../../../core/model/Delivery.ts"
import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { EventKind } from "../../../core/model/Event.ts"
import { maximumFailures } from "../../../core/rules/EndpointState.ts"
import { listDeliveries } from "../../../core/usecases/ManageDeliveries.ts"
import { readEndpoint } from "../../../core/usecases/ManageEndpoints.ts"
import { opensSecret } from "../../../core/usecases/ResealSecrets.ts"
import { show } from "../Page.tsx"
import { Choice } from "../parts/Choice.tsx"
import { DeliveryTable } from "../parts/DeliveryTable.tsx"
import { EndpointBadge } from "../parts/EndpointBadge.tsx"
import { Icon } from "../parts/Icon.tsx"
import { Kinds } from "../parts/Kinds.tsx"
import { DeliveryBadge, outcomeOf } from "../parts/Outcome.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

interface Shown {
  readonly visit: Visit["Service"]
  readonly endpoint: Endpoint
}

/** Where the forms of an endpoint's page go. */
const actionOf = ({ endpoint, visit }: Shown, action: string) => `${visit.root}webhooks/${endpoint.id}/${action}`

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const { id = "" } = yield* HttpRouter.params
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const query = new URLSearchParams(url.split("?")[1])
  const [state, event] = [query.get("state") ?? "", query.get("event") ?? ""]
  const endpoint = yield* readEndpoint(shop.id, id)
  const opens = yield* opensSecret(shop.id, id)
  const all = yield* listDeliveries(shop.id, id)
  const deliveries = all.filter(
    (delivery) => (state === "" || delivery.status === state) && (event === "" || delivery.event === event),
  )
  const tested = all.find(({ id }) => id === visit.notice?.tested)
  const shown = { visit, endpoint }
  return yield* show({
    title: "Webhook endpoint",
    section: "webhooks",
    content: (
      <>
        <Head {...shown} />
        {!opens && (
          <p class="notice bad" role="alert">
            <Icon name="warning" />
            <span>
              The signing secret of this endpoint can't be opened any more: none of the installation's encryption keys
              fits. Nothing can be sent to it. Bring the key back, or{" "}
              <a href={actionOf(shown, "rotate")}>make a new secret</a>.
            </span>
          </p>
        )}
        {endpoint.status === "switched_off" && <TurnOn {...shown} />}
        {endpoint.rotation !== null && <Rotation {...shown} until={endpoint.rotation.until} />}
        {visit.notice?.missed !== undefined && <Missed {...shown} missed={visit.notice.missed} />}
        {tested !== undefined && <Tested delivery={tested} />}
        <Facts {...shown} deliveries={all} />
        <section class="card" aria-labelledby="log">
          <header>
            <div>
              <h2 id="log">Deliveries</h2>
              <p>{`The newest ${logLength}, with every attempt`}</p>
            </div>
            <form method="get" class="actions">
              <Choice name="state" label="State" value={state} all="All states" choices={DeliveryStatus.literals} />
              <Choice name="event" label="Event" value={event} all="All events" choices={EventKind.literals} />
              <button class="button small" type="submit">
                Filter
              </button>
            </form>
          </header>
          <div data-fresh="5">
            {deliveries.length === 0 ? (
              <div class="empty">
                <Icon name="clock" />
                <p>
                  {all.length === 0
                    ? "Nothing was delivered yet. Send a test event to see what the endpoint answers."
                    : "No delivery of the log fits this filter."}
                </p>
              </div>
            ) : (
              <DeliveryTable visit={visit} endpointId={id} deliveries={deliveries} />
            )}
          </div>
        </section>
        <Recover {...shown} />
      </>
    ),
  })
})

const Head = (shown: Shown) => {
  const { endpoint, visit } = shown
  return (
    <div class="title">
      <div>
        <p class="crumbs">
          <a href={`${visit.root}webhooks`}>Webhooks</a>
        </p>
        <h1 class="url">
          <bdi>{endpoint.url}</bdi>
        </h1>
        {endpoint.description !== "" && (
          <p>
            <bdi>{endpoint.description}</bdi>
          </p>
        )}
      </div>
      <div class="actions">
        <PostForm visit={visit} action={actionOf(shown, "test")}>
          <button class="button main" type="submit">
            Send test event
          </button>
        </PostForm>
        <a class="button" href={actionOf(shown, "edit")}>
          Edit
        </a>
        <a class="button danger" href={actionOf(shown, "delete")} data-ask>
          Delete
        </a>
      </div>
    </div>
  )
}

const TurnOn = (shown: Shown) => (
  <section class="card pad stack">
    <h2>Nothing is sent to this endpoint</h2>
    <p>
      It was switched off after {maximumFailures} failed attempts in a row. Deliveries that wait for it are kept, and go
      on when you turn it on. Of other events that happen meanwhile you are told how many there were.
    </p>
    <PostForm visit={shown.visit} action={actionOf(shown, "turn-on")}>
      <button class="button main" type="submit">
        Turn on
      </button>
    </PostForm>
  </section>
)

const Rotation = ({ until, ...shown }: Shown & { readonly until: string }) => (
  <section class="card pad stack" aria-labelledby="rotation">
    <h2 id="rotation">A new signing secret waits</h2>
    <p>
      Deliveries are signed with the old secret, and with the new one from{" "}
      <Time at={until} now={shown.visit.now} exact /> on. Your receiver should have both by then. If it has, you need
      not wait.
    </p>
    <PostForm visit={shown.visit} action={actionOf(shown, "promote")} kind="actions">
      <button class="button main" type="submit">
        Sign with the new secret now
      </button>
      <a class="button" href={actionOf(shown, "rotate")}>
        I have lost the new secret
      </a>
    </PostForm>
  </section>
)

const Missed = ({
  missed,
  ...shown
}: Shown & { readonly missed: { readonly count: number; readonly since: string } }) => (
  <section class="card pad stack">
    <h2>{`${missed.count} ${missed.count === 1 ? "event" : "events"} happened while it was off`}</h2>
    <p>They were not sent to this endpoint. You can send them now, in the order in which they happened.</p>
    <PostForm visit={shown.visit} action={actionOf(shown, "recover")} kind="actions">
      <input type="hidden" name="since" value={missed.since} />
      <button class="button main" type="submit">
        {missed.count === 1 ? "Send it" : `Send ${missed.count} events`}
      </button>
      <a class="button" href="?">
        Leave them
      </a>
    </PostForm>
  </section>
)

const Tested = ({ delivery }: { readonly delivery: Delivery }) => {
  const attempt = delivery.attempts.at(-1)
  return (
    <section class="card" aria-labelledby="tested">
      <header>
        <h2 id="tested">Test event</h2>
        <DeliveryBadge status={delivery.status} />
      </header>
      <div class="pad stack tight">
        {attempt === undefined ? (
          <p>It is not sent yet. Look at the log in a moment.</p>
        ) : (
          <>
            <p>{`${outcomeOf(attempt)}, in ${attempt.durationMs} ms`}</p>
            {attempt.responseStart !== null && attempt.responseStart !== "" && (
              <pre class="answer">
                <bdi>{attempt.responseStart}</bdi>
              </pre>
            )}
          </>
        )}
      </div>
    </section>
  )
}

const Facts = ({ deliveries, endpoint, visit }: Shown & { readonly deliveries: ReadonlyArray<Delivery> }) => {
  const due = deliveries.flatMap(({ nextAttemptAt }) => (nextAttemptAt === null ? [] : [nextAttemptAt])).sort()[0]
  return (
    <section class="card pad" aria-label="About this endpoint">
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <EndpointBadge endpoint={endpoint} now={visit.now} />
        </dd>
        <dt>Events</dt>
        <dd>
          <Kinds kinds={endpoint.events} />
        </dd>
        <dt>Headers</dt>
        <dd>{endpoint.standardWebhooks ? "Those of Standard Webhooks as well" : "The service's own"}</dd>
        <dt>Failed in a row</dt>
        <dd>{`${endpoint.consecutiveFailures} of ${maximumFailures} attempts, then it is switched off`}</dd>
        <dt>Next attempt</dt>
        <dd>
          {due === undefined ? (
            "Nothing waits"
          ) : endpoint.status === "switched_off" ? (
            "When it is turned on"
          ) : Date.parse(due) <= visit.now ? (
            "Due now"
          ) : (
            <Time at={due} now={visit.now} />
          )}
        </dd>
        <dt>Added</dt>
        <dd>
          <Time at={endpoint.createdAt} now={visit.now} />
        </dd>
        <dt>Signing secret</dt>
        <dd>
          Shown when it was made. <a href={`${visit.root}webhooks/${endpoint.id}/secret`}>How to verify</a>
          {" · "}
          <a href={`${visit.root}webhooks/${endpoint.id}/rotate`}>Rotate it</a>
        </dd>
      </dl>
    </section>
  )
}

const Recover = (shown: Shown) => (
  <details class="card">
    <summary>Send what the endpoint has missed</summary>
    <div class="pad stack">
      <p>
        Sends all events since a time that this endpoint should have received and has not. Events are kept for 30 days.
      </p>
      <PostForm visit={shown.visit} action={actionOf(shown, "recover")} kind="inline">
        <div class="field">
          <label for="since">Since, in UTC</label>
          <input type="datetime-local" id="since" name="since" required />
        </div>
        <button class="button" type="submit">
          Send missed events
        </button>
      </PostForm>
    </div>
  </details>
)

/** The page of a webhook endpoint. */
export const endpointRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id", for: "store", answer: page },
]
