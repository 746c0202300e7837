import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Delivery } from "../../../core/model/Delivery.ts"
import { readDelivery, readRequestHeaders, redeliver } from "../../../core/usecases/ManageDeliveries.ts"
import { readEndpoint } from "../../../core/usecases/ManageEndpoints.ts"
import { changed } from "../Changes.ts"
import { goTo, show } from "../Page.tsx"
import { Copyable, CopyableText } from "../parts/Copyable.tsx"
import { curlOf, type SentHeaders } from "../parts/Curl.ts"
import { attemptsOf, DeliveryBadge, outcomeOf } from "../parts/Outcome.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

/** A longer body is shown in part, in characters. */
const shownBody = 6 * 1024

/** A body that is no longer than this is also shown line by line. */
const brokenBody = 4 * 1024

const deliveryAtHand = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { delivery: deliveryId = "", id = "" } = yield* HttpRouter.params
  const endpoint = yield* readEndpoint(shop.id, id)
  return { shop, endpoint, delivery: yield* readDelivery(shop.id, id, deliveryId) }
})

type DeliveryWithBody = Delivery & { readonly body: string }

const page = Effect.gen(function* () {
  const visit = yield* Visit
  const { delivery, endpoint, shop } = yield* deliveryAtHand
  const last = delivery.attempts.at(-1)
  const headers =
    last === undefined ? undefined : yield* readRequestHeaders(shop.id, endpoint.id, delivery.id, last.number)
  const path = `${visit.root}webhooks/${endpoint.id}`
  const file = `${delivery.id}.json`
  return yield* show({
    title: "Delivery",
    section: "webhooks",
    content: (
      <>
        <div class="title">
          <div>
            <p class="crumbs">
              <a href={`${visit.root}webhooks`}>Webhooks</a>
              {" / "}
              <a href={path}>
                <bdi>{endpoint.url}</bdi>
              </a>
            </p>
            <h1>
              <code>{delivery.event}</code> <DeliveryBadge status={delivery.status} />{" "}
              {delivery.test && <span class="badge">Test</span>}
            </h1>
          </div>
          <div class="actions">
            <PostForm visit={visit} action={`${path}/deliveries/${delivery.id}/redeliver`}>
              <button class="button main" type="submit">
                Redeliver
              </button>
            </PostForm>
            <a class="button" href={`${path}/deliveries/${delivery.id}/body`} download={file}>
              Download body
            </a>
          </div>
        </div>
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
            <dd>{attemptsOf(delivery, visit.site.attempts)}</dd>
          </dl>
        </section>
        <Timeline delivery={delivery} visit={visit} isOff={endpoint.status === "switched_off"} />
        <Request delivery={delivery} url={endpoint.url} headers={headers} file={file} />
      </>
    ),
  })
})

const Timeline = ({
  delivery,
  isOff,
  visit,
}: {
  readonly delivery: Delivery
  readonly isOff: boolean
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
              <strong>{outcomeOf(attempt)}</strong> <span class="hint">{`in ${attempt.durationMs} ms`}</span>
            </p>
            <p class="hint">
              {`Attempt ${attempt.number}, `}
              <Time at={attempt.at} now={visit.now} exact />
            </p>
            {attempt.responseStart !== null && attempt.responseStart !== "" && (
              <pre class="answer">
                <bdi>{attempt.responseStart}</bdi>
              </pre>
            )}
          </li>
        )
      })}
      {delivery.nextAttemptAt !== null && (
        <li>
          <p>
            <strong>Next attempt</strong>
          </p>
          <p class="hint">
            {isOff ? "When the endpoint is turned on" : <Time at={delivery.nextAttemptAt} now={visit.now} />}
          </p>
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
      <p class="hint">Nothing was sent yet, or the signing secret of then was replaced or can't be opened any more.</p>
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
            Those of Standard Webhooks are shown as the endpoint asks for them now, and with the signing secrets that
            are there now.
          </p>
        )}
      </div>
    )}
    <div class="stack tight">
      <h3>Body, as sent</h3>
      <Copyable label="the body" text={body.slice(0, shownBody)} />
      {body.length > shownBody && <p class="hint">This is the beginning of it: download it to see all.</p>}
    </div>
    {body.length <= brokenBody && (
      <details class="card">
        <summary>Read the body line by line</summary>
        <div class="pad">
          <pre class="answer">{JSON.stringify(JSON.parse(body), undefined, 2)}</pre>
        </div>
      </details>
    )}
    {headers !== undefined && (
      <details class="card">
        <summary>Send it yourself with curl</summary>
        <div class="pad stack tight">
          <Copyable label="the curl command" text={curlOf({ url, headers, body, file })} />
          <p class="hint">
            It goes to the endpoint's present URL: the one that an attempt went to is not kept. A receiver that checks
            the timestamp refuses it five minutes after the attempt.
          </p>
        </div>
      </details>
    )}
  </section>
)

const again = Effect.gen(function* () {
  const { delivery, endpoint, shop } = yield* deliveryAtHand
  const made = yield* redeliver(shop.id, endpoint.id, delivery.id)
  yield* changed(`sent the delivery ${delivery.id} again as ${made.id}`)
  return yield* goTo(`webhooks/${endpoint.id}/deliveries/${made.id}`, {
    tone: "good",
    text:
      endpoint.status === "switched_off"
        ? "It will be sent again, with the same event id, when the endpoint is turned on."
        : "It is sent again, with the same event id. This is the new delivery.",
  })
})

const download = Effect.map(deliveryAtHand, ({ delivery }) =>
  HttpServerResponse.text(delivery.body, {
    contentType: "application/json",
    headers: { "content-disposition": `attachment; filename="${delivery.id}.json"` },
  }),
)

/** The page of a delivery. */
export const deliveryRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/deliveries/:delivery", for: "store", answer: page },
  { method: "GET", path: "/webhooks/:id/deliveries/:delivery/body", for: "store", answer: download },
  { method: "POST", path: "/webhooks/:id/deliveries/:delivery/redeliver", for: "store", answer: again },
]
