/** Sends deliveries of an endpoint's log again: the question with the exact number, and the progress while it runs. */
import { DateTime, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { EventKind } from "../../../core/model/events/Event.ts"
import { parse } from "../../../core/model/Instant.ts"
import type { Endpoint } from "../../../core/model/webhooks/Endpoint.ts"
import { FinishedStatus, maximumNamed } from "../../../core/model/webhooks/Resend.ts"
import { encode } from "../../../core/model/webhooks/ResendRun.ts"
import { countResend, readResend, resendStep } from "../../../core/usecases/webhooks/ResendDeliveries.ts"
import { logChange } from "../ChangeLog.ts"
import { currentEndpoint, pendingNow } from "../CurrentRecord.ts"
import { Form } from "../Form.ts"
import { redirect, renderStorePage } from "../Page.tsx"
import type { Problems } from "../Problems.ts"
import { HiddenFields } from "../parts/deliveries/ResendActions.tsx"
import {
  asField,
  inputOf,
  logPath,
  pairsOf,
  type ResendChoice,
  type ResendProgress,
  readChoice,
  readProgress,
  resendPath,
} from "../parts/deliveries/ResendForm.ts"
import { nameOf } from "../parts/endpoints/EndpointName.tsx"
import { WebhookCrumbs } from "../parts/endpoints/WebhookCrumbs.tsx"
import { Field } from "../parts/Field.tsx"
import { PageTitle } from "../parts/Layout.tsx"
import { FilterSelect } from "../parts/List.tsx"
import { PostForm } from "../parts/PostForm.tsx"
import { currentZone } from "../Query.ts"
import type { Route } from "../Routes.ts"
import { CurrentShop, Visit } from "../Visit.ts"

type Choice = Required<ResendChoice>

/** The parameters of the current address. */
const parameters = HttpServerRequest.HttpServerRequest.use(({ url }) => {
  const query = new URLSearchParams(url.split("?")[1])
  return Effect.succeed({ text: (name: string) => query.get(name) ?? "", all: (name: string) => query.getAll(name) })
})

const idsOf = ({ ids, only }: Choice) => (only === "" ? null : ids)

const isEmptySelection = ({ ids, only }: Choice) => only !== "" && ids.length === 0

const page = Effect.gen(function* () {
  const fields = yield* parameters
  const progress = readProgress(fields)
  const choice = readChoice(fields, yield* currentZone)
  return yield* progress.next === "" ? question(choice) : progressPage(choice, progress)
})

const question = Effect.fnUntraced(function* (choice: Choice) {
  const visit = yield* Visit
  const texts = visit.texts.repair.question
  const { shop } = yield* CurrentShop
  const endpoint = yield* currentEndpoint
  const counted = yield* readResend(inputOf(choice), idsOf(choice)).pipe(
    Effect.flatMap(({ filter, run }) =>
      Effect.map(countResend(shop.id, endpoint.id, filter), (count) => ({ count, next: encode(run) })),
    ),
    Effect.catchTag(["InvalidInput", "UnknownFields"], ({ problems }) => Effect.succeed({ problems })),
  )
  const wordsOf = ({ message, path }: Problems[number]) => {
    if (path !== "from" && path !== "to") return message
    return parse(choice[path]) === undefined ? texts.wrongTime : texts.wrongOrder
  }
  const back = visit.root + (yield* logPath(endpoint.id, choice))
  const isWrong = isEmptySelection(choice) || choice.ids.length > maximumNamed
  const problems: Problems = [
    ...("problems" in counted ? counted.problems.map((problem) => ({ ...problem, message: wordsOf(problem) })) : []),
    ...(isEmptySelection(choice) ? [{ path: "", message: texts.noneSelected }] : []),
    ...(choice.ids.length > maximumNamed ? [{ path: "", message: texts.tooMany(maximumNamed) }] : []),
  ]
  return yield* renderStorePage(
    {
      title: `${texts.title}: ${nameOf(endpoint)}`,
      section: "webhooks",
      status: problems.length === 0 ? 200 : 400,
    },
    <>
      <PageTitle
        title={"count" in counted && !isWrong ? texts.heading(counted.count) : texts.title}
        lead={texts.explained}
      >
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
      </PageTitle>
      {problems
        .filter(({ path }) => path === "")
        .map(({ message }) => (
          <p key={message} class="notice bad" role="alert">
            <span />
            <span>{message}</span>
          </p>
        ))}
      {isWrong && (
        <p>
          <a class="button" href={back}>
            {texts.back}
          </a>
        </p>
      )}
      {"count" in counted && !isWrong && (
        <Confirm
          visit={visit}
          endpoint={endpoint}
          choice={choice}
          back={back}
          next={counted.next}
          count={counted.count}
        />
      )}
      {choice.only === "" && <Filter {...{ visit, choice, problems }} zone={yield* currentZone} />}
    </>,
  )
})

const Confirm = ({
  back,
  choice,
  count,
  endpoint,
  next,
  visit,
}: {
  readonly visit: Visit["Service"]
  readonly endpoint: Endpoint
  readonly choice: Choice
  /** The address of the list. */
  readonly back: string
  readonly next: string
  readonly count: number
}) => {
  const texts = visit.texts.repair.question
  return (
    <section class="card pad stack" aria-label={texts.heading(count)}>
      {choice.ids.length > 0 && <p>{texts.selected(choice.ids.length)}</p>}
      {endpoint.status !== "active" && <p>{texts.held}</p>}
      {count === 0 ? (
        <p>
          <a class="button" href={back}>
            {texts.back}
          </a>
        </p>
      ) : (
        <PostForm visit={visit} action="resend" class="actions">
          <HiddenFields pairs={pairsOf(choice, { next, sent: 0, total: count })} />
          <button class="button main" type="submit">
            {texts.send(count)}
          </button>
          <a class="button" href={back}>
            {texts.cancel}
          </a>
        </PostForm>
      )}
    </section>
  )
}

const Filter = ({
  choice,
  problems,
  visit,
  zone,
}: {
  /** The zone of times. */
  readonly zone: DateTime.TimeZone
  readonly visit: Visit["Service"]
  readonly choice: Choice
  readonly problems: Problems
}) => {
  const texts = visit.texts.repair.question
  const time = (name: "from" | "to") => (
    <Field
      name={name}
      label={texts[name](DateTime.zoneToString(zone))}
      problems={problems}
      control={(attributes) => (
        <input type="datetime-local" step="1" value={asField(choice[name], zone)} {...attributes} />
      )}
    />
  )
  return (
    <section class="card" aria-labelledby="filter">
      <header>
        <h2 id="filter">{texts.filter}</h2>
      </header>
      <form method="get" class="pad stack">
        <div class="inline">
          <FilterSelect
            name="state"
            label={texts.state}
            value={choice.state}
            all={texts.allStates}
            values={FinishedStatus.literals}
            nameOf={(status) => visit.texts.deliveries.states[status as FinishedStatus]}
          />
          <FilterSelect
            name="kind"
            label={texts.kind}
            value={choice.kind}
            all={texts.allKinds}
            values={EventKind.literals}
          />
        </div>
        <div class="inline">
          {time("from")}
          {time("to")}
        </div>
        <div class="choice">
          <input type="checkbox" id="tests" name="tests" value="yes" checked={choice.tests !== ""} />
          <label for="tests">{texts.tests}</label>
        </div>
        <div class="actions">
          <button class="button" type="submit">
            {texts.count}
          </button>
        </div>
      </form>
    </section>
  )
}

const progressPage = Effect.fnUntraced(function* (choice: Choice, progress: ResendProgress) {
  const visit = yield* Visit
  const texts = visit.texts.repair.progress
  const endpoint = yield* currentEndpoint
  const { sent, total } = { ...progress, total: Math.max(progress.sent, progress.total) }
  const done = texts.done(sent, total)
  return yield* renderStorePage(
    {
      title: `${texts.title}: ${done}`,
      section: "webhooks",
    },
    <>
      <PageTitle title={texts.heading} lead={texts.explained}>
        <WebhookCrumbs visit={visit} endpoint={endpoint} />
      </PageTitle>
      <section class="card pad stack" aria-label={texts.title}>
        <p role="status">
          <strong>{done}</strong>
        </p>
        <progress class="progress" max={Math.max(1, total)} value={sent} aria-label={done} />
        <div class="actions">
          <PostForm visit={visit} action="resend" goesOn>
            <HiddenFields pairs={pairsOf(choice, progress)} />
            <button class="button main" type="submit">
              {texts.goOn}
            </button>
          </PostForm>
          <PostForm visit={visit} action="resend/stop">
            <HiddenFields pairs={pairsOf(choice, progress)} />
            <button class="button" type="submit">
              {texts.stop}
            </button>
          </PostForm>
        </div>
      </section>
    </>,
  )
})

const step = Effect.gen(function* () {
  const { shop } = yield* CurrentShop
  const { texts } = yield* Visit
  const endpoint = yield* currentEndpoint
  const form = yield* Form
  const [choice, progress] = [readChoice(form, yield* currentZone), readProgress(form)]
  if (isEmptySelection(choice)) return yield* question(choice)
  const taken = yield* readResend(inputOf(choice, progress.next), idsOf(choice)).pipe(
    Effect.flatMap((resend) => resendStep(shop.id, endpoint.id, resend)),
  )
  const sent = progress.sent + taken.sent
  yield* logChange(`sent ${taken.added} deliveries of the webhook endpoint ${endpoint.id} again`)
  if (taken.run !== null) {
    const total = Math.max(progress.total, sent)
    return yield* redirect(resendPath(endpoint.id, choice, { next: encode(taken.run), sent, total }))
  }
  const done = sent === 0 ? texts.repair.nothingSent : texts.repair.sentAgain(sent)
  const text = `${done} ${yield* pendingNow(endpoint)}`
  return yield* redirect(yield* logPath(endpoint.id, choice), { tone: "good", text })
})

const stop = Effect.gen(function* () {
  const { texts } = yield* Visit
  const endpoint = yield* currentEndpoint
  const form = yield* Form
  const { sent, total } = readProgress(form)
  const text = `${texts.repair.stopped(sent, total)} ${yield* pendingNow(endpoint)}`
  const back = yield* logPath(endpoint.id, readChoice(form, yield* currentZone))
  return yield* redirect(back, { tone: "good", text })
})

/** The pages that send an endpoint's log again. */
export const resendRoutes: ReadonlyArray<Route> = [
  { method: "GET", path: "/webhooks/:id/resend", for: "store", handler: page },
  {
    ...{ method: "POST", path: "/webhooks/:id/resend", for: "store", handler: step },
    // A run that has sent nothing is asked about again.
    again: Effect.gen(function* () {
      const form = yield* Form
      const [choice, progress] = [readChoice(form, yield* currentZone), readProgress(form)]
      return yield* progress.sent === 0 ? question(choice) : progressPage(choice, progress)
    }),
  },
  { method: "POST", path: "/webhooks/:id/resend/stop", for: "store", handler: stop },
]
