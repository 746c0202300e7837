import { Data, Effect } from "effect"
import { includesApi } from "../../../core/model/shops/Shop.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { readActivity } from "../../../core/usecases/shops/ReadActivity.ts"
import { attemptTimeout } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { readDelivery, sendTestEvent } from "../../../core/usecases/webhooks/ManageDeliveries.ts"
import {
  decideEndpoint,
  deleteEndpoint,
  enableEndpoint,
  pauseEndpoint,
} from "../../../core/usecases/webhooks/ManageEndpoints.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint, currentRequest, pendingNow } from "../CurrentRecord.ts"
import { endpointRejection, secretsAgain } from "../EndpointRejection.ts"
import { Form } from "../Form.ts"
import { endpointForm } from "../forms/EndpointForm.tsx"
import { type Conflict, meanwhile, seenText } from "../forms/MeanwhileChanged.ts"
import { backTo } from "../forms/Returning.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import { noProblems, type Rejection } from "../Problems.ts"
import { DeleteQuestion } from "../parts/DeleteQuestion.tsx"
import { ConflictFields } from "../parts/endpoints/ConflictFields.tsx"
import { type EndpointInput, readEndpointForm, shownInput } from "../parts/endpoints/EndpointFields.tsx"
import { nameOf } from "../parts/endpoints/EndpointName.tsx"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import type { Route } from "../Routes.ts"
import type { Texts } from "../texts/Language.ts"
import { CurrentShop, Visit } from "../Visit.ts"

const updatePage = Effect.fnUntraced(function* ({
  conflicts = [],
  input,
  rejection: { problems, status } = noProblems,
  seen,
}: {
  readonly input?: EndpointInput
  readonly rejection?: Rejection
  readonly conflicts?: ReadonlyArray<Conflict>
  /** The state of the endpoint that the input began with, if it is not the current one. */
  readonly seen?: string
} = {}) {
  const visit = yield* Visit
  const texts = visit.texts.endpointActions
  const endpoint = yield* currentEndpoint
  const form = yield* endpointForm({
    above: (
      <>
        <input type="hidden" name="seen" value={seen ?? seenText(endpoint, visit.now)} />
        {conflicts.length > 0 && <ConflictFields visit={visit} conflicts={conflicts} />}
      </>
    ),
    input: input ?? endpoint,
    problems,
    submit: visit.texts.parts.save,
    cancelHref: `${visit.root}webhooks/${endpoint.id}`,
  })
  return yield* renderStorePage(
    { title: texts.updateTitle(nameOf(endpoint)), section: "webhooks", status },
    <>
      <PageTitle title={texts.updateHeading} lead={texts.updateLead}>
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
      </PageTitle>
      {form}
    </>,
  )
})

/** A form alongside the endpoint as it was then. */
interface Compared {
  readonly endpoint: Endpoint
  readonly conflicts: ReadonlyArray<Conflict>
  readonly shown: EndpointInput
}

/** Somebody else has changed what a form changes too. */
class ChangedMeanwhile extends Data.TaggedError("ChangedMeanwhile") {}

const update = Effect.gen(function* () {
  const { now, texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const current = yield* currentEndpoint
  const sent = yield* readEndpointForm(current)
  const form = yield* Form
  let compared: Compared = { endpoint: current, conflicts: [], shown: current }
  // Another change may come until this one is stored, e.g. while the URL's host is looked up.
  const decide = (endpoint: Endpoint) =>
    Effect.flatMap(meanwhile(endpoint, sent, form.text), ({ change, conflicts, shown }) => {
      compared = { endpoint, conflicts, shown }
      return conflicts.length > 0 ? new ChangedMeanwhile() : Effect.succeed(change)
    })
  const again = (rejection: Rejection) => {
    const { conflicts, endpoint, shown } = compared
    return updatePage({ input: shown, conflicts, rejection, seen: seenText(endpoint, now) })
  }
  return yield* decideEndpoint(shop.id, current.id, decide).pipe(
    Effect.tap(() => logChange(`updated the webhook endpoint ${current.id}`)),
    Effect.flatMap(() => redirect(`webhooks/${current.id}`, { tone: "good", text: texts.endpointActions.saved })),
    Effect.catchTag("ChangedMeanwhile", () => again({ status: 409, problems: secretsAgain(sent, texts, form) })),
    Effect.catchTag(["InvalidInput", "Refused"], (error) => Effect.flatMap(endpointRejection(error, sent), again)),
  )
})

/** The form with content that was sent before: it keeps the state that the content began with. */
const updateAgain = Effect.gen(function* () {
  const endpoint = yield* currentEndpoint
  const sent = yield* readEndpointForm(endpoint)
  return yield* updatePage({ input: shownInput(sent, endpoint), seen: (yield* Form).text("seen") })
})

const deletePage = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const texts = visit.texts.endpointActions
  const endpoint = yield* currentEndpoint
  const { description, id, url } = endpoint
  const { endpoints } = yield* readActivity(shop.id, "1h")
  const pending = endpoints.find(({ endpointId }) => endpointId === id)?.pending ?? 0
  return yield* renderStorePage(
    { title: texts.deleteTitle(nameOf(endpoint)), section: "webhooks" },
    <DeleteQuestion visit={visit} submit={texts.deleteSubmit} cancelHref={`${visit.root}webhooks/${id}`}>
      <h1>{texts.deleteQuestion}</h1>
      {description !== "" && (
        <p>
          <bdi>{description}</bdi>
        </p>
      )}
      <p class="mono">
        <bdi>{url}</bdi>
      </p>
      <p>{texts.deleteText(pending)}</p>
    </DeleteQuestion>,
  )
})

const confirmDelete = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const endpoint = yield* currentEndpoint
  const { id } = endpoint
  yield* deleteEndpoint(shop.id, id)
  yield* logChange(`deleted the webhook endpoint ${id}`)
  return yield* redirect("webhooks", { tone: "good", text: texts.endpointActions.deleted(nameOf(endpoint)) })
})

const turnedOn = (texts: Texts["endpointActions"], wasOff: boolean, included: boolean): string => {
  if (!wasOff) return texts.wasOn
  return included ? texts.isOn : texts.isOnWithoutPlan
}

const enable = Effect.gen(function* () {
  const { shop, texts } = yield* currentRequest
  const { id, status, switchedOffAt } = yield* currentEndpoint
  const { missed, ...endpoint } = yield* enableEndpoint(shop.id, id)
  yield* logChange(`enabled the webhook endpoint ${id}`)
  const pending = status !== "active" && includesApi(shop.plan) ? ` ${yield* pendingNow(endpoint)}` : ""
  return yield* redirect(yield* backTo(`webhooks/${id}`), {
    tone: "good",
    text: turnedOn(texts.endpointActions, status !== "active", includesApi(shop.plan)) + pending,
    ...(missed === 0 || switchedOffAt === null ? {} : { missed: { count: missed, since: switchedOffAt } }),
  })
})

const pause = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const texts = visit.texts.endpointActions
  const { id } = yield* currentEndpoint
  const endpoint = yield* pauseEndpoint(shop.id, id)
  yield* logChange(`paused the webhook endpoint ${id}`)
  return yield* redirect(yield* backTo(`webhooks/${id}`), {
    tone: "good",
    text: endpoint.status === "paused" ? `${texts.paused} ${yield* pendingNow(endpoint)}` : texts.wasOff,
  })
})

/** How long the page of a test event waits for its attempt, and how often it looks, in milliseconds. */
const [maximumWait, interval] = [attemptTimeout + 1000, 100]

const sendTest = Effect.gen(function* () {
  const { shop, visit } = yield* currentRequest
  const { id } = yield* currentEndpoint
  const sent = yield* sendTestEvent(shop.id, id)
  yield* logChange(`sent a test event to the webhook endpoint ${id}`)
  yield* readDelivery(shop.id, id, sent.id).pipe(
    Effect.delay(interval),
    Effect.repeat({ until: ({ status }) => status !== "pending" }),
    Effect.timeoutOption(maximumWait),
  )
  const text = visit.texts.endpointActions.testSent
  return yield* redirect(yield* backTo(`webhooks/${id}`), { tone: "good", text, tested: sent.id })
})

/** The actions of a webhook endpoint. */
export const endpointActionRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/update", for: "store", handler: updatePage() },
  { method: "POST", path: "/webhooks/:id/update", for: "store", handler: update, again: updateAgain },
  { method: "GET", path: "/webhooks/:id/delete", for: "store", handler: deletePage },
  { method: "POST", path: "/webhooks/:id/delete", for: "store", handler: confirmDelete },
  { method: "POST", path: "/webhooks/:id/pause", for: "store", handler: pause },
  { method: "POST", path: "/webhooks/:id/enable", for: "store", handler: enable },
  { method: "POST", path: "/webhooks/:id/test", for: "store", handler: sendTest },
]
