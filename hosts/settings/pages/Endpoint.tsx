import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { AuditView } from "../../../core/model/audit/AuditEntry.ts"
import { EventKind } from "../../../core/model/events/Event.ts"
import { format } from "../../../core/model/Instant.ts"
import { includesApi, type Shop } from "../../../core/model/shops/Shop.ts"
import { type Delivery, DeliveryStatus } from "../../../core/model/webhooks/Delivery.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { type DeliveryPage, isUnderWay, type LoggedDelivery } from "../../../core/model/webhooks/LoggedDelivery.ts"
import { maximumFailures } from "../../../core/rules/webhooks/EndpointState.ts"
import { listAudit } from "../../../core/usecases/audit/ReadAudit.ts"
import { readActivity } from "../../../core/usecases/shops/ReadActivity.ts"
import { listAllDeliveries, listWaiting } from "../../../core/usecases/webhooks/FindDeliveries.ts"
import { listDeliveries } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { opensSecret } from "../../../core/usecases/webhooks/ResealSecrets.ts"
import { currentEndpoint } from "../CurrentRecord.ts"
import { addressOf, filterTexts, type Named, ordersAbout, readFilter } from "../DeliveryQuery.ts"
import { renderStorePage } from "../Page.tsx"
import { ActivityCard, rangeOf } from "../parts/ActivityCard.tsx"
import { ChangeLink } from "../parts/ChangeLink.tsx"
import { hereWith, useTexts } from "../parts/CurrentLanguage.ts"
import { type CustomizerChoice, customizerChoices } from "../parts/catalog/CustomizerField.tsx"
import { DeliveryTable, TryForm } from "../parts/deliveries/DeliveryTable.tsx"
import { DeliveryBadge, outcomeOf, ResponseStart } from "../parts/deliveries/Outcome.tsx"
import { ResendActions } from "../parts/deliveries/ResendActions.tsx"
import { WaitingTable } from "../parts/deliveries/WaitingTable.tsx"
import { EndpointBadge, EventKinds } from "../parts/endpoints/EndpointBadge.tsx"
import { EndpointHistory } from "../parts/endpoints/EndpointHistory.tsx"
import { EndpointHost, nameOf, WholeUrl } from "../parts/endpoints/EndpointName.tsx"
import { OptionFacts } from "../parts/endpoints/OptionFacts.tsx"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { type Recent, Why } from "../parts/endpoints/Why.tsx"
import { PlanNotice } from "../parts/FlashBox.tsx"
import { Icon } from "../parts/Icon.tsx"
import { PageTitle, Region } from "../parts/Layout.tsx"
import { ChoiceField, Empty } from "../parts/List.tsx"
import { ListFilter } from "../parts/ListFilter.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import { currentQuery, currentZone, instantText, typedIn } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

interface Props {
  readonly visit: Visit["Service"]
  readonly endpoint: Endpoint
  readonly shop: Shop
}

/** The rows of the page: newest deliveries, pending ones, and changes. Longer lists would not fit into 40 KiB. */
const [logShown, waitingShown, historyLength] = [12, 5, 5]

/** The path of an action of the endpoint. */
const actionOf = ({ endpoint, visit }: Pick<Props, "endpoint" | "visit">, action: string) =>
  `${visit.root}webhooks/${endpoint.id}/${action}`

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { shop } = yield* CurrentShop
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const { event, from, state, to } = typedIn(yield* currentQuery, ["state", "event", "from", "to"])
  const zone = yield* currentZone
  const endpoint = yield* currentEndpoint
  const { id } = endpoint
  const asked = { ...filterTexts(new URLSearchParams()), endpoint: id, state, kind: event, from, to }
  const filter = yield* readFilter(asked, zone)
  const opens = yield* opensSecret(shop.id, id)
  const log = yield* listAllDeliveries(shop.id, filter, null, logShown)
  const waiting = yield* listWaiting(shop.id, { after: null, endpoint: id, limit: waitingShown })
  const orders = yield* ordersAbout(shop.id, [...log.deliveries, ...waiting.deliveries])
  const { tested } = visit.flash ?? {}
  const testDelivery =
    tested === undefined ? undefined : (yield* listDeliveries(shop.id, id)).find((one) => one.id === tested)
  const activity = yield* readActivity(shop.id, rangeOf(url))
  const history = historyOf((yield* listAudit(shop.id, { subject: `endpoint:${id}`, limit: 100 })).data)
  const customizers = endpoint.customizers === null ? [] : ((yield* customizerChoices(shop.id)) ?? [])
  const own = activity.endpoints.find(({ endpointId }) => endpointId === id)
  const props = { visit, endpoint, shop }
  const included = includesApi(shop.plan)
  const mayChange = included && !visit.visitor.isReadOnly
  const canTry = mayChange && endpoint.status === "active"
  return yield* renderStorePage(
    {
      title: visit.texts.endpoint.title(nameOf(endpoint)),
      section: "webhooks",
    },
    <>
      <Region name="head">
        <Head {...props} recent={activity.endpoints} />
      </Region>
      <Region name="state">
        {!included && <PlanNotice />}
        {!opens && <LostSecret {...props} />}
        {endpoint.status !== "active" && <Enable {...props} />}
        {endpoint.rotation !== null && <Rotation {...props} until={endpoint.rotation.until} />}
      </Region>
      {visit.flash?.missed !== undefined && <Missed {...props} missed={visit.flash.missed} />}
      {testDelivery !== undefined && <Tested delivery={testDelivery} />}
      <Region name="figures">
        <Facts {...props} next={waiting.deliveries[0]} customizers={customizers} />
        {own !== undefined && <ActivityCard visit={visit} activity={{ ...own, range: activity.range }} />}
      </Region>
      <Region name="waiting">
        {waiting.deliveries.length > 0 && <WaitingCard {...props} page={waiting} orders={orders} />}
      </Region>
      <section class="card" aria-labelledby="log">
        <header>
          <div>
            <h2 id="log">{visit.texts.endpoint.log}</h2>
            <p>{visit.texts.endpoint.logLead(logShown)}</p>
          </div>
        </header>
        <ListFilter visit={visit} zone={zone} at="#log">
          <LogFields state={state} event={event} />
        </ListFilter>
        <div data-live="log" data-fresh={visit.texts.live.fresh}>
          {log.deliveries.length === 0 ? (
            <Empty icon="clock">
              <p>{state + event + from + to === "" ? visit.texts.endpoint.nothing : visit.texts.deliveryList.none}</p>
            </Empty>
          ) : (
            <DeliveryTable {...{ visit, orders, canTry }} deliveries={log.deliveries} selects={mayChange} />
          )}
        </div>
        <p class="pad">
          <a href={visit.root + addressOf("deliveries", asked)}>{visit.texts.deliveryList.allOfEndpoint}</a>
        </p>
        {/* Rows that arrive later have controls that belong to these forms. */}
        <div data-live="log-forms">
          {canTry && log.deliveries.some(({ status }) => status === "pending") && <TryForm visit={visit} />}
          {mayChange && log.deliveries.some(({ status }) => status !== "pending") && (
            <ResendActions
              visit={visit}
              endpointId={id}
              choice={{ state, kind: event, from: instantText(filter.from), to: instantText(filter.until) }}
            />
          )}
        </div>
      </section>
      {history.length > 0 && <EndpointHistory {...{ visit, customizers }} endpointId={id} entries={history} />}
      {included && <Recover {...props} />}
    </>,
  )
})

/** What people do again and again. */
const repeated: ReadonlySet<AuditView["action"]> = new Set(["endpoint.tested", "endpoint.resent", "endpoint.recovered"])

/** The newest entries. Of what is done again and again only the last, so that it hides nothing else. */
const historyOf = (entries: ReadonlyArray<AuditView>): ReadonlyArray<AuditView> =>
  entries
    .filter(
      ({ action }, index) => !repeated.has(action) || entries.findIndex((other) => other.action === action) === index,
    )
    .slice(0, historyLength)

const WaitingCard = ({
  endpoint,
  orders,
  page,
  shop,
  visit,
}: Props & { readonly page: DeliveryPage; readonly orders: Named }) => (
  <section class="card" aria-labelledby="waiting">
    <header>
      <h2 id="waiting">{visit.texts.deliveryList.endpointWaiting}</h2>
      {page.next !== null && (
        <a class="button small" href={`${visit.root}deliveries/waiting?endpoint=${endpoint.id}`}>
          {visit.texts.deliveryList.allWaiting}
        </a>
      )}
    </header>
    <WaitingTable
      {...{ visit, shop, orders }}
      deliveries={page.deliveries}
      endpoints={[endpoint]}
      showEndpoint={false}
    />
  </section>
)

const Head = ({ recent, ...props }: Props & { readonly recent: Recent }) => {
  const { endpoint, shop, visit } = props
  const texts = visit.texts.endpoint
  return (
    <PageTitle
      actions={
        <div class="actions">
          {includesApi(shop.plan) && (
            <PostForm visit={visit} action={actionOf(props, "test")}>
              <button class={endpoint.status === "active" ? "button main" : "button"} type="submit">
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
          <ChangeLink visit={visit} href={actionOf(props, "update")}>
            {texts.update}
          </ChangeLink>
          <ChangeLink visit={visit} class="button danger" href={actionOf(props, "delete")} asks>
            {texts.remove}
          </ChangeLink>
        </div>
      }
    >
      <WebhookCrumbs visit={visit} />
      <h1>
        <bdi>{nameOf(endpoint)}</bdi> <EndpointBadge endpoint={endpoint} shop={shop} now={visit.now} />
      </h1>
      <EndpointHost endpoint={endpoint} />
      <Why endpoint={endpoint} recent={recent} visit={visit} />
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
      <ChangeLink visit={props.visit} href={actionOf(props, "rotate")}>
        {props.visit.texts.endpoint.lostNew}
      </ChangeLink>
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
      <a class="button" href={hereWith(props.visit)}>
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
            <ResponseStart attempt={attempt} />
          </>
        )}
      </div>
    </section>
  )
}

const LogFields = ({ event, state }: { readonly state: string; readonly event: string }) => {
  const { deliveries, deliveryList } = useTexts()
  const { any, kind, state: status } = deliveryList.filters
  return (
    <>
      <ChoiceField
        {...{ any, name: "state", label: status, value: state }}
        choices={DeliveryStatus.literals.map((value) => ({ value, text: deliveries.states[value] }))}
      />
      <ChoiceField
        {...{ any, name: "event", label: kind, value: event }}
        choices={EventKind.literals.map((value) => ({ value, text: value }))}
      />
    </>
  )
}

const Facts = ({
  customizers,
  endpoint,
  next,
  shop,
  visit,
}: Props & {
  readonly next: LoggedDelivery | undefined
  readonly customizers: ReadonlyArray<CustomizerChoice>
}) => {
  const due = next?.nextAttemptAt ?? undefined
  const texts = visit.texts.endpoint
  return (
    <section class="card pad" aria-label={texts.about}>
      <dl class="facts">
        <dt>{visit.texts.endpointFields.url}</dt>
        <dd class="whole">
          <WholeUrl url={endpoint.url} />
        </dd>
        <dt>{texts.events}</dt>
        <dd>
          <EventKinds kinds={endpoint.events} />
        </dd>
        <OptionFacts customizers={customizers} endpoint={endpoint} now={visit.now} />
        <dt>{texts.failed}</dt>
        <dd>{texts.failedText(endpoint.consecutiveFailures, maximumFailures)}</dd>
        <dt>{texts.next}</dt>
        <dd>
          {due === undefined ? (
            texts.nonePending
          ) : next !== undefined && isUnderWay(next, visit.now) ? (
            visit.texts.deliveries.underWay
          ) : !includesApi(shop.plan) ? (
            visit.texts.plans.waits
          ) : endpoint.status !== "active" ? (
            texts.whenEnabled
          ) : due <= visit.now ? (
            texts.due
          ) : (
            <Time at={format(due)} now={visit.now} />
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
