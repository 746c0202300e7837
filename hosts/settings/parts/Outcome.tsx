import type { Delivery } from "../../../core/model/Delivery.ts"

export type Attempt = Delivery["attempts"][number]

const reasons: Readonly<Record<NonNullable<Attempt["error"]>, string>> = {
  dns: "The host was not found",
  connect: "No connection within 3 seconds",
  tls: "The certificate was not accepted",
  timeout: "No answer within 5 seconds",
  redirect: "A redirect, which is not followed",
  address_refused: "The host has an address that is not public",
  reset: "The connection was cut",
}

/** What came of an attempt, in words: its status code, or why there is none. */
export const outcomeOf = ({ error, statusCode }: Attempt): string => {
  if (error === null) return String(statusCode)
  return statusCode === null ? reasons[error] : `${statusCode}: ${reasons[error]}`
}

const states = {
  succeeded: { look: "good", text: "Delivered" },
  failed: { look: "bad", text: "Failed" },
  pending: { look: "warn", text: "Pending" },
} as const

/** The state of a delivery. */
export const DeliveryBadge = ({ status }: Pick<Delivery, "status">) => (
  <span class={`badge dot ${states[status].look}`}>{states[status].text}</span>
)

/** How often a delivery was tried. Test events are tried once. */
export const attemptsOf = ({ attempts, test }: Delivery, most: number): string =>
  `${attempts.length} of ${test ? 1 : most}`
