import type { Delivery } from "../../../core/model/Delivery.ts"
import { attemptTimeout, connectTimeout } from "../../../core/usecases/dispatch/Dispatch.ts"

export type Attempt = Delivery["attempts"][number]

const reasons: Readonly<Record<NonNullable<Attempt["error"]>, string>> = {
  dns: "The host was not found",
  connect: `No connection within ${connectTimeout / 1000} seconds`,
  tls: "The certificate was not accepted",
  timeout: `No response within ${attemptTimeout / 1000} seconds`,
  redirect: "Redirects are not followed",
  address_refused: "The host has a non-public address",
  reset: "The connection was closed",
}

/** The result of an attempt: the status code of the response, or the reason why there was none. */
export const outcomeOf = ({ error, statusCode }: Attempt): string => {
  if (error === null) return String(statusCode)
  return statusCode === null ? reasons[error] : `${statusCode}: ${reasons[error]}`
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
