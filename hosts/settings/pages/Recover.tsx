/** Sends the events that an endpoint has missed: since when, how many they are, and then they are sent. */

import { DateTime, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { format, type Instant, parse } from "../../../core/model/Instant.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { DeliveryLog } from "../../../core/ports/DeliveryLog.ts"
import { recover } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint, currentRequest, pendingNow } from "../CurrentRecord.ts"
import { Form } from "../Form.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { Submit } from "../parts/Buttons.tsx"
import { asField, inUtc } from "../parts/deliveries/ResendForm.ts"
import { nameOf } from "../parts/endpoints/EndpointName.tsx"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { Field } from "../parts/Field.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { Time } from "../parts/Time.tsx"
import { currentZone } from "../Query.ts"
import type { Route } from "../Routes.ts"
import type { Visit } from "../Visit.ts"

const hour = 60 * 60 * 1000

interface Preset {
  /** The value of `since` in the address. */
  readonly name: string
  readonly label: string
  readonly since: Instant
}

/** The times that an endpoint's owner can choose without typing one. */
const presetsOf = ({ status, switchedOffAt }: Endpoint, { now, texts }: Visit["Service"]): ReadonlyArray<Preset> => {
  const { lastDay, lastHour, sinceOff, sincePaused } = texts.repair.recover
  const off = switchedOffAt === null ? undefined : parse(switchedOffAt)
  return [
    ...(off === undefined ? [] : [{ name: "off", label: status === "paused" ? sincePaused : sinceOff, since: off }]),
    { name: "1h", label: lastHour, since: now - hour },
    { name: "24h", label: lastDay, since: now - 24 * hour },
  ]
}

const page = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const texts = visit.texts.repair.recover
  const endpoint = yield* currentEndpoint
  const { url } = yield* HttpServerRequest.HttpServerRequest
  const asked = new URLSearchParams(url.split("?")[1]).get("since")
  const zone = yield* currentZone
  const presets = presetsOf(endpoint, visit)
  const chosen = asked === null ? presets[0] : presets.find(({ name }) => name === asked)
  const since = chosen?.since ?? parse(inUtc(asked ?? "", zone))
  const missed =
    since === undefined ? undefined : yield* DeliveryLog.use((log) => log.missed(shop.id, endpoint.id, since))
  return yield* renderStorePage(
    { title: `${texts.title}: ${nameOf(endpoint)}`, section: "webhooks", status: since === undefined ? 400 : 200 },
    <>
      <PageTitle title={texts.heading} lead={texts.explained}>
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
      </PageTitle>
      <section class="card pad stack" aria-labelledby="presets">
        <h2 id="presets">{texts.presets}</h2>
        <p class="ranges">
          {presets.map(({ label, name }) => (
            <a key={name} href={`?since=${name}`} {...(chosen?.name === name ? { "aria-current": "true" } : {})}>
              {label}
            </a>
          ))}
        </p>
        <form method="get" class="inline">
          <Field
            name="since"
            label={texts.own(DateTime.zoneToString(zone))}
            problems={since === undefined ? [{ path: "since", message: texts.wrongTime }] : []}
            control={(attributes) => (
              <input
                type="datetime-local"
                step="1"
                required
                value={chosen === undefined ? asField(inUtc(asked ?? "", zone), zone) : ""}
                {...attributes}
              />
            )}
          />
          <Submit text={texts.preview} />
        </form>
      </section>
      {since !== undefined && missed !== undefined && (
        <section class="card pad stack" aria-label={texts.found(missed)}>
          <p>
            <strong>{texts.found(missed)}</strong> <Time at={format(since)} now={visit.now} exact />.
          </p>
          {endpoint.status !== "active" && missed > 0 && <p>{visit.texts.repair.question.held}</p>}
          {missed > 0 && (
            <PostForm visit={visit} action="recover" class="actions">
              <input type="hidden" name="since" value={format(since)} />
              <Submit look="main" text={texts.send(missed)} />
            </PostForm>
          )}
        </section>
      )}
    </>,
  )
})

const sendMissed = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const endpoint = yield* currentEndpoint
  const { id } = endpoint
  const since = inUtc((yield* Form).text("since"), yield* currentZone)
  return yield* recover(shop.id, id, { since }).pipe(
    Effect.tap((count) => logChange(`made ${count} deliveries of missed events to the webhook endpoint ${id}`)),
    Effect.flatMap(
      Effect.fnUntraced(function* (count) {
        const text = `${texts.repair.recover.sent(count)} ${yield* pendingNow(endpoint)}`
        return yield* redirect(yield* backTo(`webhooks/${id}`), { tone: "good", text })
      }),
    ),
    Effect.catchTag("InvalidInput", () =>
      Effect.flatMap(backTo(`webhooks/${id}/recover`), (page) =>
        redirect(page, { tone: "bad", text: texts.repair.recover.wrongTime }),
      ),
    ),
  )
})

/** The page of the events that an endpoint has missed. */
export const recoverRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/recover", for: "store", handler: page },
  { method: "POST", path: "/webhooks/:id/recover", for: "store", handler: sendMissed },
]
