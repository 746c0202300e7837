import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Delivery } from "../../../core/model/Delivery.ts"
import { includesApi } from "../../../core/model/Shop.ts"
import { readDelivery, readRequestHeaders, redeliver } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint } from "../CurrentEndpoint.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { Copyable, CopyableText } from "../parts/Copyable.tsx"
import { curlOf, type SentHeaders } from "../parts/Curl.ts"
import { attemptsOf, DeliveryBadge, outcomeOf } from "../parts/Outcome.tsx"
import { PageTitle } from "../parts/PageTitle.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import { WebhookCrumbs } from "../parts/WebhookCrumbs.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

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
  const { delivery, endpoint, shop } = yield* currentDelivery
  const last = delivery.attempts.at(-1)
  const headers =
    last === undefined ? undefined : yield* readRequestHeaders(shop.id, endpoint.id, delivery.id, last.number)
  const path = `${visit.root}webhooks/${endpoint.id}/deliveries/${delivery.id}`
  const file = `${delivery.id}.json`
  const waitsFor = !includesApi(shop.plan)
    ? "When the store's plan includes webhooks"
    : endpoint.status !== "active"
      ? "When the endpoint is enabled"
      : undefined
  return yield* renderStorePage({
    title: "Delivery",
    section: "webhooks",
    content: (
      <>
        <PageTitle
          actions={
            <div class="actions">
              {includesApi(shop.plan) && (
                <PostForm visit={visit} action={`${path}/redeliver`}>
                  <button class="button main" type="submit">
                    Redeliver
                  </button>
                </PostForm>
              )}
              <a class="button" href={`${path}/body`} download={file}>
                Download body
              </a>
            </div>
          }
        >
          <WebhookCrumbs visit={visit} endpoint={endpoint} />
          <h1>
            <code>{delivery.event}</code> <DeliveryBadge status={delivery.status} />{" "}
            {delivery.test && <span class="badge">Test</span>}
          </h1>
        </PageTitle>
        <section class="card pad" aria-label="About this delivery">
          <dl class="facts">
            <dt>Event id</dt>
            <dd>
              <CopyableText label="the event id" text={delivery.eventId} />
            </dd>
            <dt>Delivery id</dt>
            <dd>
              <CopyableText label="the delivery id" text={delivery.id} />
            </dd>
            <dt>Created</dt>
            <dd>
              <Time at={delivery.createdAt} now={visit.now} exact />
            </dd>
            <dt>Attempts</dt>
            <dd>{attemptsOf(delivery, visit)}</dd>
          </dl>
        </section>
        <Timeline delivery={delivery} visit={visit} waitsFor={waitsFor} />
        <Request delivery={delivery} url={endpoint.url} headers={headers} file={file} />
      </>
    ),
  })
})

const Timeline = ({
  delivery,
  visit,
  waitsFor,
}: {
  readonly delivery: Delivery
  /** The condition under which a pending delivery is attempted. */
  readonly waitsFor: string | undefined
  readonly visit: Visit["Service"]
}) => (
  <section class="card" aria-labelledby="attempts">
    <header>
      <h2 id="attempts">Attempts</h2>
    </header>
    <ol class="timeline pad">
      {delivery.attempts.map((attempt) => {
        const good = attempt.error === null && Math.floor((attempt.statusCode ?? 0) / 100) === 2
        return (
          <li key={attempt.number} class={good ? "good" : "bad"}>
            <p>
              <strong>{outcomeOf(attempt, visit.texts)}</strong>{" "}
              <span class="hint">{`in ${attempt.durationMs} ms`}</span>
            </p>
            <p class="hint">
              {`Attempt ${attempt.number}, `}
              <Time at={attempt.at} now={visit.now} exact />
            </p>
            {attempt.responseStart !== null && attempt.responseStart !== "" && (
              <pre class="response">
                <bdi>{attempt.responseStart}</bdi>
              </pre>
            )}
          </li>
        )
      })}
      {delivery.status === "dropped" && (
        <li>
          <p>
            <strong>Dropped</strong>
          </p>
          <p class="hint">The endpoint no longer receives this kind of event.</p>
        </li>
      )}
      {delivery.nextAttemptAt !== null && (
        <li>
          <p>
            <strong>Next attempt</strong>
          </p>
          <p class="hint">{waitsFor ?? <Time at={delivery.nextAttemptAt} now={visit.now} />}</p>
        </li>
      )}
    </ol>
  </section>
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
}) => (
  <section class="stack" aria-labelledby="request">
    <h2 id="request">Request</h2>
    {headers === undefined ? (
      <p class="hint">
        Nothing has been sent yet, or the signing secret has since been replaced or can't be decrypted.
      </p>
    ) : (
      <div class="stack tight">
        <h3>Headers, as last sent</h3>
        <Copyable
          label="the headers"
          text={Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join("\n")}
        />
        {"webhook-id" in headers && (
          <p class="hint">
            The Standard Webhooks headers are shown as they would be sent now, signed with the current signing secrets.
          </p>
        )}
      </div>
    )}
    <div class="stack tight">
      <h3>Body, as sent</h3>
      <Copyable label="the body" text={body.slice(0, maximumShown)} />
      {body.length > maximumShown && (
        <p class="hint">This is only the beginning. Download the body to see all of it.</p>
      )}
    </div>
    {body.length <= maximumFormatted && (
      <details class="card">
        <summary>Show the body formatted</summary>
        <div class="pad">
          <pre class="response">{JSON.stringify(JSON.parse(body), undefined, 2)}</pre>
        </div>
      </details>
    )}
    {headers !== undefined && (
      <details class="card">
        <summary>Send it yourself with curl</summary>
        <div class="pad stack tight">
          <Copyable label="the curl command" text={curlOf({ url, headers, body, file })} />
          <p class="hint">
            The command uses the endpoint's current URL, because the URLs of past attempts are not kept. A receiver that
            checks the timestamp refuses the request five minutes after the attempt.
          </p>
        </div>
      </details>
    )}
  </section>
)

const sendAgain = Effect.gen(function* () {
  const { delivery, endpoint, shop } = yield* currentDelivery
  const made = yield* redeliver(shop.id, endpoint.id, delivery.id)
  yield* logChange(`sent the delivery ${delivery.id} again as ${made.id}`)
  return yield* redirect(`webhooks/${endpoint.id}/deliveries/${made.id}`, {
    tone: "good",
    text:
      endpoint.status !== "active"
        ? "The event will be sent again, with the same event id, when the endpoint is enabled."
        : "The event is being sent again, with the same event id. This is the new delivery.",
  })
})

const download = Effect.map(currentDelivery, ({ delivery }) =>
  HttpServerResponse.text(delivery.body, {
    contentType: "application/json",
    headers: { "content-disposition": `attachment; filename="${delivery.id}.json"` },
  }),
)

/** The page of a delivery. */
export const deliveryRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/deliveries/:delivery", for: "store", handler: page },
  { method: "GET", path: "/webhooks/:id/deliveries/:delivery/body", for: "store", handler: download },
  { method: "POST", path: "/webhooks/:id/deliveries/:delivery/redeliver", for: "store", handler: sendAgain },
]
