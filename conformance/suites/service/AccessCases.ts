import { Clock, Effect, Redacted } from "effect"
import { equal, holds } from "../Assertion.ts"
import { ask, bearer, isError, read, readPage } from "./Asking.ts"
import { isRefused, newShop, newToken, sell } from "./Filling.ts"
import { observed, otherObserved, someObjects } from "./Observing.ts"
import { shopInput } from "./Samples.ts"
import { Driver, driving, observing, RestApi } from "./ServiceCase.ts"

/** A well-formed token that no shop has. */
const unknownToken = "cmz_UtbT7scko0MKa9Wy4s8OSJE3vER9AkuRDqeB3z4Pg2n3mzM6b"

/** Paths that any token may request, existing or not. */
const paths = ["/orders", "/orders/1001", "/designs/d-1", "/customizers/101", "/nothing"]

const isUnauthorized = Effect.fnUntraced(function* (what: string, path: string, authorization: string | undefined) {
  const api = yield* RestApi
  const credential = authorization === undefined ? {} : { authorization: Redacted.make(authorization) }
  const answer = yield* api.send({ path, ...credential })
  yield* isError(what, answer, 401)
  yield* equal(`${what}: WWW-Authenticate`, answer.headers["www-authenticate"], "Bearer")
  return answer.text
})

/** The data that a token may read, and refusals of everything else. */
export const accessCases = [
  ...observing([
    {
      id: "access.missing",
      title: "MUST answer 401 to a missing and to an unknown token on every path, with the same bytes",
      requirements: ["§5-5", "§7-1", "§7-2", "D11", "D19"],
      run: Effect.gen(function* () {
        const missing = yield* isUnauthorized("no token", "/orders", undefined)
        for (const path of paths) {
          for (const authorization of [
            undefined,
            "Bearer",
            "Bearer ",
            `Bearer ${unknownToken}`,
            `Basic ${unknownToken}`,
          ]) {
            const what = `${path} with Authorization: ${authorization ?? "(none)"}`
            yield* equal(`${what}: body`, yield* isUnauthorized(what, path, authorization), missing)
          }
        }
      }),
    },
    {
      id: "access.altered",
      title: "MUST answer 401 to a token that is altered, sent under another scheme, or put into the URL",
      requirements: ["§5-2", "§5-5"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = Redacted.value(yield* observed)
        const other = token.endsWith("A") ? "B" : "A"
        for (const [what, authorization] of [
          ["its last character changed", `Bearer ${token.slice(0, -1)}${other}`],
          ["its last character missing", `Bearer ${token.slice(0, -1)}`],
          ["a character more", `Bearer ${token}x`],
          ["without its prefix", `Bearer ${token.slice(4)}`],
          ["in quotation marks", `Bearer "${token}"`],
          ["something behind it", `Bearer ${token} x`],
          ["without a scheme", token],
          ["another scheme", `Basic ${token}`],
          ["a scheme that starts the same way", `Bearerx ${token}`],
        ] as const) {
          yield* isUnauthorized(what, "/orders", authorization)
        }
        // The path is not part of the message, because it is not what is compared.
        yield* isUnauthorized("in the address", `/orders?access_token=${token}&token=${token}`, undefined)
      }),
    },
    {
      id: "access.scheme",
      title: "MUST accept the scheme in any case (RFC 9110 §11.1)",
      requirements: ["§5-2"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = Redacted.value(yield* observed)
        const api = yield* RestApi
        for (const scheme of ["Bearer", "bearer", "BEARER"]) {
          const authorization = Redacted.make(`${scheme} ${token}`)
          yield* equal(scheme, (yield* api.send({ path: "/orders?limit=1", authorization })).status, 200)
        }
      }),
    },
    {
      id: "access.secrets",
      title: "MUST NOT repeat a token in any answer, whatever is asked",
      requirements: ["§5-1"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const random = Redacted.value(token).slice(4, -6)
        const { customizer, design, order } = yield* someObjects(token)
        for (const [method, path] of [
          ...["/orders?limit=0", order, design, customizer, "/nothing"].map((path) => ["GET", path] as const),
          ["HEAD", order],
          ["POST", "/orders"],
          ["OPTIONS", order],
        ] as const) {
          const { headers, text } = yield* ask(token, path, { method })
          const shown = Object.entries({ ...headers, body: text }).find(([_, value]) => value?.includes(random))
          yield* holds(`${method} ${path}: ${shown?.[0] ?? "nothing"} does not hold the token`, shown === undefined)
        }
      }),
    },
    {
      id: "access.origins",
      title: "MUST NOT let pages of other origins read answers with the credentials of a browser",
      requirements: ["§5-2"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const [origin, method, path] of [
          ["https://elsewhere.example", "GET", "/orders?limit=1"],
          ["https://elsewhere.example", "OPTIONS", "/orders"],
          ["null", "GET", "/orders?limit=1"],
        ] as const) {
          const asked = { origin, "access-control-request-method": "GET" }
          const { headers } = yield* ask(token, path, { method, headers: asked })
          const allowed = headers["access-control-allow-origin"] ?? "(none)"
          const isOpen = headers["access-control-allow-credentials"] === "true" && ["*", origin].includes(allowed)
          yield* holds(`${method} ${path} from ${origin} allows ${allowed} no credentials`, !isOpen)
        }
      }),
    },
    {
      id: "access.other",
      title: "MUST answer 404 to objects of another shop, with the same bytes as for unknown objects",
      requirements: ["§5-3", "§7-3"],
      needs: ["token", "other"],
      run: Effect.gen(function* () {
        const mine = yield* observed
        const other = yield* otherObserved
        yield* holds("the two tokens are of two shops", Redacted.value(mine) !== Redacted.value(other))
        const { order } = yield* someObjects(other)
        const owners = yield* ask(other, order)
        yield* equal(`${order} with its own shop's token`, owners.status, 200)
        const stranger = yield* ask(mine, order)
        if (stranger.status === 200) {
          // Ids are per shop (D9): both may have an order with that id, but not the same order.
          return yield* holds(`${order} is another order in the other shop`, stranger.text !== owners.text)
        }
        yield* isError(`${order} with the token of another shop`, stranger, 404)
      }),
    },
  ]),
  ...driving([
    {
      id: "access.other.all",
      title:
        "MUST answer 404 to all kinds of objects of another shop, drafts included, with the same bytes as for unknown ones",
      requirements: ["§5-3", "§7-3"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const [mine, other] = [yield* newShop(), yield* newShop()]
        yield* sell(other, "1001", ["d-1"])
        yield* sell(other, "1002", ["d-2"])
        const input = {
          title: "T",
          platformProductId: "gid://shop/Product/7",
          assetBase: "https://assets.example.com/7/",
        }
        yield* driver.putCustomizer({ shop: other.id, id: 555, input })
        for (const [path, nobodys] of [
          ["/orders/1001", "/orders/nobodys"],
          ["/designs/d-1", "/designs/nobodys"],
          ["/customizers/555", "/customizers/556"],
        ] as const) {
          yield* read(other.token, path)
          const answer = yield* ask(mine.token, path)
          yield* isError(path, answer, 404)
          yield* equal(`${path}: body`, answer.text, (yield* ask(mine.token, nobodys)).text)
        }
        const { orders, total } = yield* readPage(mine.token)
        yield* equal("orders of the shop without orders", [orders.length, total], [0, 0])
      }),
    },
    {
      id: "access.apart",
      title: "MUST keep objects with the same ids in two shops separate",
      requirements: ["§5-3", "D9"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const [first, second] = [yield* newShop(), yield* newShop()]
        for (const [index, shop] of [first, second].entries()) {
          const input = {
            customizerId: 101,
            selection: { metal: "silver", size: "s54", engrave: "no" },
            basePrice: 100 + index,
          }
          yield* driver.putDesign({ shop: shop.id, id: "d-1", input })
          const lines = [{ designId: "d-1", lineItemId: "1" }]
          yield* driver.putOrder({
            shop: shop.id,
            id: "1001",
            input: { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines },
          })
        }
        yield* driver.cancelOrder({ shop: first.id, id: "1001" })
        for (const [shop, status, sum] of [
          [first, "cancelled", 100],
          [second, "ordered", 101],
        ] as const) {
          const order = yield* read(shop.token, "/orders/1001")
          yield* equal("status and total", [order["status"], order["total"]], [status, sum])
          yield* equal("number of orders", (yield* readPage(shop.token)).total, 1)
        }
      }),
    },
    {
      id: "access.revoked",
      title: "MUST refuse a revoked token within a second, and keep accepting the shop's others",
      requirements: ["§5-4", "D18"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        const second = yield* newToken(shop.id)
        for (const token of [shop.token, second.token])
          yield* equal("before", (yield* ask(token, "/orders")).status, 200)
        yield* driver.deleteToken({ shop: shop.id, id: shop.tokenId })
        const revokedAt = yield* Clock.currentTimeMillis
        // At once on the host that revoked it; the service may have others.
        const last = yield* Effect.repeat(
          Effect.gen(function* () {
            const asked = yield* Clock.currentTimeMillis
            const { status } = yield* ask(shop.token, "/orders")
            if (status !== 401) yield* Effect.sleep("50 millis")
            return { status, after: asked - revokedAt }
          }),
          { until: ({ after, status }) => status === 401 || after > 1_000 },
        )
        yield* equal("the revoked token, at most a second later", last.status, 401)
        yield* isError("the revoked token", yield* ask(shop.token, "/orders"), 401)
        yield* equal("the other token", (yield* ask(second.token, "/orders")).status, 200)
      }),
    },
    {
      id: "access.tokens",
      title: "MUST create tokens of `cmz_`, 43 base62 characters and a six-character checksum, each different",
      requirements: ["§5-1", "D18"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        const texts = new Set<string>()
        for (let index = 0; index < 10; index++) {
          const text = Redacted.value((yield* newToken(shop.id)).token)
          yield* holds(`a token has the form: ${text.length} characters`, /^cmz_[0-9A-Za-z]{49}$/.test(text))
          texts.add(text)
        }
        yield* equal("different tokens", texts.size, 10)
      }),
    },
    {
      id: "tokens.hundred",
      title: "MUST allow at most 100 tokens per shop, and one more after one was deleted",
      requirements: ["D56"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        for (let index = 1; index < 100; index++) yield* driver.createToken({ shop: shop.id })
        yield* isRefused("the 101st token", driver.createToken({ shop: shop.id }))
        yield* equal("another shop", (yield* ask((yield* newShop()).token, "/orders")).status, 200)
        yield* driver.deleteToken({ shop: shop.id, id: shop.tokenId })
        const { token } = yield* driver.createToken({ shop: shop.id })
        yield* equal("the token in place of another", (yield* ask(Redacted.make(token), "/orders")).status, 200)
        yield* isRefused("the 101st token again", driver.createToken({ shop: shop.id }))
      }),
    },
    {
      id: "access.plan",
      title: "MUST answer 403 outside the plans pro and plus, before everything but 401, and 200 on them",
      requirements: ["§1-6", "D8", "D11"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const api = yield* RestApi
        const shop = yield* newShop()
        const authorization = bearer(shop.token)
        for (const [plan, status] of [
          ["free", 403],
          ["plus", 200],
          ["free", 403],
          ["pro", 200],
        ] as const) {
          yield* driver.putShop({ shop: shop.id, input: { ...shopInput, plan } })
          // No bound says how soon every host knows.
          yield* Effect.repeat(Effect.delay(ask(shop.token, "/orders"), plan === "pro" ? 0 : 50), {
            until: (answer) => answer.status === status,
            times: 60,
          })
          yield* equal(`the plan ${plan}`, (yield* ask(shop.token, "/orders")).status, status)
          if (status === 200) continue
          for (const [method, path] of [
            ["GET", "/orders?limit=0"],
            ["GET", "/nothing"],
            ["POST", "/orders"],
            ["GET", "/orders/nobodys"],
          ] as const) {
            yield* isError(`${method} ${path}`, yield* api.send({ method, path, authorization }), 403)
          }
        }
      }),
    },
  ]),
]
