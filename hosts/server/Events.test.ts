/** `GET /events`: D39. The service suite has the rules for any service. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { embedded } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"

const pagination = (page: Json) => page["pagination"] as Json
const events = (page: Json) => page["data"] as ReadonlyArray<Json>
const kindsOf = (page: Json) => events(page).map(({ event }) => event)

/** Two designs, an order of both, and its cancellation: five events. */
const happenings = Effect.fnUntraced(function* (send: Send, shop: TestShop, order = "1001") {
  yield* newDesign(send, shop, `${order}-a`)
  yield* newDesign(send, shop, `${order}-b`)
  yield* newOrder(send, shop, order, [`${order}-a`, `${order}-b`])
  yield* bodyOf(200, yield* manage(send, "POST", `/shops/${shop.id}/orders/${order}/cancel`))
})

const kinds = ["design.created", "design.created", "design.ordered", "design.ordered", "order.cancelled"]

const page = (answer: Answer) => bodyOf(200, answer)

const refusal = (answer: Answer, status: number, words: RegExp) => {
  expect([answer.status, Object.keys(answer.json as Json)]).toEqual([status, ["message"]])
  expect((answer.json as Json)["message"]).toMatch(words)
}

onHosts("GET /events", [memory, embedded, postgres], (it) => {
  it.effect(
    "MUST answer {data, pagination: {limit, nextCursor, hasMore}}, oldest first, even for an empty shop (D39)",
    () =>
      Effect.gen(function* () {
        const { other, send } = yield* TestHost
        const shop = yield* newShop(send)
        const empty = yield* read(send, shop.token, "/events")
        const start = pagination(yield* page(empty))["nextCursor"]
        expect(empty.text).toBe(`{"data":[],"pagination":{"limit":25,"nextCursor":"${start}","hasMore":false}}`)
        expect(start).toMatch(/^[\w.-]{1,200}$/)
        yield* happenings(send, shop)
        for (const path of ["/events", `/events?after=${start}`]) {
          const all = yield* page(yield* read(other, shop.token, path))
          expect(Object.keys(all)).toEqual(["data", "pagination"])
          expect(kindsOf(all)).toEqual(kinds)
          expect(pagination(all)).toMatchObject({ limit: 25, hasMore: false })
        }
        const first = yield* page(yield* read(send, shop.token, "/events?limit=3"))
        expect([kindsOf(first), pagination(first)["hasMore"]]).toEqual([kinds.slice(0, 3), true])
        const after = pagination(first)["nextCursor"]
        const rest = yield* page(yield* read(other, shop.token, `/events?limit=3&after=${after}`))
        expect([kindsOf(rest), pagination(rest)["hasMore"]]).toEqual([kinds.slice(3), false])
        const end = pagination(rest)["nextCursor"]
        const nothing = yield* page(yield* read(send, shop.token, `/events?after=${end}`))
        expect([events(nothing), pagination(nothing)["nextCursor"]]).toEqual([[], end])
        const latest = yield* page(yield* read(other, shop.token, "/events?after=latest"))
        expect([events(latest), pagination(latest)]).toEqual([[], { limit: 25, nextCursor: end, hasMore: false }])
        yield* happenings(send, shop, "1002")
        expect(kindsOf(yield* page(yield* read(other, shop.token, `/events?after=${end}`)))).toEqual(kinds)
      }),
  )

  it.effect("MUST show redacted events without the buyer's texts (D43)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      const choices = { metal: "plat", size: "s52", stones: ["onyx"], engrave: "text", font: "serif" }
      const selection = { ...choices, line: { text: "For Jo" } }
      yield* newDesign(send, shop, "d", { selection })
      yield* newOrder(send, shop, "1001", ["d"])
      const before = yield* read(send, shop.token, "/events")
      yield* manage(send, "POST", `/shops/${shop.id}/orders/1001/redact`)
      const after = yield* read(send, shop.token, "/events")
      expect([before.text.includes("For Jo"), after.text.includes("For Jo")]).toEqual([true, false])
      expect(after.headers["etag"]).not.toBe(before.headers["etag"])
      expect(kindsOf(yield* page(after))).toEqual(kindsOf(yield* page(before)))
    }),
  )

  it.effect("MUST refuse invalid queries by parameter, and cursors that were altered or are another shop's (D12)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const [shop, other] = [yield* newShop(send), yield* newShop(send)]
      yield* happenings(send, shop)
      const { nextCursor } = pagination(yield* page(yield* read(send, shop.token, "/events?limit=2")))
      const cursor = String(nextCursor)
      for (const query of [
        "limit=0",
        "limit=101",
        "limit=",
        "limit=1&limit=1",
        "types=",
        "types=ping",
        "types=x,design.ordered",
      ]) {
        refusal(yield* read(send, shop.token, `/events?${query}`), 400, new RegExp(`^${query.split("=")[0]} must be .`))
      }
      const bad = [
        `x${cursor}`,
        `${cursor}x`,
        cursor.toUpperCase(),
        cursor.replace(/\d+\./, "9."),
        "1",
        "",
        `${cursor}&after=${cursor}`,
      ]
      for (const after of bad) refusal(yield* read(send, shop.token, `/events?after=${after}`), 400, /^after must be ./)
      refusal(yield* read(send, other.token, `/events?after=${cursor}`), 400, /^after must be ./)
      refusal(yield* read(send, "cmz_unknown", "/events"), 401, /./)
      refusal(yield* posted(send, shop.token), 405, /^Only GET and HEAD are allowed here$/)
    }),
  )

  it.effect("MUST link to the next page if there is one, and answer 304 to a client that has the page (D17)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* happenings(send, shop)
      const first = yield* read(send, shop.token, "/events?limit=3&types=design.created,design.ordered")
      const cursor = pagination(yield* page(first))["nextCursor"]
      expect(first.headers["link"]).toBe(
        `<?limit=3&types=design.created%2Cdesign.ordered&after=${encodeURIComponent(String(cursor))}>; rel="next"`,
      )
      const last = yield* read(send, shop.token, `/events?after=${cursor}`)
      expect(last.headers["link"]).toBeUndefined()
      const again = yield* send("GET", `/api/v1/events?after=${cursor}`, {
        headers: { authorization: `Bearer ${shop.token}`, "if-none-match": last.headers["etag"] ?? "" },
      })
      expect([again.status, again.text]).toEqual([304, ""])
    }),
  )
})

const posted = (send: Send, token: string) =>
  send("POST", "/api/v1/events", { headers: { authorization: `Bearer ${token}` } })
