/** What commands say if the management API, or something before it, refuses a call. */
import { expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { managedShop, running } from "./Manage.ts"

const options = { url: Option.some("http://host.test"), key: Option.some("k".repeat(16)), shop: Option.some("acme") }

const elsewhere = ". If the management API is elsewhere, give --url"

it.effect.each([
  [409, '{"message":"The plan has no webhooks"}', "409: The plan has no webhooks"],
  [404, '{"message":"There is no such shop"}', `404: There is no such shop${elsewhere}`],
  [502, "<h1>Bad gateway</h1>", `502: <h1>Bad gateway</h1>${elsewhere}`],
  [503, "{}", `503: {}${elsewhere}`],
  [500, "null", `500: null${elsewhere}`],
  [401, "", `401: ${elsewhere}`],
  [500, "x".repeat(1000), `500: ${"x".repeat(200)}${elsewhere}`],
] as const)("%s with %j MUST be named with what the answer says", ([status, body, said]) =>
  Effect.gen(function* () {
    const send = async () => new Response(body, { status })
    const { call } = yield* managedShop(options, send)
    const error = yield* Effect.flip(running(() => call("GET", "/webhooks")))
    expect(error.message).toBe(`GET http://host.test/manage/v1/shops/acme/webhooks was answered ${said}`)
  }),
)
