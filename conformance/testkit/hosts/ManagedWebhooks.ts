/** Webhook endpoints for tests of the management API: creating, requesting and checking them. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, bodyOf, type Json, manage, type Send, type TestShop } from "./TestHost.ts"

/** A public address, which needs no lookup. */
export const url = "https://93.184.216.34/hook"

export const endpointKeys = [
  "id",
  "url",
  "description",
  "events",
  "status",
  "consecutiveFailures",
  "switchedOffAt",
  "createdAt",
  "standardWebhooks",
  "customizers",
  "heedRetryAfter",
  "payload",
  "ordering",
  "maxPerSecond",
  "maxConcurrent",
  "headers",
  "oauth",
  "clientCertificate",
  "rotation",
]
export const deliveryKeys = ["id", "eventId", "event", "test", "status", "createdAt", "nextAttemptAt", "attempts"]
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)

export const webhooks = (shop: TestShop | string, rest = "") =>
  `/shops/${typeof shop === "string" ? shop : shop.id}/webhooks${rest}`

export const add = Effect.fnUntraced(function* (send: Send, shop: TestShop, fields: Json = {}) {
  const body = yield* bodyOf(201, yield* manage(send, "POST", webhooks(shop), { url, ...fields }))
  return { ...body, id: body["id"] as string, secret: body["secret"] as string }
})

export const without = (body: Json, key: string): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== key))

/** Exactly `{message, retryable}`, and `problems: [{path, message}]` for invalid input. */
export const expectError = (answer: Answer, status: number, what: string) => {
  expect([what, answer.status, answer.headers["content-type"]]).toEqual([what, status, "application/json"])
  const body = answer.json as Json
  const keys = ["message", "retryable", ...(status === 400 || status === 422 ? ["problems"] : [])]
  expect([what, Object.keys(body)]).toEqual([what, keys])
  expect([what, typeof body["message"], body["message"] === ""]).toEqual([what, "string", false])
}

export const listOf = (answer: Answer) => (answer.json as { readonly data: ReadonlyArray<Json> }).data

/** Every route with a valid body, and ids of an endpoint and a delivery. */
export const rows = (
  endpoint: string,
  delivery: string,
): ReadonlyArray<readonly [method: string, path: string, body?: unknown]> => [
  ["POST", "", { url }],
  ["GET", ""],
  ["GET", `/${endpoint}`],
  ["PATCH", `/${endpoint}`, { description: "changed" }],
  ["POST", `/${endpoint}/pause`],
  ["POST", `/${endpoint}/enable`],
  ["POST", `/${endpoint}/secret/promote`],
  ["POST", `/${endpoint}/test`],
  ["GET", `/${endpoint}/activity`],
  ["GET", `/${endpoint}/deliveries`],
  ["GET", `/${endpoint}/deliveries/${delivery}`],
  ["POST", `/${endpoint}/deliveries/${delivery}/redeliver`],
  ["POST", `/${endpoint}/resend`, { state: "failed" }],
  ["POST", `/${endpoint}/recover`, { since: "2026-01-01T00:00:00Z" }],
  ["DELETE", `/${endpoint}`],
]
