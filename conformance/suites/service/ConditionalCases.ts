import { Effect, type Redacted } from "effect"
import { equal, holds } from "../Assertion.ts"
import { ask } from "./Asking.ts"
import { newShop, newToken, placeOrder, publishVector, saveDesign, sell } from "./Filling.ts"
import { observed, someObjects } from "./Observing.ts"
import { ring } from "./Samples.ts"
import { Driver, driving, observing, type RestAnswer } from "./ServiceCase.ts"

/** Values of a list header, in any order and case. */
const listed = (header: string | undefined): string =>
  (header ?? "")
    .split(",")
    .map((value) => value.trim().toLowerCase())
    .toSorted()
    .join(", ")

/** Checks the caching headers of a successful response, and returns the tag. */
const cacheable = Effect.fnUntraced(function* (what: string, { headers, status }: RestAnswer) {
  yield* equal(`${what}: status`, status, 200)
  const etag = headers["etag"] ?? "(none)"
  yield* holds(`${what}: ETag is strong: ${etag}`, /^"[\x21\x23-\x7e]+"$/.test(etag))
  yield* equal(`${what}: Cache-Control`, listed(headers["cache-control"]), "no-cache, private")
  yield* equal(`${what}: Vary`, listed(headers["vary"]), "accept-encoding, authorization")
  return etag
})

/** Paths of the shop's objects of every kind. */
const pathsOf = Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
  const { customizer, design, order } = yield* someObjects(token)
  return ["/orders?limit=1", order, design, customizer]
})

/** Conditional requests: D17. */
export const conditionalCases = [
  ...observing([
    {
      id: "conditional.headers",
      title: "MUST send a strong ETag, Cache-Control and Vary with every object, with different tags",
      requirements: ["D17"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const tags: Array<string> = []
        const paths = yield* pathsOf(token)
        for (const path of paths) tags.push(yield* cacheable(path, yield* ask(token, path)))
        yield* equal("different tags", new Set(tags).size, paths.length)
      }),
    },
    {
      id: "conditional.match",
      title:
        "MUST answer 304 without a body and with the same caching headers to If-None-Match with the tag, otherwise 200",
      requirements: ["D17"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const path of yield* pathsOf(token)) {
          const whole = yield* ask(token, path)
          const etag = yield* cacheable(path, whole)
          for (const match of [etag, `"x", ${etag}`]) {
            const answer = yield* ask(token, path, { headers: { "if-none-match": match } })
            yield* equal(`${path} with If-None-Match: ${match}`, [answer.status, answer.text], [304, ""])
            for (const name of ["etag", "cache-control", "vary", "x-api-version"]) {
              yield* equal(`${path}, 304: ${name}`, answer.headers[name], whole.headers[name])
            }
          }
          const other = yield* ask(token, path, { headers: { "if-none-match": `"x${etag.slice(1)}` } })
          yield* equal(`${path} with another tag`, [other.status, other.text], [200, whole.text])
        }
      }),
    },
    {
      id: "conditional.head",
      title: "MUST answer HEAD with the headers of GET and no body, including 304",
      requirements: ["D17"],
      needs: ["token"],
      run: Effect.gen(function* () {
        const token = yield* observed
        for (const path of yield* pathsOf(token)) {
          const got = yield* ask(token, path)
          const head = yield* ask(token, path, { method: "HEAD" })
          yield* equal(`HEAD ${path}`, [head.status, head.text], [200, ""])
          for (const name of ["content-type", "etag", "cache-control", "vary", "link", "x-api-version"]) {
            yield* equal(`HEAD ${path}: ${name}`, head.headers[name], got.headers[name])
          }
          const known = yield* ask(token, path, {
            method: "HEAD",
            headers: { "if-none-match": got.headers["etag"] ?? "" },
          })
          yield* equal(`HEAD ${path} with its tag`, [known.status, known.text], [304, ""])
        }
      }),
    },
    {
      id: "conditional.end",
      title: "MUST end 304 and answers to HEAD at their headers: bytes behind them would begin the next answer",
      requirements: ["D17"],
      needs: ["token", "connection"],
      run: Effect.gen(function* () {
        const token = yield* observed
        const { order } = yield* someObjects(token)
        for (const path of ["/orders?limit=1", order]) {
          const { headers } = yield* ask(token, path, { raw: true })
          const known = { "if-none-match": headers["etag"] ?? "" }
          for (const [method, sent, status] of [
            ["GET", known, 304],
            ["HEAD", known, 304],
            ["HEAD", {}, 200],
          ] as const) {
            const answer = yield* ask(token, path, { method, headers: sent, raw: true })
            yield* equal(`${method} ${path}: status and bytes behind it`, [answer.status, answer.text], [status, ""])
          }
        }
      }),
    },
  ]),
  ...driving([
    {
      id: "conditional.forms",
      title: "MUST accept every form of If-None-Match, and ignore invalid tags",
      requirements: ["D17"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sell(shop, "o-1", ["d-1"])
        for (const path of ["/orders?limit=1", "/designs/d-1"]) {
          const whole = yield* ask(shop.token, path)
          const etag = yield* cacheable(path, whole)
          for (const match of [`"x",${etag} , "y"`, ` ${etag}`, `W/${etag}`, `W/"x", W/${etag}`, "*"]) {
            const { status } = yield* ask(shop.token, path, { headers: { "if-none-match": match } })
            yield* equal(`${path} with If-None-Match: ${match}`, status, 304)
          }
          for (const match of [etag.slice(1, -1), `${etag}x`, "", '"x"', 'W/"x"']) {
            const { status, text } = yield* ask(shop.token, path, { headers: { "if-none-match": match } })
            yield* equal(`${path} with If-None-Match: ${match}`, [status, text], [200, whole.text])
          }
        }
      }),
    },
    {
      id: "conditional.tokens",
      title: "MUST give the same ETag to every token of the shop",
      requirements: ["D17"],
      run: Effect.gen(function* () {
        const shop = yield* newShop()
        yield* sell(shop, "o-1", ["d-1"])
        const { token } = yield* newToken(shop.id)
        for (const path of ["/orders", "/orders/o-1", "/designs/d-1", "/customizers/101"]) {
          const [one, other] = [yield* ask(shop.token, path), yield* ask(token, path)]
          yield* equal(`${path}: ETag`, other.headers["etag"], one.headers["etag"])
        }
      }),
    },
    {
      id: "conditional.changes",
      title: "MUST change the ETag exactly when the bytes change",
      requirements: ["D17"],
      run: Effect.gen(function* () {
        const driver = yield* Driver
        const shop = yield* newShop()
        for (const index of [1, 2]) yield* sell(shop, `o-${index}`, [`d-${index}`], `2026-10-05T14:48:0${index}Z`)
        yield* saveDesign(shop, "draft")
        const paths = [
          ...["/orders?limit=1", "/orders/o-1", "/designs/d-1", "/designs/draft", "/customizers/101"],
          ...["/orders", "/orders/o-2"],
        ]
        const states = Effect.forEach(paths, (path) =>
          Effect.map(ask(shop.token, path), ({ headers, text }) => ({ path, etag: headers["etag"], text })),
        )
        let before = yield* states
        for (const [what, change, changed] of [
          ["a draft saved again", saveDesign(shop, "draft", { basePrice: 1 }), "/designs/draft"],
          ["the same again", saveDesign(shop, "draft", { basePrice: 1 }), ""],
          ["a version published", publishVector(shop.id, 101), "/customizers/101"],
          ["a cancellation", driver.cancelOrder({ shop: shop.id, id: "o-1" }), "/orders/o-1, /designs/d-1, /orders"],
          ["the same again", driver.cancelOrder({ shop: shop.id, id: "o-1" }), ""],
          [
            "an order placed",
            placeOrder(shop, "o-3", ["draft"], "2020-01-01T00:00:00Z"),
            "/orders?limit=1, /designs/draft, /orders",
          ],
        ] as const) {
          yield* change
          const after = yield* states
          for (const [index, { etag, path, text }] of after.entries()) {
            yield* equal(
              `after ${what}, ${path} has the same tag`,
              etag === before[index]?.etag,
              text === before[index]?.text,
            )
          }
          const different = after.filter(({ text }, index) => text !== before[index]?.text).map(({ path }) => path)
          yield* equal(`what ${what} changes`, different.join(", "), changed)
          before = after
        }
        yield* equal(
          "the selection afterwards",
          (yield* ask(shop.token, "/designs/d-1")).text.includes(JSON.stringify(ring)),
          true,
        )
      }),
    },
  ]),
]
