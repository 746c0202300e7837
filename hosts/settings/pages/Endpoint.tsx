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
import { DeliveryTable, TryForm } from "../parts/DeliveryTable.tsx"
import { EndpointBadge } from "../parts/EndpointBadge.tsx"
import { EventKinds } from "../parts/EventKinds.tsx"
import { FilterSelect } from "../parts/FilterSelect.tsx"
import { Icon } from "../parts/Icon.tsx"
import { DeliveryBadge, outcomeOf } from "../parts/Outcome.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PlanNotice } from "../parts/PlanNotice.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Region } from "../parts/Region.tsx"
import { ResendActions } from "../parts/ResendActions.tsx"
import { Time } from "../parts/Time.tsx"
import { hostOf, UrlHeading } from "../parts/UrlHeading.tsx"
import { WebhookCrumbs } from "../parts/WebhookCrumbs.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

interface Props {
  readonly visit: Visit["Service"]
  readonly endpoint: Endpoint
  readonly shop: Shop
}

/** The rows of a page: with more, its size would exceed what the app promises. */
const rows = 25

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
  const older = query.has("older")
  const shown = older ? deliveries.slice(rows) : deliveries.slice(0, rows)
  const tested = all.find(({ id }) => id === visit.flash?.tested)
  const props = { visit, endpoint, shop }
  const included = includesApi(shop.plan)
  const canTry = included && endpoint.status === "active"
  return yield* renderStorePage({
    title: visit.texts.endpoint.title(hostOf(endpoint.url)),
    section: "webhooks",
    content: (
      <>
        <Region name="head">
          <Head {...props} />
        </Region>
        <Region name="state">
          {!included && <PlanNotice />}
          {!opens && <LostSecret {...props} />}
          {endpoint.status !== "active" && <Enable {...props} />}
          {endpoint.rotation !== null && <Rotation {...props} until={endpoint.rotation.until} />}
        </Region>
        {visit.flash?.missed !== undefined && <Missed {...props} missed={visit.flash.missed} />}
        {tested !== undefined && <Tested delivery={tested} />}
        <Region name="figures">
          <Facts {...props} deliveries={all} />
          {own !== undefined && <ActivityCard activity={{ ...own, range: activity.range }} />}
        </Region>
        <section class="card" aria-labelledby="log">
          <LogHeader state={state} event={event} />
          <div data-live="log">
            {shown.length === 0 ? (
              <div class="empty">
                <Icon name="clock" />
                <p>{all.length === 0 ? visit.texts.endpoint.nothing : visit.texts.endpoint.noMatch}</p>
              </div>
            ) : (
              <DeliveryTable visit={visit} endpointId={id} deliveries={shown} selects={included} canTry={canTry} />
            )}
          </div>
          <LogPages visit={visit} state={state} event={event} older={older} count={deliveries.length} />
          {canTry && shown.some(({ status }) => status === "pending") && <TryForm visit={visit} />}
          {included && shown.some(({ status }) => status !== "pending") && (
            <ResendActions visit={visit} endpointId={id} choice={{ state, kind: event }} />
          )}
        </section>
        {included && <Recover {...props} />}
      </>
    ),
  })
})

const Head = (props: Props) => {
  const { endpoint, shop, visit } = props
  const texts = visit.texts.endpoint
  return (
    <PageTitle
      actions={
        <div class="actions">
          {includesApi(shop.plan) && (
            <PostForm visit={visit} action={actionOf(props, "test")}>
              <button class="button main" type="submit">
                {texts.sendTest}
              </button>
            </PostForm>
          )}
          {includesApi(shop.plan) && endpoint.status === "active" && (
            <PostForm visit={visit} action={actionOf(props, "pause")}>
              <button class="button" type="submit">
                {texts.pause}
              </button>
            </PostForm>
          )}
          <a class="button" href={actionOf(props, "update")}>
            {texts.update}
          </a>
          <a class="button danger" href={actionOf(props, "delete")} data-ask>
            {texts.remove}
          </a>
        </div>
      }
    >
      <WebhookCrumbs visit={visit} />
      <UrlHeading url={endpoint.url} />
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
      {props.visit.texts.endpoint.lostSecret(
        <a href={actionOf(props, "rotate")}>{props.visit.texts.endpoint.lostSecretLink}</a>,
      )}
    </span>
  </p>
)

const Enable = (props: Props) => (
  <section class="card pad stack">
    <h2>{props.visit.texts.endpoint.isOff}</h2>
    <p>
      {props.endpoint.status === "paused"
        ? props.visit.texts.endpoint.isPaused
        : props.visit.texts.endpoint.isSwitchedOff(maximumFailures)}
      {props.visit.texts.endpoint.kept}
    </p>
    <PostForm visit={props.visit} action={actionOf(props, "enable")}>
      <button class="button main" type="submit">
        {props.visit.texts.endpoint.enable}
      </button>
    </PostForm>
  </section>
)

const Rotation = ({ until, ...props }: Props & { readonly until: string }) => (
  <section class="card pad stack" aria-labelledby="rotation">
    <h2 id="rotation">{props.visit.texts.endpoint.rotating}</h2>
    <p>{props.visit.texts.endpoint.rotatingText(<Time at={until} now={props.visit.now} exact />)}</p>
    <PostForm visit={props.visit} action={actionOf(props, "promote")} class="actions">
      <button class="button main" type="submit">
        {props.visit.texts.endpoint.promote}
      </button>
      <a class="button" href={actionOf(props, "rotate")}>
        {props.visit.texts.endpoint.lostNew}
      </a>
    </PostForm>
  </section>
)

const Missed = ({
  missed,
  ...props
}: Props & { readonly missed: { readonly count: number; readonly since: string } }) => (
  <section class="card pad stack">
    <h2>{props.visit.texts.endpoint.missed(missed.count)}</h2>
    <p>{props.visit.texts.endpoint.missedText}</p>
    <PostForm visit={props.visit} action={actionOf(props, "recover")} class="actions">
      <input type="hidden" name="since" value={missed.since} />
      <button class="button main" type="submit">
        {props.visit.texts.endpoint.sendMissed(missed.count)}
      </button>
      <a class="button" href="?">
        {props.visit.texts.endpoint.leaveMissed}
      </a>
    </PostForm>
  </section>
)

const Tested = ({ delivery }: { readonly delivery: Delivery }) => {
  const texts = useTexts()
  const attempt = delivery.attempts.at(-1)
  return (
    <section class="card" aria-labelledby="tested">
      <header>
        <h2 id="tested">{texts.endpoint.tested}</h2>
        <DeliveryBadge status={delivery.status} />
      </header>
      <div class="pad stack tight">
        {attempt === undefined ? (
          <p>{texts.endpoint.notSentYet}</p>
        ) : (
          <>
            <p>
              {texts.endpoint.outcome(outcomeOf(attempt, texts), texts.deliveries.milliseconds(attempt.durationMs))}
            </p>
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

const LogHeader = ({ event, state }: { readonly state: string; readonly event: string }) => {
  const { deliveries, endpoint: texts } = useTexts()
  return (
    <header>
      <div>
        <h2 id="log">{texts.log}</h2>
        <p>{texts.logLead(logLength)}</p>
      </div>
      <form method="get" class="actions">
        <FilterSelect
          name="state"
          label={texts.state}
          value={state}
          all={texts.allStates}
          values={DeliveryStatus.literals}
          nameOf={(status) => deliveries.states[status as DeliveryStatus]}
        />
        <FilterSelect
          name="event"
          label={texts.event}
          value={event}
          all={texts.allEvents}
          values={EventKind.literals}
        />
        <button class="button small" type="submit">
          {texts.filter}
        </button>
      </form>
    </header>
  )
}

/** The link from one half of the log to the other. */
const LogPages = ({
  count,
  event,
  older,
  state,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly state: string
  readonly event: string
  readonly older: boolean
  readonly count: number
}) => {
  if (count <= rows) return null
  const query = new URLSearchParams(
    Object.entries({ state, event, older: older ? "" : "yes" }).filter(([, value]) => value !== ""),
  )
  return (
    <p class="pad">
      <a href={`?${query}`}>{older ? visit.texts.repair.newer : visit.texts.repair.older}</a>
    </p>
  )
}

const Facts = ({ deliveries, endpoint, shop, visit }: Props & { readonly deliveries: ReadonlyArray<Delivery> }) => {
  const due = deliveries.flatMap(({ nextAttemptAt }) => (nextAttemptAt === null ? [] : [nextAttemptAt])).sort()[0]
  const texts = visit.texts.endpoint
  return (
    <section class="card pad" aria-label={texts.about}>
      <dl class="facts">
        <dt>{texts.state}</dt>
        <dd>
          <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
        </dd>
        <dt>{texts.events}</dt>
        <dd>
          <EventKinds kinds={endpoint.events} />
        </dd>
        <dt>{texts.headers}</dt>
        <dd>{endpoint.standardWebhooks ? texts.bothHeaders : texts.ownHeaders}</dd>
        <dt>{texts.failed}</dt>
        <dd>{texts.failedText(endpoint.consecutiveFailures, maximumFailures)}</dd>
        <dt>{texts.next}</dt>
        <dd>
          {due === undefined ? (
            texts.nonePending
          ) : !includesApi(shop.plan) ? (
            visit.texts.plans.waits
          ) : endpoint.status !== "active" ? (
            texts.whenEnabled
          ) : Date.parse(due) <= visit.now ? (
            texts.due
          ) : (
            <Time at={due} now={visit.now} />
          )}
        </dd>
        <dt>{texts.created}</dt>
        <dd>
          <Time at={endpoint.createdAt} now={visit.now} />
        </dd>
        <dt>{texts.secret}</dt>
        <dd>
          {texts.secretText(
            <a href={`${visit.root}webhooks/${endpoint.id}/secret`}>{texts.verify}</a>,
            <a href={`${visit.root}webhooks/${endpoint.id}/rotate`}>{texts.rotate}</a>,
          )}
        </dd>
      </dl>
    </section>
  )
}

const Recover = (props: Props) => {
  const { explained, heading, open } = props.visit.texts.repair.recover
  return (
    <section class="card pad stack" aria-labelledby="missed">
      <h2 id="missed">{heading}</h2>
      <p>{explained}</p>
      <p>
        <a class="button" href={actionOf(props, "recover")}>
          {open}
        </a>
      </p>
    </section>
  )
}

/** The page of a webhook endpoint. */
export const endpointRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id", for: "store", handler: page },
]
