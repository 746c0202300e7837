/** The management API, route by route (hosts/manage/README.md). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { customizers, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { add, rows as webhookRows } from "../../conformance/testkit/hosts/ManagedWebhooks.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"

const description = {
  title: "Signet ring",
  platformProductId: "gid://shop/Product/7",
  assetBase: "https://assets.example.com/7/",
}

/** Exactly `{message}`, or `{message, problems: [{path, message}]}` for wrong input. */
const expectError = (answer: Answer, status: number, what: string) => {
  expect([what, answer.status, answer.headers["content-type"]]).toEqual([what, status, "application/json"])
  const body = answer.json as Json
  const keys = status === 400 || status === 422 ? ["message", "retryable", "problems"] : ["message", "retryable"]
  expect([what, Object.keys(body)]).toEqual([what, keys])
  expect(typeof body["message"]).toBe("string")
  for (const problem of (body["problems"] ?? []) as ReadonlyArray<Json>) {
    expect(Object.keys(problem)).toEqual(["path", "message"])
    expect([typeof problem["path"], typeof problem["message"]]).toEqual(["string", "string"])
  }
}

const problemPaths = (answer: Answer): ReadonlyArray<unknown> =>
  ((answer.json as Json)["problems"] as ReadonlyArray<Json>).map((problem) => problem["path"])

/** Every row of the table that takes a shop, as method, path below the shop and a body that is fine. */
const rowsOf = (endpoint: string): ReadonlyArray<readonly [method: string, path: string, body?: unknown]> => [
  ["GET", ""],
  ["PUT", "/customizers/101", description],
  ["POST", "/customizers/101/publish", { definition: customizers[0]?.definition }],
  ["PUT", "/designs/d-9", ringInput],
  ["POST", "/designs", ringInput],
  ["PUT", "/orders/9", { name: "9", orderedAt: "2026-10-05T14:48:00Z", lines: [{ designId: "d-1", lineItemId: "1" }] }],
  ["POST", "/orders/1/cancel"],
  ["DELETE", "/orders/1/cancel"],
  ["POST", "/tokens", { name: "ERP" }],
  ["GET", "/tokens"],
  ["DELETE", "/tokens/tok_1"],
  ...webhookRows(endpoint, "dlv_1").map(([method, path, body]) => [method, `/webhooks${path}`, body] as const),
]

onHosts("The management API", [memory, postgres], (it) => {
  it.effect("MUST answer 401 with {message} to every request without the manage key, and do nothing", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d-1")
      const { id } = yield* add(send, shop)
      const before = yield* store.dump
      for (const [method, path, body] of [
        ...rowsOf(id).map(([method, path, body]) => [method, `/shops/${shop.id}${path}`, body] as const),
        ["GET", "/shops", undefined] as const,
        ["PUT", `/shops/${shop.id}`, { ...shopInput, domain: "evil.example.com" }] as const,
      ]) {
        for (const authorization of [
          undefined,
          ...["", "Bearer", "Bearer ", `Bearer ${manageKey}x`, `Bearer ${manageKey.slice(0, -1)}`, manageKey],
          ...[`Basic ${manageKey}`, `Bearer ${manageKey.toUpperCase()}`, `Bearer ${shop.token}`],
        ]) {
          const answer = yield* send(method, `/manage/v1${path}`, {
            headers: { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          })
          expectError(answer, 401, `${method} ${path} with ${authorization}`)
        }
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("MUST answer 404 with {message} on every route if the shop does not exist, whatever its id", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const { id: endpoint } = yield* add(send, shop)
      const before = yield* store.dump
      for (const id of [
        "nobodys",
        shop.id.toUpperCase(),
        `${shop.id}%20`,
        `${shop.id}%00`,
        "%F0%9F%98%80",
        "__proto__",
      ]) {
        for (const [method, path, body] of rowsOf(endpoint)) {
          expectError(yield* manage(send, method, `/shops/${id}${path}`, body), 404, `${method} /shops/${id}${path}`)
        }
      }
      expect(yield* store.dump).toBe(before)
    }),
  )

  it.effect("PUT /shops/{shop} MUST create a shop with the defaults pro and 1, and replace its fields: 200 Shop", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const { id } = yield* newShop(send)
      const put = (body: unknown) => manage(send, "PUT", `/shops/${id}`, body)
      const minimal = { domain: "a.example", currency: "USD", imageBase: "https://i.example" }
      const made = yield* put({ ...minimal, __proto__: { plan: "free" } })
      expect([made.status, made.text]).toEqual([
        200,
        JSON.stringify({
          id,
          domain: "a.example",
          currency: "USD",
          plan: "pro",
          roundingStep: 1,
          imageBase: "https://i.example",
        }),
      ])
      const changed = yield* put({ ...minimal, plan: "plus", roundingStep: 9007199254740991 })
      expect(changed.json).toEqual({ id, ...minimal, plan: "plus", roundingStep: 9007199254740991 })
      expect((yield* manage(send, "GET", `/shops/${id}`)).text).toBe(changed.text)
    }),
  )

  it.effect("GET /shops MUST list all shops by id, in pages: {data: Shop[], pagination}", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const made = [yield* newShop(send), yield* newShop(send)]
      const answer = yield* manage(send, "GET", "/shops")
      expect(answer.json).toMatchObject({ pagination: { limit: 100, nextCursor: null } })
      for (const query of ["limit=0", "limit=101", "after=", "after=A"]) {
        const wrong = yield* manage(send, "GET", `/shops?${query}`)
        expect([query, wrong.status, wrong.text.includes(query.split("=")[0] ?? "")]).toEqual([query, 400, true])
      }
      const shops = (answer.json as { readonly data: ReadonlyArray<{ readonly id: string }> }).data
      for (const shop of shops) {
        expect(Object.keys(shop)).toEqual(["id", "domain", "currency", "plan", "roundingStep", "imageBase"])
      }
      const ids = shops.map(({ id }) => id)
      expect(ids).toEqual([...ids].sort())
      expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)))
    }),
  )

  it.effect("MUST answer each kind of refusal with its status, naming every problem of input, and store nothing", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, description)
      const before = yield* store.dump
      const line = { designId: "d-1", lineItemId: "1" }
      const order = { name: "#1", orderedAt: "2026-10-05T14:48:00Z" }
      for (const [status, method, path, body, ...paths] of [
        [400, "PUT", "", {}, "domain", "currency", "imageBase"],
        [400, "POST", "/customizers/101/publish", {}, "definition"],
        [400, "PUT", "/orders/1", { name: 1, orderedAt: 2, lines: 3 }, "name", "orderedAt", "lines"],
        [400, "PUT", "/designs/%00", ringInput, "id"],
        [400, "PUT", "/orders/%00", { ...order, lines: [line] }, "id"],
        [404, "PUT", "/customizers/0", description],
        [404, "POST", "/customizers/abc/publish", {}],
        [404, "POST", "/customizers/999/publish", { definition: customizers[0]?.definition }],
        [404, "PUT", "/designs/d-1", { ...ringInput, customizerId: 999 }],
        [404, "DELETE", "/tokens/%00", undefined],
        [409, "PUT", "/designs/d-1", { ...ringInput, customizerId: 7 }],
        [413, "POST", "/customizers/101/publish", { definition: { note: "x".repeat(524_288) } }],
        [422, "POST", "/customizers/101/publish", { definition: null }, ""],
        [422, "PUT", "/designs/d-1", `{"selection":{"line":{"of":[1,9007199254740993]}}}`, "selection.line.of[1]"],
        [422, "PUT", "/designs/d-1", { ...ringInput, selection: { metal: "no" } }, expect.stringContaining("metal")],
        [422, "PUT", "/orders/1", { ...order, lines: [line, { ...line, lineItemId: "2" }] }, "lines[1].designId"],
      ] as const) {
        const answer = yield* manage(send, method, `/shops/${shop.id}${path}`, body)
        expectError(answer, status, `${method} ${path}`)
        if (paths.length > 0) expect([path, problemPaths(answer)]).toEqual([path, expect.arrayContaining([...paths])])
      }
      expectError(yield* manage(send, "PUT", "/shops/A", shopInput), 400, "an invalid shop id")
      expect(yield* store.dump).toBe(before)
      yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan: "free" })
      expectError(yield* manage(send, "POST", `/shops/${shop.id}/tokens`, { name: "ERP" }), 409, "the plan")
    }),
  )

  it.effect("PUT …/designs/{id} MUST answer 201 to a new design and then 200; POST 201 with a generated id (D9)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const path = `/shops/${shop.id}/designs`
      expect((yield* manage(send, "PUT", `${path}/d-1`, ringInput)).status).toBe(201)
      expect((yield* manage(send, "PUT", `${path}/d-1`, ringInput)).status).toBe(200)
      const made = yield* manage(send, "POST", path, ringInput)
      const design = yield* bodyOf(201, made)
      expect(design["id"]).toMatch(/^dsn_[0-9A-Za-z]{22}$/)
      expect((yield* read(send, shop.token, `/designs/${design["id"]}`)).text).toBe(made.text)
    }),
  )

  it.effect(
    "…/orders/{id}/cancel MUST answer POST with 200 Order or 202 before it comes, and DELETE with 204 until then (D50)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        const path = `/shops/${shop.id}/orders/a%2Fb/cancel`
        const kept = yield* bodyOf(202, yield* manage(send, "POST", path))
        expect(kept).toEqual({ message: expect.stringContaining("is kept until"), keptUntil: expect.any(String) })
        for (const _ of ["first", "again"]) expect((yield* manage(send, "DELETE", path)).status).toBe(204)
        yield* newOrder(send, shop, "a/b", ["d-1"])
        expect(yield* bodyOf(200, yield* manage(send, "POST", path))).toMatchObject({ id: "a/b", status: "cancelled" })
        expectError(yield* manage(send, "DELETE", path), 409, "of a cancelled order")
        const none = { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [] }
        const empty = yield* manage(send, "PUT", `/shops/${shop.id}/orders/1`, none)
        expect([empty.status, empty.text]).toEqual([204, ""])
        for (const method of ["POST", "DELETE"]) {
          const impossible = `/shops/${shop.id}/orders/%00/cancel`
          expectError(yield* manage(send, method, impossible), 404, `${method} of an impossible id`)
        }
      }),
  )

  it.effect("MUST read a body as JSON, whatever its media type", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const authorization = `Bearer ${manageKey}`
      for (const type of [
        undefined,
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/merge-patch+json",
        "text/plain",
        "application/x-www-form-urlencoded",
      ]) {
        const headers = { authorization, ...(type === undefined ? {} : { "content-type": type }) }
        const answer = yield* send("POST", `/manage/v1/shops/${shop.id}/tokens`, { headers, body: '{"name":"ERP"}' })
        expect([type, answer.status]).toEqual([type, 201])
      }
    }),
  )

  it.effect("MUST refuse with 400 a body that is not UTF-8, rather than store something else", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const before = yield* store.dump
      for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4]]) {
        const answer = yield* send("POST", `/manage/v1/shops/${shop.id}/tokens`, {
          headers: { authorization: `Bearer ${manageKey}`, "content-type": "application/json" },
          body: Uint8Array.of(...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('"}')),
        })
        expectError(answer, 400, JSON.stringify(bytes))
      }
      expect(yield* store.dump).toBe(before)
    }),
  )
})
