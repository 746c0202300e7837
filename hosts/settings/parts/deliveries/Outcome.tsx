import type { Delivery } from "../../../../core/model/webhooks/Delivery.ts"
import { isUnderWay, type LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import { tlsFaultOf } from "../../../../core/model/webhooks/TlsFault.ts"
import { attemptTimeout, connectTimeout } from "../../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import type { Texts } from "../../texts/Language.ts"
import type { Visit } from "../../Visit.ts"
import { useTexts } from "../CurrentLanguage.ts"

export type Attempt = Delivery["attempts"][number]

/** Timers may end a few milliseconds early by the clock. */
const slack = 50

type Words = Texts["deliveries"]

/** The reasons for having no response, with how long the attempt took. */
const reasons: Readonly<
  Record<NonNullable<Attempt["error"]>, (words: Words, durationMs: number, sentence: string | null) => string>
> = {
  dns: (words) => words.notFound,
  connect: (words, durationMs) =>
    durationMs < connectTimeout - slack ? words.refused : words.noConnection(connectTimeout / 1000),
  tls: (words, _, sentence) => {
    const fault = tlsFaultOf(sentence)
    return fault === undefined ? words.certificate : words.tls[fault]
  },
  timeout: (words, durationMs) =>
    durationMs < attemptTimeout - slack
      ? words.notReady(connectTimeout / 1000)
      : words.noResponse(attemptTimeout / 1000),
  redirect: (words) => words.redirects,
  address_refused: (words) => words.notPublic,
  reset: (words) => words.closed,
  token: (words, _, sentence) => {
    const [, code, name = ""] = /^The token endpoint answered (\d+)(: \w+)?$/.exec(sentence ?? "") ?? []
    return code === undefined ? words.noToken : words.tokenAnswered(code, name)
  },
}

/** The result of an attempt: the status code of the response, or the reason why there was none. */
export const outcomeOf = (
  {
    durationMs,
    error,
    responseStart,
    statusCode,
  }: Pick<Attempt, "durationMs" | "error" | "responseStart" | "statusCode">,
  { deliveries }: Pick<Texts, "deliveries">,
): string => {
  if (error === null) return String(statusCode)
  const reason = reasons[error](deliveries, durationMs, responseStart)
  return statusCode === null ? reason : deliveries.statusAndReason(statusCode, reason)
}

/** Whether an attempt ended because its receiver had not connected or answered in time. */
export const isTimeout = ({ durationMs, error }: Pick<Attempt, "durationMs" | "error">): boolean =>
  error === "timeout" || (error === "connect" && durationMs >= connectTimeout - slack)

/** The beginning of the response, or why there was none, unless {@link outcomeOf} says it already. */
export const ResponseStart = ({ attempt }: { readonly attempt: Attempt }) =>
  attempt.responseStart === null || attempt.responseStart === "" || attempt.error === "tls" ? null : (
    <pre class="response">
      <bdi>{attempt.responseStart}</bdi>
    </pre>
  )

const looks = { succeeded: "good", failed: "bad", pending: "warn", dropped: "" } as const

/** The state of a delivery. */
export const DeliveryBadge = ({ status }: Pick<Delivery, "status">) => (
  <span class={`badge dot ${looks[status]}`}>{useTexts().deliveries.states[status]}</span>
)

/** The state of a delivery as a mark of a shape and colour of its own, with the word for readers who don't see it. */
export const StateMark = ({ delivery, now }: { readonly delivery: LoggedDelivery; readonly now: number }) => {
  const { states, underWay } = useTexts().deliveries
  const text = isUnderWay(delivery, now) ? underWay : states[delivery.status]
  return (
    <span class={`mark ${looks[delivery.status]}`} title={text}>
      {text}
    </span>
  )
}

/** The state of a delivery in a list, which says so while a worker has it. */
export const LoggedBadge = ({ delivery, now }: { readonly delivery: LoggedDelivery; readonly now: number }) => {
  const texts = useTexts()
  if (!isUnderWay(delivery, now)) return <DeliveryBadge status={delivery.status} />
  return <span class="badge dot warn">{texts.deliveries.underWay}</span>
}

/** The number of attempts so far, and the limit. A test event gets one attempt. */
export const attemptsOf = (
  { attempts, test }: Delivery,
  { site, texts }: Pick<Visit["Service"], "site" | "texts">,
): string => texts.deliveries.attempts(attempts.length, test ? 1 : site.attempts)
