import { Effect, Redacted } from "effect"
import { equal } from "../Assertion.ts"
import { ask, bearer, bodyOf, isError, objectOf, read } from "./Asking.ts"
import { lineOf, newShop, newToken, saveDesign, sell, someTime } from "./Filling.ts"
import { observed, someObjects } from "./Observing.ts"
import { Driver, driving, observing, RestApi } from "./ServiceCase.ts"

/** Every character that a path segment may contain unencoded (RFC 3986 §3.3). */
const segmentCharacters = `-._~!$&'()*+,;=:@`

const utf8 = new TextEncoder()

/** A text with every byte percent-encoded. */
const encoded = (text: string): string =>
  [...utf8.encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

/** Encodings of an id in a path. */
const spellings = (id: string): ReadonlyArray<string> => {
  const least = [...id].map((character) =>
    /[A-Za-z0-9]/.test(character) || segmentCharacters.includes(character) ? character : encoded(character),
  )
  return [least.join(""), encoded(id), encoded(id).toUpperCase()]
}

const oddIds = [
  ...["a/b", "/", "//", "100%", "%2F", "%252F", "a b", "+", "?", "#", "a?b=c#d", ":id", "*", "'", '"', "\\"],
  ...["gid://shop/Order/1001", "__proto__", "constructor", "é", "e\u0301", "\u2028", "😀", "null", "orders"],
  ...["a;b=c,d;e", ";", "x;y/z", "%3B", "a#b", "..;", "€;é"],
  ...["a".repeat(255), "😀".repeat(255)],
  ...[...segmentCharacters].map((character) => `a${character}b`),
]

/** Addresses, and ids in them. */
export const routeCases = [
  ...observing([
    {
      id: "routes.unknown",
      title: "MUST answer 404 with an error to unknown addresses",
      requirements: ["D11", "§7-1"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const path of [
          "/nothing",
          "/orders/1/designs",
          "/designs",
          "/customizers",
          "/orders/",
          "/designs/",
          "/Orders",
        ]) {
          yield* isError(path, yield* ask(token, path), 404)
        }
      }),
    },
    {
      id: "routes.prefix",
      title: "MUST NOT answer below its base address with a letter percent-encoded, which a guard in front would miss",
      requirements: ["D15"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { base } = yield* RestApi
        const { pathname } = new URL(base)
        yield* equal("the base address as it is", (yield* ask(token, "/orders")).status, 200)
        for (const letter of new Set(pathname.match(/[a-z]/gi))) {
          const prefix = pathname.replace(letter, encoded(letter))
          yield* equal(prefix, (yield* ask(token, "/orders", { prefix })).status, 404)
        }
      }),
    },
    {
      id: "routes.methods",
      title: "MUST answer 405 with Allow to other methods on an address of the API, and change nothing",
      requirements: ["§1-3", "§4-1", "D11"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { order } = yield* someObjects(token)
        const before = (yield* ask(token, order)).text
        for (const [method, path] of [
          ["POST", "/orders"],
          ["PUT", order],
          ["DELETE", order],
          ["PATCH", "/designs/d-1"],
          ["OPTIONS", "/customizers/101"],
        ] as const) {
          const answer = yield* ask(token, path, { method, ...(method === "POST" ? { body: "{}" } : {}) })
          yield* isError(`${method} ${path}`, answer, 405)
          const allowed = (answer.headers["allow"] ?? "").split(",").map((name) => name.trim())
          yield* equal(`${method} ${path}: Allow`, allowed.toSorted().join(", "), "GET, HEAD")
        }
        yield* equal("the order afterwards", (yield* ask(token, order)).text, before)
      }),
    },
    {
      id: "routes.version",
      title: "MUST answer 400 to a request for another X-Api-Version, and send 2026-10 with every response",
      requirements: ["§9-1", "D19"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const asked of ["2026-09", "latest", "2026-1", ""]) {
          const answer = yield* ask(token, "/orders?limit=1", { headers: { "x-api-version": asked } })
          yield* isError(`X-Api-Version: ${asked}`, answer, 400)
        }
        const right = yield* ask(token, "/orders?limit=1", { headers: { "x-api-version": "2026-10" } })
        yield* equal("2026-10", [right.status, right.headers["x-api-version"]], [200, "2026-10"])
        const none = yield* ask(token, "/orders?limit=1")
        yield* equal("nothing asked for", [none.status, none.headers["x-api-version"]], [200, "2026-10"])
      }),
    },
    {
      id: "routes.customizers",
      title: "MUST answer 404 to a customizer id that is not a positive safe integer",
      requirements: ["D15"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const id of ["0", "-1", "01", "1.0", "1e2", "abc", "9007199254740992", "1".repeat(300)]) {
          yield* isError(id, yield* ask(token, `/customizers/${id}`), 404)
        }
      }),
    },
    {
      id: "routes.ids",
      title: "MUST answer 404 to impossible ids, and to invalid escapes",
      requirements: ["D9", "D15"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const id of ["%00", "%0A", "%FF", "%ED%A0%80", "%", "%zz", "a".repeat(256), "x".repeat(5_000)]) {
          yield* isError(`/designs/${id.slice(0, 20)}`, yield* ask(token, `/designs/${id}`), 404)
        }
      }),
    },
    {
      id: "routes.checks",
      title: "MUST answer 404 for an unknown address and 405 before 400, and 400 before 404 for an object",
      requirements: ["D11"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const headers = { "x-api-version": "1999-01" }
        for (const [method, path, status] of [
          ["GET", "/nothing?limit=0", 404],
          ["POST", "/orders?limit=0", 405],
          ["GET", "/orders/nobodys-order", 400],
          ["GET", "/designs/nobodys-design", 400],
          ["GET", "/customizers/x", 400],
        ] as const) {
          yield* isError(`${method} ${path}`, yield* ask(token, path, { method, headers }), status)
        }
      }),
    },
  ]),
  ...driving([
    {
      id: "routes.ids.any",
      title: "MUST find objects by ids of any characters, including `%2F` and `;`, in any percent-encoding",
      requirements: ["D9", "D15"],
      timeoutMs: 180_000,
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        for (const [index, id] of oddIds.entries()) {
          const selection = { metal: "silver", size: "s54", engrave: "no" }
          yield* driver.putDesign({ shop: shop.id, id, input: { customizerId: 101, selection, basePrice: index } })
          yield* driver.putOrder({ shop: shop.id, id, input: { name: "#1", orderedAt: someTime, lines: [lineOf(id)] } })
        }
        let token = shop.token
        for (const [index, id] of oddIds.entries()) {
          // Too many reads for one token.
          if (index % 15 === 14) token = (yield* newToken(shop.id)).token
          for (const spelling of spellings(id)) {
            const order = yield* bodyOf(`/orders/${spelling}`, yield* ask(token, `/orders/${spelling}`))
            yield* equal(`/orders/${spelling}`, [order["id"], order["total"]], [id, index])
            const design = yield* bodyOf(`/designs/${spelling}`, yield* ask(token, `/designs/${spelling}`))
            const price = yield* objectOf("price", design["price"])
            yield* equal(`/designs/${spelling}`, [design["id"], price["base"]], [id, index])
          }
        }
      }),
    },
    {
      id: "routes.ids.part",
      title: "MUST NOT use part of a segment as the id, such as the text before `;`, or ignore case",
      requirements: ["D9", "D15"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* saveDesign(shop, "x")
        for (const path of [
          "/designs/x;y",
          "/designs/x;",
          "/designs/x%23y",
          "/designs/X",
          "/designs/x%2F",
          "/designs/x%20",
        ]) {
          yield* isError(path, yield* ask(shop.token, path), 404)
        }
        yield* equal("with a query", (yield* read(shop.token, "/designs/x?y;z"))["id"], "x")
      }),
    },
    {
      id: "routes.head.unknown",
      title: "MUST answer HEAD like GET without a body, including 401, 404 and 400",
      requirements: ["D17", "D11"],
      run: Effect.gen(function* () {
        const api = yield* RestApi
        const shop = yield* newShop()
        yield* sell(shop, "1", ["d"])
        for (const path of [
          "/orders",
          "/orders/1",
          "/designs/d",
          "/customizers/101",
          "/nothing",
          "/orders?limit=0",
          "/orders/2",
        ]) {
          for (const authorization of [bearer(shop.token), Redacted.make("Bearer nobodys")]) {
            const got = yield* api.send({ path, authorization })
            const head = yield* api.send({ method: "HEAD", path, authorization })
            yield* equal(`HEAD ${path}`, [head.status, head.text], [got.status, ""])
            yield* equal(`HEAD ${path}: Content-Type`, head.headers["content-type"], got.headers["content-type"])
          }
        }
      }),
    },
  ]),
]
