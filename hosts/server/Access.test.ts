/** Who may read what, and how refusals look: §5, §7, §9 and the decisions D8, D9, D11, D15, D18, D19. */
import { createHash } from "node:crypto"
import { describe, expect, it as plain } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { embedded } from "../../conformance/worlds/Embedded.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  newToken,
  onHosts,
  postgres,
  read,
  routed,
  shopSettings,
  TestHost,
  waysIn,
} from "../../conformance/worlds/TestHost.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { isWellFormed } from "../../core/rules/TokenFormat.ts"

/** Exactly `{"message": string}`, as JSON, with the version. */
const expectError = (answer: Answer, status: number, what: string) => {
  expect([what, answer.status, answer.headers["content-type"], answer.headers["x-api-version"]]).toEqual([
    what,
    status,
    "application/json",
    "2026-10",
  ])
  expect([what, Object.keys(answer.json as Json)]).toEqual([what, ["message"]])
  expect(typeof (answer.json as Json)["message"]).toBe("string")
  expect((answer.json as Json)["message"]).not.toBe("")
}

const paths = ["/orders", "/orders/1001", "/designs/d-1", "/customizers/101"]

/** A token that no shop has, well-formed. */
const unknownToken = "cmz_UtbT7scko0MKa9Wy4s8OSJE3vER9AkuRDqeB3z4Pg2n3mzM6b"

onHosts("Access", [memory, routed, embedded, postgres], (it) => {
  it.effect(
    "MUST answer 401, the same bytes, to a missing, malformed, unknown and revoked token on every path (§5, §7, D11)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        expect(isWellFormed(unknownToken)).toBe(true)
        const shop = yield* newShop(send)
        const gone = yield* newToken(send, shop.id)
        yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${gone.tokenId}`)
        const typo = `${shop.token.slice(0, -1)}${shop.token.endsWith("A") ? "B" : "A"}`
        const missing = yield* send("GET", "/api/v1/orders")
        for (const path of [...paths, "/nothing", "", "/", "/orders/"]) {
          for (const authorization of [
            undefined,
            ...["", "Bearer", "Bearer ", `Bearer ${unknownToken}`, `Bearer ${gone.token}`, `Bearer ${typo}`],
            ...[
              shop.token,
              `Basic ${shop.token}`,
              `Bearerx ${shop.token}`,
              `Bearer ${shop.token} x`,
              `Bearer "${shop.token}"`,
            ],
            ...[`Bearer ${shop.token.toUpperCase()}`, `Bearer ${shop.token.slice(4)}`, `Token ${shop.token}`],
          ]) {
            const answer = yield* send(
              "GET",
              `/api/v1${path}`,
              authorization === undefined ? {} : { headers: { authorization } },
            )
            expectError(answer, 401, `${path} with ${authorization}`)
            expect(answer.text).toBe(missing.text)
            expect(answer.headers["www-authenticate"]).toBe("Bearer")
            expect(answer.headers["ratelimit"]).toBeUndefined()
          }
        }
        // A token in the address is no token.
        expectError(yield* send("GET", `/api/v1/orders?access_token=${shop.token}&token=${shop.token}`), 401, "query")
      }),
  )

  it.effect("MUST take the scheme in any case (§5, RFC 9110 §11.1)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const scheme of ["Bearer", "bearer", "BEARER"]) {
        const answer = yield* send("GET", "/api/v1/orders", { headers: { authorization: `${scheme} ${shop.token}` } })
        expect(answer.status).toBe(200)
      }
    }),
  )

  it.effect("MUST NOT take the manage key for a token, nor a token for the manage key (§5)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      expectError(yield* read(send, "test-manage-key-0123456789", "/orders"), 401, "the manage key")
      const answer = yield* send("GET", "/manage/v1/shops", { headers: { authorization: `Bearer ${shop.token}` } })
      expect(answer.status).toBe(401)
    }),
  )

  it.effect("MUST answer 404 to objects of another shop, the same bytes as for what nobody has (§5, §7)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [mine, other] = [yield* newShop(send), yield* newShop(send)]
      yield* newDesign(send, other, "d-1")
      yield* newDesign(send, other, "draft")
      yield* newOrder(send, other, "1001", ["d-1"])
      yield* manage(send, "PUT", `/shops/${other.id}/customizers/555`, {
        title: "T",
        platformProductId: "gid://shop/Product/7",
        assetBase: "https://assets.example.com/7/",
      })
      for (const [path, nobodys] of [
        ["/orders/1001", "/orders/nobodys"],
        ["/designs/d-1", "/designs/nobodys"],
        ["/designs/draft", "/designs/nobodys"],
        ["/customizers/555", "/customizers/556"],
      ] as const) {
        expect((yield* read(send, other.token, path)).status).toBe(200)
        const answer = yield* read(send, mine.token, path)
        expectError(answer, 404, path)
        expect(answer.text).toBe((yield* read(send, mine.token, nobodys)).text)
      }
    }),
  )

  it.effect("MUST keep apart objects of two shops that have the same ids (D9)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shops = [yield* newShop(send), yield* newShop(send)]
      for (const [index, shop] of shops.entries()) {
        yield* newDesign(send, shop, "d-1", { basePrice: 100 + index })
        yield* newOrder(send, shop, "1001", ["d-1"])
      }
      for (const [index, shop] of shops.entries()) {
        expect(yield* bodyOf(200, yield* read(send, shop.token, "/orders/1001"))).toMatchObject({ total: 100 + index })
        const page = yield* bodyOf(200, yield* read(send, shop.token, "/orders"))
        expect(page["pagination"]).toMatchObject({ total: 1 })
      }
      yield* manage(send, "POST", `/shops/${shops[0]?.id}/orders/1001/cancel`)
      expect(yield* bodyOf(200, yield* read(send, shops[1]?.token ?? "", "/orders/1001"))).toMatchObject({
        status: "ordered",
      })
    }),
  )

  it.effect("MUST find objects by ids of any characters, %2F among them, in any percent-encoding (D9, D15)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const ids = [
        ...[
          "a/b",
          "/",
          "//",
          ".",
          "..",
          "100%",
          "%2F",
          "%252F",
          "a b",
          " ",
          "+",
          "?",
          "#",
          "a?b=c#d",
          ":id",
          "*",
          "'",
          '"',
          "\\",
        ],
        ...[
          "gid://shop/Order/1001",
          "__proto__",
          "constructor",
          "é",
          "e\u0301",
          "\u2028",
          "\u00a0",
          "😀",
          "null",
          "orders",
        ],
        ...["a".repeat(255), "€".repeat(255), "😀".repeat(255)],
      ]
      for (const [index, id] of ids.entries()) {
        yield* newDesign(send, shop, id, { basePrice: index })
        yield* newOrder(send, shop, id, [id])
      }
      for (const [index, id] of ids.entries()) {
        const everyByte = [...Buffer.from(id)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
        for (const encoded of [encodeURIComponent(id), everyByte, everyByte.toUpperCase()]) {
          const order = yield* bodyOf(200, yield* read(send, shop.token, `/orders/${encoded}`))
          expect([order["id"], order["total"]]).toEqual([id, index])
        }
      }
    }),
  )

  it.effect(
    "MUST answer 404 to ids that nothing can have, and to a customizer id that is no positive safe integer (D9, D15)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        for (const path of [
          ...["0", "-1", "01", "1.0", "1e2", "101.0", "+101", "%20101", "101%20", "0x65", "１０１", "abc", "NaN"].map(
            (id) => `/customizers/${encodeURI(decodeURI(id))}`,
          ),
          ...["9007199254740992", "9007199254740993", "99999999999999999999999", "1".repeat(300)].map(
            (id) => `/customizers/${id}`,
          ),
          ...["orders", "designs", "customizers"].flatMap((kind) =>
            [
              "%00",
              "%0A",
              "%7F",
              "%C2%80",
              "%FF",
              "%ED%A0%80",
              "%E0%A4%A",
              "%",
              "%zz",
              "a".repeat(256),
              "%F0%9F%98%80".repeat(256),
            ].map((id) => `/${kind}/${id}`),
          ),
          ...[
            "/orders/a/b",
            "/designs",
            "/designs/",
            "/customizers",
            "/orders/",
            "//orders",
            "/Orders",
            "/ORDERS",
            "/orders/1/",
            "",
            "/",
          ],
          ...[
            "/orders/1/designs",
            "/nothing",
            "/../v1/orders",
            "/%6Frders/x/y",
            "/designs/a".repeat(3),
            `/designs/${"a".repeat(5000)}`,
          ],
        ]) {
          expectError(yield* read(send, shop.token, path), 404, path)
        }
        expect((yield* read(send, shop.token, "/customizers/101")).status).toBe(200)
      }),
  )

  it.effect("MUST answer 405 with Allow to every other method on a path of the API, and change nothing (D11)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* newDesign(send, shop, "d-1")
      yield* newOrder(send, shop, "1001", ["d-1"])
      const before = (yield* read(send, shop.token, "/orders/1001")).text
      for (const path of paths) {
        for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
          const headers = { authorization: `Bearer ${shop.token}` }
          const answer = yield* send(method, `/api/v1${path}`, {
            headers,
            ...(method === "POST" ? { body: "{}" } : {}),
          })
          expectError(answer, 405, `${method} ${path}`)
          expect(answer.headers["allow"]).toBe("GET, HEAD")
        }
      }
      expect((yield* read(send, shop.token, "/orders/1001")).text).toBe(before)
    }),
  )

  it.effect("MUST answer HEAD on an unknown path with 404 and without a body (D11, D17)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const answer = yield* send("HEAD", "/api/v1/nothing", { headers: { authorization: `Bearer ${shop.token}` } })
      expect([answer.status, answer.text]).toEqual([404, ""])
    }),
  )

  it.effect("MUST answer 400 to another X-Api-Version, and 2026-10 on every answer (§9, D19)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const path of ["/orders", "/orders/1", "/designs/1", "/customizers/101"]) {
        for (const asked of ["2026-09", "2027-01", "latest", "v1", "", "2026-10, 2026-10", "2026-1"]) {
          const answer = yield* read(send, shop.token, path, { "x-api-version": asked })
          expectError(answer, 400, `${path} ${asked}`)
          expect((answer.json as Json)["message"]).toContain("X-Api-Version")
        }
      }
      for (const path of ["/orders", "/customizers/101"]) {
        const answer = yield* read(send, shop.token, path, { "x-api-version": "2026-10" })
        expect([answer.status, answer.headers["x-api-version"]]).toEqual([200, "2026-10"])
      }
    }),
  )

  it.effect("MUST answer what is outside the REST API without token and without its headers (README: Try it)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      for (const path of ["/", "/api", "/api/v2/orders", "/api/v1x/orders", "/nothing", "/orders"]) {
        const answer = yield* send("GET", path)
        expect([path, answer.status, answer.json]).toEqual([path, 404, { message: "There is nothing at this address" }])
        expect(answer.headers["x-api-version"]).toBeUndefined()
      }
      for (const path of ["/livez", "/readyz"]) {
        const answer = yield* send("GET", path)
        expect([path, answer.status, answer.headers["ratelimit"]]).toEqual([path, 200, undefined])
      }
    }),
  )

  it.effect("MUST make tokens of cmz_, 43 base62 characters and a checksum of six, each different (§5, D18)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const tokens = new Set<string>()
      for (let index = 0; index < 20; index++) {
        const { token } = yield* newToken(send, shop.id)
        expect(token).toMatch(/^cmz_[0-9A-Za-z]{49}$/)
        expect(isWellFormed(token)).toBe(true)
        tokens.add(token)
      }
      expect(tokens.size).toBe(20)
    }),
  )

  it.effect("MUST keep no token's text anywhere, only its SHA-256 (D18)", () =>
    Effect.gen(function* () {
      const { send, store } = yield* TestHost
      const shop = yield* newShop(send)
      yield* read(send, shop.token, "/orders")
      const kept = yield* store.dump
      expect(kept).not.toContain(shop.token)
      expect(kept).not.toContain(shop.token.slice(4))
      // The random part and the checksum by themselves.
      expect(kept).not.toContain(shop.token.slice(4, 47))
      expect(kept).toContain(createHash("sha256").update(shop.token).digest("hex"))
    }),
  )

  it.effect("MUST show a token's hint, its creation and its last use, and never its text (§5, D18)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const path = `/shops/${shop.id}/tokens`
      const list = Effect.map(
        manage(send, "GET", path),
        (answer) => (answer.json as { data: ReadonlyArray<Json> }).data,
      )
      const [unused] = yield* list
      expect(unused).toMatchObject({ id: shop.tokenId, hint: shop.token.slice(-4), lastUsedAt: null })
      const before = Date.now()
      yield* read(send, shop.token, "/orders")
      // The use is recorded beside the answer, not before it.
      let [used] = yield* list
      for (let tries = 0; tries < 200 && used?.["lastUsedAt"] === null; tries++) [used] = yield* list
      expect(Date.parse(String(used?.["lastUsedAt"]))).toBeGreaterThanOrEqual(before)
      expect(used?.["lastUsedAt"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
    }),
  )

  it.effect(
    "MUST refuse a token at once on the host that revoked it, and leave the shop's others alone (§5, D18)",
    () =>
      Effect.gen(function* () {
        const { send } = yield* TestHost
        const shop = yield* newShop(send)
        const second = yield* newToken(send, shop.id)
        expect((yield* read(send, shop.token, "/orders")).status).toBe(200)
        expect((yield* read(send, second.token, "/orders")).status).toBe(200)
        const revoked = yield* manage(send, "DELETE", `/shops/${shop.id}/tokens/${shop.tokenId}`)
        expect([revoked.status, revoked.text]).toEqual([204, ""])
        expectError(yield* read(send, shop.token, "/orders"), 401, "revoked")
        expect((yield* read(send, second.token, "/orders")).status).toBe(200)
      }),
  )
})

describe.each(waysIn)("The order of checks (D11)%s", (_, host) => {
  /** A shop on the free plan whose token was made before, and hosts on virtual time. */
  const prepared = Effect.gen(function* () {
    const { ports } = yield* memory.open
    const send = yield* host(ports)
    const shop = yield* newShop(send)
    // Seen at once on the host that changes it, whatever it believes of a token.
    const plan = (plan: string) => manage(send, "PUT", `/shops/${shop.id}`, { ...shopSettings, plan })
    const exhaust = Effect.gen(function* () {
      for (let index = 0; index < 120; index++) yield* read(send, shop.token, "/orders")
    })
    return { send, shop, plan, exhaust }
  })

  const wrong = { "x-api-version": "1999-01" }

  plain.effect("MUST tell 401 before 403, 429, 404, 405 and 400", () =>
    Effect.gen(function* () {
      const { exhaust, plan, send, shop } = yield* prepared
      yield* exhaust
      yield* plan("free")
      const bad = `${shop.token.slice(0, -1)}!`
      for (const [method, path] of [
        ["GET", "/orders?limit=0"],
        ["GET", "/nothing"],
        ["POST", "/orders"],
        ["GET", "/orders/nobodys"],
      ] as const) {
        const answer = yield* send(method, `/api/v1${path}`, { headers: { authorization: `Bearer ${bad}`, ...wrong } })
        expectError(answer, 401, path)
      }
    }),
  )

  plain.effect("MUST tell 403 before 429, 404, 405 and 400, and count nothing (D8, D16)", () =>
    Effect.gen(function* () {
      const { exhaust, plan, send, shop } = yield* prepared
      yield* exhaust
      expectError(yield* read(send, shop.token, "/orders"), 429, "exhausted")
      yield* plan("free")
      for (const [method, path] of [
        ["GET", "/orders"],
        ["GET", "/orders?limit=0"],
        ["GET", "/nothing"],
        ["POST", "/orders"],
        ["GET", "/orders/nobodys"],
      ] as const) {
        const headers = { authorization: `Bearer ${shop.token}`, ...wrong }
        expectError(yield* send(method, `/api/v1${path}`, { headers }), 403, path)
      }
      yield* TestClock.adjust("60 seconds")
      for (let index = 0; index < 130; index++) yield* read(send, shop.token, "/orders")
      yield* plan("plus")
      expect((yield* read(send, shop.token, "/orders")).headers["ratelimit"]).toBe('"default";r=119;t=60')
    }),
  )

  plain.effect("MUST tell 429 before 404, 405 and 400 (D16)", () =>
    Effect.gen(function* () {
      const { exhaust, send, shop } = yield* prepared
      yield* exhaust
      for (const [method, path] of [
        ["GET", "/orders?limit=0"],
        ["GET", "/nothing"],
        ["POST", "/orders"],
        ["GET", "/orders/nobodys"],
        ["GET", "/customizers/x"],
      ] as const) {
        const headers = { authorization: `Bearer ${shop.token}`, ...wrong }
        expectError(yield* send(method, `/api/v1${path}`, { headers }), 429, path)
      }
    }),
  )

  plain.effect("MUST tell 404 for an unknown route and 405 before 400, and 400 before 404 for an object", () =>
    Effect.gen(function* () {
      const { send, shop } = yield* prepared
      expectError(yield* read(send, shop.token, "/nothing?limit=0", wrong), 404, "unknown route")
      const headers = { authorization: `Bearer ${shop.token}`, ...wrong }
      expectError(yield* send("POST", "/api/v1/orders?limit=0", { headers }), 405, "wrong method")
      expectError(yield* read(send, shop.token, "/orders/nobodys", wrong), 400, "missing order")
      expectError(yield* read(send, shop.token, "/designs/nobodys", wrong), 400, "missing design")
      expectError(yield* read(send, shop.token, "/customizers/x", wrong), 400, "missing customizer")
    }),
  )

  plain.effect("MUST answer 403 off the plans pro and plus, and 200 on them (§1, D8)", () =>
    Effect.gen(function* () {
      const { plan, send, shop } = yield* prepared
      for (const [name, status] of [
        ["pro", 200],
        ["free", 403],
        ["plus", 200],
        ["free", 403],
        ["pro", 200],
      ] as const) {
        yield* plan(name)
        const answer = yield* read(send, shop.token, "/orders")
        expect([name, answer.status]).toEqual([name, status])
        if (status === 403) expectError(answer, 403, name)
      }
    }),
  )
})

describe.each(waysIn)("Trouble of our own%s", (_, host) => {
  plain.effect("MUST tell nothing about the inside in an answer of the 500 class (D11)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const secret = "password=hunter2 at 10.0.0.5"
      const broken = (failure: Effect.Effect<never, StorageError>) =>
        Layer.effectContext(
          Effect.map(Layer.build(ports), (context) =>
            Context.add(context, OrderStore, {
              ...Context.get(context, OrderStore),
              readDesign: () => failure,
              readOrders: () => failure,
            }),
          ),
        )
      for (const [status, failure] of [
        [503, Effect.fail(new StorageError({ message: secret, cause: new Error(secret), isRetryable: true }))],
        [500, Effect.die(new Error(secret))],
        [500, Effect.sync(() => JSON.parse(`{"${secret}`) as never)],
      ] as const) {
        const send = yield* host(broken(failure))
        const shop = yield* newShop(send)
        for (const path of ["/orders", "/designs/d-1"]) {
          const answer = yield* read(send, shop.token, path)
          expectError(answer, status, path)
          expect(JSON.stringify([answer.text, answer.headers])).not.toContain("hunter2")
          expect(answer.text).not.toMatch(/Error|at .*\.ts|StorageError/)
          // It was accepted, so it counts and says so.
          expect(answer.headers["ratelimit-policy"]).toBe('"default";q=120;w=60')
        }
      }
    }),
  )
})
