import type { Delivery } from "../../../core/model/Delivery.ts"
import { attemptTimeout, connectTimeout } from "../../../core/usecases/dispatch/Dispatch.ts"

export type Attempt = Delivery["attempts"][number]

/** Timers may end a few milliseconds early by the clock. */
const slack = 50

const seconds = (milliseconds: number) => `within ${milliseconds / 1000} seconds`

/** The reasons for having no response, with how long the attempt took. */
const reasons: Readonly<Record<NonNullable<Attempt["error"]>, (durationMs: number) => string>> = {
  dns: () => "The host was not found",
  connect: (durationMs) =>
    durationMs < connectTimeout - slack
      ? "The connection was refused, or the host can't be reached"
      : `No connection ${seconds(connectTimeout)}`,
  tls: () => "The certificate was not accepted",
  timeout: (durationMs) =>
    durationMs < attemptTimeout - slack
      ? `The connection was not ready ${seconds(connectTimeout)}`
      : `No response ${seconds(attemptTimeout)}`,
  redirect: () => "Redirects are not followed",
  address_refused: () => "The host has a non-public address",
  reset: () => "The connection was closed",
}

/** The result of an attempt: the status code of the response, or the reason why there was none. */
export const outcomeOf = ({ durationMs, error, statusCode }: Attempt): string => {
  if (error === null) return String(statusCode)
  const reason = reasons[error](durationMs)
  return statusCode === null ? reason : `${statusCode}: ${reason}`
}

const states = {
  succeeded: { look: "good", text: "Delivered" },
  failed: { look: "bad", text: "Failed" },
  pending: { look: "warn", text: "Pending" },
  dropped: { look: "", text: "Dropped" },
} as const

/** The state of a delivery. */
export const DeliveryBadge = ({ status }: Pick<Delivery, "status">) => (
  <span class={`badge dot ${states[status].look}`}>{states[status].text}</span>
)

/** The number of attempts so far, and the limit. A test event gets one attempt. */
export const attemptsOf = ({ attempts, test }: Delivery, maximum: number): string =>
  `${attempts.length} of ${test ? 1 : maximum}`
