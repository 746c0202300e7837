import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { includesApi } from "../../../core/model/shops/Shop.ts"
import type { Delivery } from "../../../core/model/webhooks/Delivery.ts"
import { readOrdering } from "../../../core/usecases/webhooks/FindDeliveries.ts"
import { readDelivery, readRequestHeaders, redeliver } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint } from "../CurrentRecord.ts"
import { ordersAbout } from "../DeliveryQuery.ts"
import { jsonFile, redirect, renderStorePage } from "../Page.tsx"
import { LinkButton, Submit } from "../parts/Buttons.tsx"
import { Card, Facts } from "../parts/Card.tsx"
import { Copyable, CopyableText } from "../parts/Copyable.tsx"
import { curlOf, type SentHeaders } from "../parts/Curl.ts"
import { useTexts } from "../parts/CurrentLanguage.ts"
import { About } from "../parts/deliveries/DeliveryTable.tsx"
import { attemptsOf, DeliveryBadge, outcomeOf, ResponseStart } from "../parts/deliveries/Outcome.tsx"
import { nameOf } from "../parts/endpoints/EndpointName.tsx"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { PageTitle, Region } from "../parts/Layout.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit, type VisitProps } from "../Visit.ts"

/** How many characters of a body are shown. */
const maximumShown = 6 * 1024

/** A body with at most this many characters is also shown formatted. */
const maximumFormatted = 4 * 1024

/** The delivery of the current endpoint that the request's path names. */
const currentDelivery = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { delivery: id = "" } = yield* HttpRouter.params
  const endpoint = yield* currentEndpoint
  return { shop, endpoint, delivery: yield* readDelivery(shop.id, endpoint.id, id) }
})

type DeliveryWithBody = Delivery & { readonly body: string }

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const texts = visit.texts.delivery
  const { delivery, endpoint, shop } = yield* currentDelivery
  const { isBehind, subject } = yield* readOrdering(shop.id, delivery.id)
  const orders = yield* ordersAbout(shop.id, [{ subject }])
  const last = delivery.attempts.at(-1)
  const headers =
    last === undefined ? undefined : yield* readRequestHeaders(shop.id, endpoint.id, delivery.id, last.number)
  const path = `${visit.root}webhooks/${endpoint.id}/deliveries/${delivery.id}`
  const file = `${delivery.id}.json`
  const waitsFor = !includesApi(shop.plan)
    ? visit.texts.plans.waits
    : endpoint.status !== "active"
      ? texts.waitsForEndpoint
      : isBehind
        ? texts.waitsForEarlier
        : undefined
  return yield* renderStorePage(
    { title: texts.title(delivery.event, nameOf(endpoint)), section: "webhooks" },
    <Region name="delivery">
      <PageTitle
        actions={
          <div class="actions">
            {delivery.status === "pending" && waitsFor === undefined && (
              <PostForm visit={visit} action={`${path}/try`}>
                <Submit look="main" text={visit.texts.repair.tryNow} />
              </PostForm>
            )}
            {includesApi(shop.plan) && (
              <PostForm visit={visit} action={`${path}/redeliver`}>
                <button class={delivery.status === "pending" ? "button" : "button main"} type="submit">
                  {delivery.status === "pending" ? visit.texts.repair.redeliverWaiting : visit.texts.repair.redeliver}
                </button>
              </PostForm>
            )}
            <LinkButton href={`${path}/body`} download={file} text={texts.download} />
          </div>
        }
      >
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
        <h1>
          <code>{delivery.event}</code> <DeliveryBadge status={delivery.status} />{" "}
          {delivery.test && <span class="badge">{visit.texts.parts.test}</span>}
        </h1>
      </PageTitle>
      <Facts
        label={texts.about}
        facts={[
          [visit.texts.deliveryList.columns.about, <About orders={orders} visit={visit} subject={subject} />],
          [visit.texts.inbox.id, <CopyableText label={visit.texts.inbox.copyId} text={delivery.eventId} />],
          [texts.deliveryId, <CopyableText label={texts.deliveryIdLabel} text={delivery.id} />],
          [texts.created, <Time at={delivery.createdAt} now={visit.now} exact />],
          [texts.attempts, attemptsOf(delivery, visit)],
        ]}
      />
      <Timeline delivery={delivery} visit={visit} waitsFor={waitsFor} />
      <Request delivery={delivery} url={endpoint.url} headers={headers} file={file} />
    </Region>,
  )
})

const Timeline = ({
  delivery,
  visit,
  waitsFor,
}: VisitProps & {
  readonly delivery: Delivery
  /** The condition under which a pending delivery is attempted. */
  readonly waitsFor: string | undefined
}) => (
  <Card id="attempts" title={visit.texts.delivery.attempts}>
    <ol class="timeline pad">
      {delivery.attempts.map((attempt) => {
        const good = attempt.error === null && Math.floor((attempt.statusCode ?? 0) / 100) === 2
        return (
          <li key={attempt.number} class={good ? "good" : "bad"}>
            <p>
              <strong>{outcomeOf(attempt, visit.texts)}</strong>{" "}
              <span class="hint">
                {visit.texts.delivery.took(visit.texts.deliveries.milliseconds(attempt.durationMs))}
              </span>
            </p>
            <p class="hint">
              {visit.texts.delivery.attempt(attempt.number, <Time at={attempt.at} now={visit.now} exact />)}
            </p>
            <ResponseStart attempt={attempt} />
          </li>
        )
      })}
      {delivery.status === "dropped" && (
        <li>
          <p>
            <strong>{visit.texts.deliveries.states.dropped}</strong>
          </p>
          <p class="hint">{visit.texts.delivery.droppedText}</p>
        </li>
      )}
      {delivery.nextAttemptAt !== null && (
        <li>
          <p>
            <strong>{visit.texts.delivery.next}</strong>
          </p>
          <p class="hint">
            {waitsFor ??
              (Date.parse(delivery.nextAttemptAt) <= visit.now ? (
                visit.texts.endpoint.due
              ) : (
                <Time at={delivery.nextAttemptAt} now={visit.now} />
              ))}
          </p>
        </li>
      )}
    </ol>
  </Card>
)

const Request = ({
  delivery: { body },
  file,
  headers,
  url,
}: {
  readonly delivery: DeliveryWithBody
  readonly url: string
  readonly headers: SentHeaders | undefined
  readonly file: string
}) => {
  const { delivery: texts } = useTexts()
  return (
    <section class="stack" aria-labelledby="request">
      <h2 id="request">{texts.request}</h2>
      {headers === undefined ? (
        <p class="hint">{texts.noRequest}</p>
      ) : (
        <div class="stack tight">
          <h3>{texts.headers}</h3>
          <Copyable
            label={texts.headersLabel}
            text={Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
          />
          {"webhook-id" in headers && <p class="hint">{texts.standard}</p>}
        </div>
      )}
      <div class="stack tight">
        <h3>{texts.body}</h3>
        <Copyable label={texts.bodyLabel} text={body.slice(0, maximumShown)} />
        {body.length > maximumShown && <p class="hint">{texts.beginning}</p>}
      </div>
      {body.length <= maximumFormatted && (
        <details class="card">
          <summary>{texts.formatted}</summary>
          <div class="pad">
            <pre class="response">{JSON.stringify(JSON.parse(body), undefined, 2)}</pre>
          </div>
        </details>
      )}
      {headers !== undefined && (
        <details class="card">
          <summary>{texts.curl}</summary>
          <div class="pad stack tight">
            <Copyable label={texts.curlLabel} text={curlOf({ url, headers, body, file })} />
            <p class="hint">{texts.curlText}</p>
          </div>
        </details>
      )}
    </section>
  )
}

const sendAgain = Effect.gen(function* () {
  const texts = (yield* Visit).texts.delivery
  const { delivery, endpoint, shop } = yield* currentDelivery
  const made = yield* redeliver(shop.id, endpoint.id, delivery.id)
  yield* logChange(`sent the delivery ${delivery.id} again as ${made.id}`)
  return yield* redirect(`webhooks/${endpoint.id}/deliveries/${made.id}`, {
    tone: "good",
    text: endpoint.status !== "active" ? texts.willBeSent : texts.isBeingSent,
  })
})

const download = Effect.map(currentDelivery, ({ delivery }) => jsonFile(delivery.body, `${delivery.id}.json`))

/** The page of a delivery. */
export const deliveryRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/deliveries/:delivery", for: "store", handler: page },
  { method: "GET", path: "/webhooks/:id/deliveries/:delivery/body", for: "store", handler: download },
  { method: "POST", path: "/webhooks/:id/deliveries/:delivery/redeliver", for: "store", handler: sendAgain },
]
