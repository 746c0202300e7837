import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { type Delivery, DeliveryStatus, logLength } from "../../../core/model/Delivery.ts"
import type { Endpoint } from "../../../core/model/Endpoint.ts"
import { EventKind } from "../../../core/model/Event.ts"
import { includesApi, type Shop } from "../../../core/model/Shop.ts"
import { maximumFailures } from "../../../core/rules/EndpointState.ts"
import { readActivity } from "../../../core/usecases/ReadActivity.ts"
import { listDeliveries } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { opensSecret } from "../../../core/usecases/webhooks/ResealSecrets.ts"
import { currentEndpoint } from "../CurrentEndpoint.ts"
import { renderStorePage } from "../Page.tsx"
import { ActivityCard, rangeOf } from "../parts/ActivityCard.tsx"
import { useTexts } from "../parts/CurrentLanguage.ts"
import { DeliveryTable } from "../parts/DeliveryTable.tsx"
import { EndpointBadge } from "../parts/EndpointBadge.tsx"
import { EventKinds } from "../parts/EventKinds.tsx"
import { FilterSelect } from "../parts/FilterSelect.tsx"
import { Icon } from "../parts/Icon.tsx"
import { DeliveryBadge, outcomeOf } from "../parts/Outcome.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PlanNotice } from "../parts/PlanNotice.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import { WebhookCrumbs } from "../parts/WebhookCrumbs.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

interface Props {
  readonly visit: Visit["Service"]
  readonly endpoint: Endpoint
  readonly shop: Shop
}

/** The path of an action of the endpoint. */
const actionOf = ({ endpoint, visit }: Pick<Props, "endpoint" | "visit">, action: string) =>
  `${visit.root}webhooks/${endpoint.id}/${action}`

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const query = new URLSearchParams(url.split("?")[1])
  const [state, event] = [query.get("state") ?? "", query.get("event") ?? ""]
  const endpoint = yield* currentEndpoint
  const { id } = endpoint
  const opens = yield* opensSecret(shop.id, id)
  const all = yield* listDeliveries(shop.id, id)
  const activity = yield* readActivity(shop.id, rangeOf(url))
  const own = activity.endpoints.find(({ endpointId }) => endpointId === id)
  const deliveries = all.filter(
    (delivery) => (state === "" || delivery.status === state) && (event === "" || delivery.event === event),
  )
  const tested = all.find(({ id }) => id === visit.flash?.tested)
  const props = { visit, endpoint, shop }
  const included = includesApi(shop.plan)
  return yield* renderStorePage({
    title: "Webhook endpoint",
    section: "webhooks",
    content: (
      <>
        <Head {...props} />
        {!included && <PlanNotice />}
        {!opens && <LostSecret {...props} />}
        {endpoint.status !== "active" && <Enable {...props} />}
        {endpoint.rotation !== null && <Rotation {...props} until={endpoint.rotation.until} />}
        {visit.flash?.missed !== undefined && <Missed {...props} missed={visit.flash.missed} />}
        {tested !== undefined && <Tested delivery={tested} />}
        <Facts {...props} deliveries={all} />
        {own !== undefined && <ActivityCard activity={{ ...own, range: activity.range }} />}
        <section class="card" aria-labelledby="log">
          <LogHeader state={state} event={event} />
          <div data-refresh="5">
            {deliveries.length === 0 ? (
              <div class="empty">
                <Icon name="clock" />
                <p>
                  {all.length === 0
                    ? "Nothing has been delivered yet. Send a test event to see how the endpoint responds."
                    : "No deliveries match this filter."}
                </p>
              </div>
            ) : (
              <DeliveryTable visit={visit} endpointId={id} deliveries={deliveries} />
            )}
          </div>
        </section>
        {included && <Recover {...props} />}
      </>
    ),
  })
})

const Head = (props: Props) => {
  const { endpoint, shop, visit } = props
  return (
    <PageTitle
      actions={
        <div class="actions">
          {includesApi(shop.plan) && (
            <PostForm visit={visit} action={actionOf(props, "test")}>
              <button class="button main" type="submit">
                Send test event
              </button>
            </PostForm>
          )}
          {includesApi(shop.plan) && endpoint.status === "active" && (
            <PostForm visit={visit} action={actionOf(props, "pause")}>
              <button class="button" type="submit">
                Pause
              </button>
            </PostForm>
          )}
          <a class="button" href={actionOf(props, "update")}>
            Update
          </a>
          <a class="button danger" href={actionOf(props, "delete")} data-ask>
            Delete
          </a>
        </div>
      }
    >
      <WebhookCrumbs visit={visit} />
      <h1 class="url">
        <bdi>{endpoint.url}</bdi>
      </h1>
      {endpoint.description !== "" && (
        <p>
          <bdi>{endpoint.description}</bdi>
        </p>
      )}
    </PageTitle>
  )
}

const LostSecret = (props: Props) => (
  <p class="notice bad" role="alert">
    <Icon name="warning" />
    <span>
      The signing secret of this endpoint can't be decrypted: none of the installation's encryption keys fits. Nothing
      can be sent to the endpoint. Restore the key, or <a href={actionOf(props, "rotate")}>create a new secret</a>.
    </span>
  </p>
)

const Enable = (props: Props) => (
  <section class="card pad stack">
    <h2>Nothing is sent to this endpoint</h2>
    <p>
      {props.endpoint.status === "paused"
        ? "It is paused."
        : `It was switched off after ${maximumFailures} failed attempts in a row.`}{" "}
      Its pending deliveries are kept and will be sent when you enable it. You will also see how many events it has
      missed.
    </p>
    <PostForm visit={props.visit} action={actionOf(props, "enable")}>
      <button class="button main" type="submit">
        Enable
      </button>
    </PostForm>
  </section>
)

const Rotation = ({ until, ...props }: Props & { readonly until: string }) => (
  <section class="card pad stack" aria-labelledby="rotation">
    <h2 id="rotation">A new signing secret is ready</h2>
    <p>
      Deliveries are signed with the old secret until <Time at={until} now={props.visit.now} exact />, and with the new
      one after that. Your receiver should have both by then. If it already has both, you can switch now.
    </p>
    <PostForm visit={props.visit} action={actionOf(props, "promote")} class="actions">
      <button class="button main" type="submit">
        Sign with the new secret now
      </button>
      <a class="button" href={actionOf(props, "rotate")}>
        I have lost the new secret
      </a>
    </PostForm>
  </section>
)

const Missed = ({
  missed,
  ...props
}: Props & { readonly missed: { readonly count: number; readonly since: string } }) => (
  <section class="card pad stack">
    <h2>{`${missed.count} ${missed.count === 1 ? "event" : "events"} happened while it was off`}</h2>
    <p>They were not sent to this endpoint. You can send them now, in their original order.</p>
    <PostForm visit={props.visit} action={actionOf(props, "recover")} class="actions">
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
          <p>It has not been sent yet. Check the log in a moment.</p>
        ) : (
          <>
            <p>{`${outcomeOf(attempt, useTexts())}, in ${attempt.durationMs} ms`}</p>
            {attempt.responseStart !== null && attempt.responseStart !== "" && (
              <pre class="response">
                <bdi>{attempt.responseStart}</bdi>
              </pre>
            )}
          </>
        )}
      </div>
    </section>
  )
}

const LogHeader = ({ event, state }: { readonly state: string; readonly event: string }) => (
  <header>
    <div>
      <h2 id="log">Deliveries</h2>
      <p>{`The newest ${logLength}, with every attempt`}</p>
    </div>
    <form method="get" class="actions">
      <FilterSelect name="state" label="State" value={state} all="All states" values={DeliveryStatus.literals} />
      <FilterSelect name="event" label="Event" value={event} all="All events" values={EventKind.literals} />
      <button class="button small" type="submit">
        Filter
      </button>
    </form>
  </header>
)

const Facts = ({ deliveries, endpoint, shop, visit }: Props & { readonly deliveries: ReadonlyArray<Delivery> }) => {
  const due = deliveries.flatMap(({ nextAttemptAt }) => (nextAttemptAt === null ? [] : [nextAttemptAt])).sort()[0]
  return (
    <section class="card pad" aria-label="About this endpoint">
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
        </dd>
        <dt>Events</dt>
        <dd>
          <EventKinds kinds={endpoint.events} />
        </dd>
        <dt>Headers</dt>
        <dd>{endpoint.standardWebhooks ? "X-Service and Standard Webhooks" : "X-Service"}</dd>
        <dt>Failed in a row</dt>
        <dd>{`${endpoint.consecutiveFailures} of the ${maximumFailures} attempts after which it is switched off`}</dd>
        <dt>Next attempt</dt>
        <dd>
          {due === undefined ? (
            "None pending"
          ) : !includesApi(shop.plan) ? (
            "When the store's plan includes webhooks"
          ) : endpoint.status !== "active" ? (
            "When it is enabled"
          ) : Date.parse(due) <= visit.now ? (
            "Due now"
          ) : (
            <Time at={due} now={visit.now} />
          )}
        </dd>
        <dt>Created</dt>
        <dd>
          <Time at={endpoint.createdAt} now={visit.now} />
        </dd>
        <dt>Signing secret</dt>
        <dd>
          Shown once, when it was created. <a href={`${visit.root}webhooks/${endpoint.id}/secret`}>How to verify</a>
          {" · "}
          <a href={`${visit.root}webhooks/${endpoint.id}/rotate`}>Rotate it</a>
        </dd>
      </dl>
    </section>
  )
}

const Recover = (props: Props) => (
  <details class="card">
    <summary>Missed events</summary>
    <div class="pad stack">
      <p>
        Sends all events since the given time that this endpoint should have received but has not. Events are kept for
        30 days.
      </p>
      <PostForm visit={props.visit} action={actionOf(props, "recover")} class="inline">
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
  { method: "GET", path: "/webhooks/:id", for: "store", handler: page },
]
