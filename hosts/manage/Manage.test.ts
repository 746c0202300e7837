/** The management API, route by route (hosts/manage/README.md). */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { customizers, ring, ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
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
const rows: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
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
]

onHosts("The management API", [memory, postgres], (it) => {
  it.effect("MUST answer 401 with {message} to every request without the manage key, and do nothing", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d-1")
      const before = yield* store.dump
      for (const [method, path, body] of [
        ...rows.map(([method, path, body]) => [method, `/shops/${shop.id}${path}`, body] as const),
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
      const before = yield* store.dump
      for (const id of [
        ...["nobodys", shop.id.toUpperCase(), `${shop.id}%20`, `${shop.id}%00`, "%00", "%0A", "%F0%9F%98%80", "a%2Fb"],
        ...["-a", "a_b", "a.b", "a".repeat(64), "__proto__", "constructor", "'", "%25", "%C3%A9"],
      ]) {
        for (const [method, path, body] of rows) {
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

  it.effect("PUT /shops/{shop} MUST refuse with 400 an invalid id, and invalid fields by all their names", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const { id } = yield* newShop(send)
      const before = yield* store.dump
      for (const [field, values] of Object.entries({
        domain: [
          undefined,
          null,
          1,
          "",
          "A.example",
          "a b",
          "https://a.example",
          "a..b",
          "-a.example",
          "a.example.",
          "a_b.c",
          "ä.example",
          "a\0.b",
          `${"a".repeat(64)}.b`,
        ],
        currency: [undefined, null, "", "eur", "EURO", "EU", "E R", 978],
        plan: [null, "", "PRO", "enterprise", 1, ["pro"]],
        roundingStep: [null, 0, -1, 1.5, "1", 2 ** 53, true],
        imageBase: [
          undefined,
          null,
          "",
          "x",
          "//a.example",
          "ftp://a.example",
          "https://a.example?x",
          "https://a.example#x",
          "https://u:p@a.example",
          "javascript:alert(1)",
          `https://a.example/${"a".repeat(2048)}`,
          ...["https://*/", "https://*.a.example/", "https://a.example;script-src", "https://a%2a.example"],
          ...[`https://a.example/"`, "https://a.example/'", "https://a.example/`", "https://a.example/<b>"],
          ...["https://a.example/\nb", "https://a.example\n", " https://a.example", "https://a.example/a b"],
        ],
      })) {
        for (const value of values) {
          const answer = yield* manage(send, "PUT", `/shops/${id}`, { ...shopInput, [field]: value })
          expectError(answer, 400, `${field} = ${JSON.stringify(value)}`)
          expect([...new Set(problemPaths(answer))]).toEqual([field])
        }
      }
      const all = yield* manage(send, "PUT", `/shops/${id}`, {})
      expect(problemPaths(all)).toEqual(["domain", "currency", "imageBase"])
      for (const bad of ["A", "-a", "a_b", "a".repeat(64), "%00", "a%0A", "a%2Fb", "%F0%9F%98%80", "a.b", "%20"]) {
        expectError(yield* manage(send, "PUT", `/shops/${bad}`, shopInput), 400, bad)
      }
      expect(yield* store.dump).toBe(before)
      expect((yield* manage(send, "PUT", `/shops/${"0".repeat(63)}`, shopInput)).status).toBe(200)
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

  it.effect(
    "PUT …/customizers/{id} MUST answer 200 Customizer, 400 to invalid fields, and 404 to an invalid id (§2.3-4)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const before = yield* store.dump
        for (const [field, values] of Object.entries({
          title: [undefined, null, "", 1, "a\0b", "\ud800", "x".repeat(256), ["T"]],
          platformProductId: [
            undefined,
            null,
            "",
            "7",
            "gid://shop/Product/",
            "gid://shop/Product/x",
            "gid:///Product/7",
            "gid://shop/Order/7",
            "gid://shop/Product/7 ",
            "gid://shop/Product/7\n",
          ],
          assetBase: [undefined, null, "", "assets", "file:///etc", "https://a.example?x=1", "https://a.example/\0"],
        })) {
          for (const value of values) {
            const answer = yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, {
              ...description,
              [field]: value,
            })
            expectError(answer, 400, `${field} = ${JSON.stringify(value)}`)
            expect([...new Set(problemPaths(answer))]).toEqual([field])
          }
        }
        for (const id of ["0", "-1", "01", "1.5", "1e3", "abc", "%00", "9007199254740992", "9".repeat(300), "%20"]) {
          expectError(yield* manage(send, "PUT", `/shops/${shop.id}/customizers/${id}`, description), 404, id)
          expectError(yield* manage(send, "POST", `/shops/${shop.id}/customizers/${id}/publish`, {}), 404, id)
        }
        expect(yield* store.dump).toBe(before)
        const made = yield* manage(send, "PUT", `/shops/${shop.id}/customizers/9007199254740991`, description)
        expect(made.json).toEqual({
          id: 9007199254740991,
          ...description,
          status: "draft",
          version: null,
          definition: null,
        })
      }),
  )

  it.effect(
    "POST …/customizers/{id}/publish MUST answer 200 with the next version, 400 without a definition, or 404",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const definition = customizers[0]?.definition
        const path = `/shops/${shop.id}/customizers/101/publish`
        for (const version of [2, 3]) {
          expect(yield* bodyOf(200, yield* manage(send, "POST", path, { definition }))).toMatchObject({
            id: 101,
            status: "published",
            version,
            definition,
          })
        }
        expectError(
          yield* manage(send, "POST", `/shops/${shop.id}/customizers/999/publish`, { definition }),
          404,
          "missing",
        )
        for (const body of [{}, [], { Definition: definition }]) {
          expectError(yield* manage(send, "POST", path, body), 400, JSON.stringify(body))
        }
      }),
  )

  it.effect(
    "POST …/publish MUST refuse a definition with 422 and the path of every problem (definition: Publishing)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const before = yield* store.dump
        const publish = (definition: unknown) =>
          manage(send, "POST", `/shops/${shop.id}/customizers/101/publish`, { definition })
        const base = {
          schemaVersion: 1,
          steps: [{ id: "s", title: "S", view: "v" }],
          questions: [
            { id: "a", step: "s", title: "A", type: "single", answers: [{ id: "x", title: "X", productionCode: "P" }] },
            { id: "b", step: "s", title: "B", type: "text" },
          ],
          rules: [{ id: "r", when: { question: "a", is: "x" }, hide: ["b"] }],
        }
        const [first, second] = base.questions
        const [rule] = base.rules
        for (const [what, definition, paths] of [
          ["no definition", null, [""]],
          ["the same id twice", { ...base, questions: [first, { ...second, id: "a" }] }, ["questions[1].id"]],
          [
            "a rule that looks ahead",
            { ...base, rules: [{ ...rule, when: { question: "b", answered: true }, hide: ["a"] }] },
            [expect.stringMatching(/^rules\[0\]/)],
          ],
          ["two problems", { ...base, schemaVersion: "1", rules: {} }, ["schemaVersion", "rules"]],
        ] as const) {
          const answer = yield* publish(definition)
          expectError(answer, 422, what)
          // Consequences of a problem may be named as well.
          expect([what, problemPaths(answer)]).toEqual([what, expect.arrayContaining([...paths])])
        }
        // What JSON.stringify can't write: numbers beyond all bounds.
        const infinite = JSON.stringify({ definition: { ...base, note: 0 } }).replace('"note":0', '"note":1e400')
        expectError(yield* manage(send, "POST", `/shops/${shop.id}/customizers/101/publish`, infinite), 422, "1e400")
        expect(yield* store.dump).toBe(before)
        yield* bodyOf(200, yield* publish(base))
      }),
  )

  it.effect("PUT …/designs/{id} MUST answer 201 to a new design and then 200; POST 201 with a generated id (D9)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const path = `/shops/${shop.id}/designs`
      expect((yield* manage(send, "PUT", `${path}/d-1`, ringInput)).status).toBe(201)
      expect((yield* manage(send, "PUT", `${path}/d-1`, ringInput)).status).toBe(200)
      const ids = new Set<unknown>()
      for (let index = 0; index < 5; index++) {
        const made = yield* manage(send, "POST", path, ringInput)
        const design = yield* bodyOf(201, made)
        expect(design["id"]).toMatch(/^dsn_[0-9A-Za-z]{22}$/)
        expect((yield* read(send, shop.token, `/designs/${design["id"]}`)).text).toBe(made.text)
        ids.add(design["id"])
      }
      expect(ids.size).toBe(5)
    }),
  )

  it.effect(
    "PUT …/designs/{id} MUST answer 400 to invalid input, 404 without the customizer, 409 if it was never published",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* manage(send, "PUT", `/shops/${shop.id}/customizers/7`, description)
        const before = yield* store.dump
        const put = (body: unknown) => manage(send, "PUT", `/shops/${shop.id}/designs/d-1`, body)
        for (const [field, values] of Object.entries({
          customizerId: [undefined, null, "101", 0, -1, 1.5, 2 ** 53, [101]],
          basePrice: [undefined, null, "1", -1, 0.5, 2 ** 53, true, {}],
          createdAt: [null, "", "2026-10-05", "2026-10-05T14:48:00", 0, "now", "2026-02-30T00:00:00Z"],
        })) {
          for (const value of values) {
            const answer = yield* put({ ...ringInput, [field]: value })
            expectError(answer, 400, `${field} = ${JSON.stringify(value)}`)
            expect(problemPaths(answer)).toEqual([field])
          }
        }
        expectError(yield* put({ ...ringInput, selection: undefined }), 400, "no selection")
        for (const basePrice of ["1e400", "-1e400", "1e21", "9007199254740993"]) {
          expectError(yield* put(JSON.stringify(ringInput).replace("12900", basePrice)), 400, basePrice)
        }
        expectError(yield* put({ ...ringInput, customizerId: 999 }), 404, "missing customizer")
        expectError(yield* put({ ...ringInput, customizerId: 7 }), 409, "never published")
        for (const id of ["%00", "%0A", "%7F", "%C2%9F", "a".repeat(256), "%F0%9F%98%80".repeat(256)]) {
          expectError(yield* manage(send, "PUT", `/shops/${shop.id}/designs/${id}`, ringInput), 400, id)
        }
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect("PUT …/designs/{id} MUST refuse with 422 a price beyond ±(2^53 − 1) (definition: price)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const body = { ...ringInput, selection: { ...ring, metal: "plat" }, basePrice: Number.MAX_SAFE_INTEGER }
      expectError(yield* manage(send, "PUT", `/shops/${shop.id}/designs/d-1`, body), 422, "too much")
    }),
  )

  it.effect(
    "PUT …/orders/{id} MUST answer 200 Order, and refuse invalid input with 400, naming every problem (D6)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        const before = yield* store.dump
        const line = { designId: "d-1", lineItemId: "1" }
        const fine = { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [line] }
        const put = (body: unknown) => manage(send, "PUT", `/shops/${shop.id}/orders/1`, body)
        for (const [what, body, paths] of [
          ["no name", { ...fine, name: undefined }, ["name"]],
          ["a long name", { ...fine, name: "x".repeat(256) }, ["name"]],
          ["NUL in the name", { ...fine, name: "a\0" }, ["name"]],
          ["half a pair in the name", { ...fine, name: "\udc00" }, ["name"]],
          ["a date alone", { ...fine, orderedAt: "2026-10-05" }, ["orderedAt"]],
          ["no lines", { ...fine, lines: undefined }, ["lines"]],
          ["no lines and an invalid name", { ...fine, name: "", lines: [] }, ["name"]],
          ["lines that are none", { ...fine, lines: {} }, ["lines"]],
          ["an invalid line", { ...fine, lines: [line, null] }, ["lines[1]"]],
          ["no design", { ...fine, lines: [{ lineItemId: "1" }] }, ["lines[0].designId"]],
          ["an empty line item", { ...fine, lines: [{ ...line, lineItemId: "" }] }, ["lines[0].lineItemId"]],
          ["a number for a line item", { ...fine, lines: [{ ...line, lineItemId: 1 }] }, ["lines[0].lineItemId"]],
          [
            "NUL in an id",
            { ...fine, lines: [{ designId: "\0", lineItemId: "\ud800" }] },
            ["lines[0].designId", "lines[0].lineItemId"],
          ],
          ["a long id", { ...fine, lines: [{ ...line, designId: "😀".repeat(256) }] }, ["lines[0].designId"]],
          ["everything", { name: 1, orderedAt: 2, lines: 3 }, ["name", "orderedAt", "lines"]],
        ] as const) {
          const answer = yield* put(body)
          expectError(answer, 400, what)
          expect([what, problemPaths(answer)]).toEqual([what, paths])
        }
        for (const id of ["%00", "%1F", "a".repeat(256)]) {
          expectError(yield* manage(send, "PUT", `/shops/${shop.id}/orders/${id}`, fine), 400, id)
        }
        const twice = yield* put({ ...fine, lines: [line, { ...line, lineItemId: "2" }] })
        expectError(twice, 422, "a design named twice")
        expect(problemPaths(twice)).toEqual(["lines[1].designId"])
        expect(yield* store.dump).toBe(before)
        yield* bodyOf(200, yield* put(fine))
      }),
  )

  it.effect(
    "POST …/orders/{id}/cancel MUST answer 200 Order, 202 to an unknown order (D50), 404 to an impossible id (D50)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const [shop, other] = [yield* newShop(send), yield* newShop(send)]
        yield* newDesign(send, shop, "d-1")
        yield* newOrder(send, shop, "a/b", ["d-1"])
        for (const [at, id] of [
          [other.id, "a%2Fb"],
          [shop.id, "nobodys"],
        ] as const) {
          const kept = yield* bodyOf(202, yield* manage(send, "POST", `/shops/${at}/orders/${id}/cancel`))
          expect(kept).toEqual({ message: expect.stringContaining("is kept until"), keptUntil: expect.any(String) })
        }
        expectError(yield* manage(send, "POST", "/shops/nobodys/orders/1/cancel"), 404, "of no shop")
        for (const id of ["%00", "a".repeat(256), "%C2%80"]) {
          expectError(yield* manage(send, "POST", `/shops/${shop.id}/orders/${id}/cancel`), 404, id)
        }
        expect(yield* bodyOf(200, yield* manage(send, "POST", `/shops/${shop.id}/orders/a%2Fb/cancel`))).toMatchObject({
          id: "a/b",
          status: "cancelled",
        })
      }),
  )

  it.effect(
    "DELETE …/orders/{id}/cancel MUST answer 204 twice (D50), 409 once it is cancelled, 404 to what is none (D50)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        yield* newDesign(send, shop, "d-1")
        const path = `/shops/${shop.id}/orders/1/cancel`
        yield* bodyOf(202, yield* manage(send, "POST", path))
        for (const _ of ["first", "again"]) expect((yield* manage(send, "DELETE", path)).status).toBe(204)
        yield* newOrder(send, shop, "1", ["d-1"])
        expect(yield* bodyOf(200, yield* manage(send, "POST", path))).toMatchObject({ status: "cancelled" })
        expectError(yield* manage(send, "DELETE", path), 409, "of a cancelled order")
        expectError(yield* manage(send, "DELETE", "/shops/nobodys/orders/1/cancel"), 404, "of no shop")
        expectError(yield* manage(send, "DELETE", `/shops/${shop.id}/orders/%00/cancel`), 404, "of an impossible id")
      }),
  )

  it.effect(
    "POST …/tokens MUST answer 201 {id, name, token, …}, GET {data: […]} newest first, DELETE 204 (§5, D18)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const path = `/shops/${shop.id}/tokens`
        const made = yield* bodyOf(201, yield* manage(send, "POST", path, { name: "Ü 😀" }))
        expect(Object.keys(made)).toEqual(["id", "name", "token", "createdAt", "expiresAt", "scopes"])
        expect(made["id"]).toMatch(/^tok_[0-9A-Za-z]{22}$/)
        expect(made["name"]).toBe("Ü 😀")
        expect(made["createdAt"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
        const listed = yield* manage(send, "GET", path)
        expect(listed.text).not.toContain("cmz_")
        expect(Object.keys(listed.json as Json)).toEqual(["data"])
        const tokens = (listed.json as { readonly data: ReadonlyArray<Json> }).data
        expect(tokens.map(({ id }) => id).sort()).toEqual([made["id"], shop.tokenId].sort())
        const times = tokens.map(({ createdAt }) => createdAt)
        expect(times).toEqual([...times].sort().reverse())
        for (const token of tokens)
          expect(Object.keys(token)).toEqual(["id", "name", "hint", "createdAt", "lastUsedAt", "expiresAt", "scopes"])
        expect(tokens.find(({ id }) => id === made["id"])?.["hint"]).toBe(String(made["token"]).slice(-4))

        const gone = yield* manage(send, "DELETE", `${path}/${made["id"]}`)
        expect([gone.status, gone.text]).toEqual([204, ""])
        expectError(yield* manage(send, "DELETE", `${path}/${made["id"]}`), 404, "again")
        const rest = (yield* manage(send, "GET", path)).json as { readonly data: ReadonlyArray<Json> }
        expect(rest.data.map(({ id }) => id)).toEqual([shop.tokenId])
      }),
  )

  it.effect("POST …/tokens MUST answer 409 with a reason beyond a hundred tokens, and 201 once one is gone (D56)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [shop, other] = [yield* newShop(send), yield* newShop(send)]
      const path = `/shops/${shop.id}/tokens`
      for (let count = 1; count < 100; count++) yield* bodyOf(201, yield* manage(send, "POST", path, { name: "N" }))
      const full = yield* manage(send, "POST", path, { name: "N" })
      expectError(full, 409, "the 101st")
      expect(full.text).toContain("The shop has 100 tokens already, the most there can be")
      yield* bodyOf(201, yield* manage(send, "POST", `/shops/${other.id}/tokens`, { name: "N" }))
      expect((yield* manage(send, "DELETE", `${path}/${shop.tokenId}`)).status).toBe(204)
      yield* bodyOf(201, yield* manage(send, "POST", path, { name: "N" }))
    }),
  )

  it.effect(
    "POST …/tokens MUST store and show an end and scopes, and refuse others with 400 and store nothing (D77)",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const shop = yield* newShop(send)
        const path = `/shops/${shop.id}/tokens`
        const limits = { expiresAt: "2999-10-05T16:48:00+02:00", scopes: ["events:read", "orders:read"] }
        const made = yield* bodyOf(201, yield* manage(send, "POST", path, { name: "T", ...limits }))
        const shown = { ...limits, expiresAt: "2999-10-05T14:48:00.000+00:00" }
        expect(made).toMatchObject(shown)
        const { data } = (yield* manage(send, "GET", path)).json as { readonly data: ReadonlyArray<Json> }
        expect(data.find(({ id }) => id === made["id"])).toMatchObject(shown)
        expect(data.find(({ id }) => id === shop.tokenId)).toMatchObject({
          expiresAt: null,
          scopes: ["orders:read", "designs:read", "customizers:read", "events:read"],
        })
        const before = yield* store.dump
        for (const [place, input] of [
          ["expiresAt", { expiresAt: "2020-01-01T00:00:00Z" }],
          ["expiresAt", { expiresAt: 7 }],
          ["scopes", { scopes: [] }],
          ["scopes[1]", { scopes: ["orders:read", "orders:write"] }],
        ] as const) {
          const answer = yield* manage(send, "POST", path, { name: "T", ...input })
          expectError(answer, 400, JSON.stringify(input))
          expect(problemPaths(answer)).toEqual([place])
        }
        expectError(yield* manage(send, "POST", path, { name: "T", expires: "2999-01-01T00:00:00Z" }), 422, "unknown")
        expect(yield* store.dump).toBe(before)
      }),
  )

  it.effect(
    "POST …/tokens MUST refuse an invalid name with 400; DELETE MUST answer 404 to another shop's token and keep it",
    () =>
      Effect.gen(function* () {
        const { send, store } = yield* TestHost
        const [shop, other] = [yield* newShop(send), yield* newShop(send)]
        const before = yield* store.dump
        for (const name of [undefined, null, "", 1, [], "a\0", "\ud83d", "x".repeat(256)]) {
          const answer = yield* manage(send, "POST", `/shops/${shop.id}/tokens`, { name })
          expectError(answer, 400, JSON.stringify(name))
          expect(problemPaths(answer)).toEqual(["name"])
        }
        expectError(yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${other.tokenId}`), 404, "of another shop")
        expect(yield* store.dump).toBe(before)
        expect((yield* read(send, other.token, "/orders")).status).toBe(200)
      }),
  )

  it.effect("MUST answer 404 to a malformed token id (NUL, odd characters, any length), never 500", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const id of [
        "nobodys",
        "a".repeat(256),
        "a".repeat(4000),
        "'",
        "%F0%9F%98%80",
        "%0A",
        "%7F",
        "%00",
        "tok_%00",
      ]) {
        expectError(yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${id}`), 404, id)
      }
    }),
  )

  it.effect("MUST refuse to create a token with 409 if the shop's plan is free (D8)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* manage(send, "PUT", `/shops/${shop.id}`, { ...shopInput, plan: "free" })
      const before = yield* store.dump
      expectError(yield* manage(send, "POST", `/shops/${shop.id}/tokens`, { name: "ERP" }), 409, "free")
      expect(yield* store.dump).toBe(before)
      // Everything else of a shop works without a plan, and its tokens can be seen and revoked.
      yield* newDesign(send, shop, "d-1")
      expect((yield* manage(send, "GET", `/shops/${shop.id}/tokens`)).status).toBe(200)
      expect((yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${shop.tokenId}`)).status).toBe(204)
    }),
  )

  it.effect("MUST read a body only as JSON, whatever its media type: 400 to broken JSON and no body", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      const before = yield* store.dump
      const authorization = `Bearer ${manageKey}`
      const post = (type: string | undefined, body: string | Uint8Array) =>
        send("POST", `/manage/v1/shops/${shop.id}/tokens`, {
          headers: { authorization, ...(type === undefined ? {} : { "content-type": type }) },
          body,
        })
      const fine = '{"name":"ERP"}'
      for (const body of [
        "",
        " ",
        "{",
        '{"name":"ERP"',
        '{"name":"ERP"}}',
        "{'name':'ERP'}",
        '{"name":"ERP",}',
        "\ufeff{}",
        "undefined",
        "NaN",
        '{"name":"a\u0001"}',
        '{"name":"\\x41"}',
        '{"name":01}',
      ]) {
        expectError(yield* post("application/json", body), 400, body)
      }
      expect(yield* store.dump).toBe(before)
      for (const type of [
        undefined,
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/merge-patch+json",
        "text/plain",
        "application/x-www-form-urlencoded",
      ]) {
        expect([type, (yield* post(type, fine)).status]).toEqual([type, 201])
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
