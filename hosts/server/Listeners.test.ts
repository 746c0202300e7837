/** The answers of a host with a separate listener for management (hosts/cli/README.md). */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inProcess, manage, manageKey, memory, newShop, read } from "../../conformance/testkit/hosts/TestHost.ts"

/** Two listeners on one store, as a process has them. */
const apart = Effect.gen(function* () {
  const { ports } = yield* memory.open
  const api = yield* inProcess(ports, { serves: "api" })
  const management = yield* inProcess(ports, { serves: "manage" })
  return { api, management, shop: yield* newShop(management) }
})

const key = { authorization: `Bearer ${manageKey}` }

it.effect("The public listener MUST have no management, no documentation of it and no metrics, key or not", () =>
  Effect.gen(function* () {
    const { api, shop } = yield* apart
    for (const path of [
      ...["/manage/v1/shops", `/manage/v1/shops/${shop.id}`, "/manage/v1/nothing", "/manage", "/metrics"],
      ...["/manage/openapi.json", "/manage/docs"],
    ]) {
      for (const [method, headers] of [
        ["GET", {}],
        ["GET", key],
        ["POST", key],
      ] as const) {
        const answer = yield* api(method, path, { headers })
        expect([path, answer.status, answer.json]).toEqual([path, 404, { message: "There is nothing at this address" }])
      }
    }
    for (const path of ["/livez", "/readyz", "/docs", "/openapi.json"]) {
      expect([path, (yield* api("GET", path)).status]).toEqual([path, 200])
    }
    expect((yield* read(api, shop.token, "/orders")).status).toBe(200)
    expect((yield* read(api, shop.token, "/nothing")).headers["ratelimit"]).toBeDefined()
  }),
)

it.effect("The management listener MUST have everything but the REST API and its documentation", () =>
  Effect.gen(function* () {
    const { management, shop } = yield* apart
    for (const path of ["/orders", "/nothing", "", "/designs/1"]) {
      const answer = yield* read(management, shop.token, path)
      expect([path, answer.status, answer.json]).toEqual([path, 404, { message: "There is nothing at this address" }])
      expect(answer.headers["x-api-version"]).toBeUndefined()
    }
    for (const path of ["/docs", "/openapi.json"]) expect((yield* management("GET", path)).status).toBe(404)
    for (const path of ["/livez", "/readyz", "/metrics", "/manage/openapi.json", "/manage/docs"]) {
      expect([path, (yield* management("GET", path)).status]).toEqual([path, 200])
    }
    expect((yield* manage(management, "GET", `/shops/${shop.id}`)).status).toBe(200)
    expect((yield* manage(management, "PATCH", `/shops/${shop.id};`)).status).toBe(405)
    expect((yield* management("GET", "/manage/v1/nothing")).status).toBe(401)
  }),
)
