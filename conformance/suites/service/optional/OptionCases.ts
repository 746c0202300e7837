import { Effect } from "effect"
import type { Json } from "../../../../core/model/json/Json.ts"
import type { OptionInput } from "../../../../core/model/webhooks/EndpointOptions.ts"
import { equal, holds } from "../../Assertion.ts"
import { newShop, type OwnShop, placeOrder, publishVector, saveDesign, sell } from "../Filling.ts"
import { addHook, deliveries, type Hook, logUntil, nothingMore } from "../Hooks.ts"
import { Driver, Receivers, receiving } from "../ServiceCase.ts"

const setOptions = Effect.fnUntraced(function* (shop: OwnShop, hook: Hook, options: OptionInput) {
  yield* (yield* Driver).endpointOptions({ shop: shop.id, endpoint: hook.id, options })
})

/** Seconds that a receiver asks for. */
const seconds = 3

/** Milliseconds by which a wait may seem shorter than it was. */
const tick = 15

/** A valid selection of customizer 102. */
const mug = { volume: "v330", photos: ["upl_1"] }

/** The id of the design or the order in the data of a delivery. */
const idOf = ({ design, order }: Json) => ((design ?? order) as Json | undefined)?.["id"]

/** The designs of the order in the data of a delivery. */
const designsOf = ({ order }: Json) => (order as Json | undefined)?.["designs"] as ReadonlyArray<Json> | undefined

/** Deliveries as their endpoint wants them, which the specification does not require: a service may lack it. */
export const optionCases = receiving([
  {
    id: "options.reference",
    title: "MUST send the ids of objects alone, signed, to an endpoint while it asks for references",
    requirements: ["D72"],
    needs: ["endpointOptions"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const [hook, other] = [yield* addHook(shop), yield* addHook(shop)]
      yield* setOptions(shop, hook, { payload: "reference" })
      yield* sell(shop, "1", ["a"])
      const [ordered] = yield* deliveries(hook, 1)
      yield* equal("the data", ordered?.data, { design: { id: "a" } })
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      const cancelled = (yield* deliveries(hook, 2)).at(-1)
      yield* equal("the data of an order", cancelled?.data, { order: { id: "1", designs: [{ id: "a" }] } })
      const [whole] = yield* deliveries(other, 1)
      yield* holds("another endpoint gets whole objects", Object.keys(whole?.data["design"] ?? {}).length > 1)
      yield* setOptions(shop, hook, { payload: "full" })
      yield* sell(shop, "2", ["b"])
      const back = (yield* deliveries(hook, 3)).at(-1)
      yield* holds("and so does the endpoint afterwards", Object.keys(back?.data["design"] ?? {}).length > 1)
    }),
  },
  {
    id: "options.customizers",
    title: "MUST send events about designs of the customizers that an endpoint names, if it names any",
    requirements: ["D76"],
    needs: ["endpointOptions"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const [hook, other] = [yield* addHook(shop), yield* addHook(shop)]
      yield* setOptions(shop, hook, { customizers: [102] })
      yield* publishVector(shop.id, 102)
      yield* sell(shop, "1", ["a"])
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      yield* saveDesign(shop, "b")
      yield* saveDesign(shop, "c", { customizerId: 102, selection: mug })
      yield* placeOrder(shop, "2", ["b", "c"])
      yield* driver.cancelOrder({ shop: shop.id, id: "2" })
      const sent = Effect.fnUntraced(function* (from: Hook, count: number) {
        const received = yield* deliveries(from, count)
        return received.map(({ data, event }) => `${event} ${idOf(data)}`).toSorted()
      })
      const wanted = ["design.ordered c", "order.cancelled 2"]
      const all = ["design.ordered a", "design.ordered b", "design.ordered c", "order.cancelled 1", "order.cancelled 2"]
      yield* equal("of all customizers", yield* sent(other, all.length), all)
      yield* equal("of the customizer", yield* sent(hook, wanted.length), wanted)
      const designs = (yield* deliveries(hook, wanted.length)).flatMap(({ data }) => designsOf(data) ?? [])
      yield* equal("the designs of the order", designs.length, 2)
      yield* nothingMore(hook, wanted.length)
      yield* setOptions(shop, hook, { customizers: null })
      yield* sell(shop, "3", ["d"])
      yield* deliveries(hook, wanted.length + 1)
    }),
  },
  {
    id: "options.headers",
    title: "MUST send the headers of an endpoint's owner to it alone, and show their names alone",
    requirements: ["D55"],
    needs: ["endpointOptions"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const [hook, other] = [yield* addHook(shop), yield* addHook(shop)]
      yield* setOptions(shop, hook, { headers: { Authorization: "Basic dXNlcjpwYXNz", "X-Tenant": "42" } })
      yield* sell(shop, "1", ["a"])
      yield* deliveries(hook, 1)
      yield* deliveries(other, 1)
      const sent = ({ received }: Hook) => ["authorization", "x-tenant"].map((name) => received[0]?.headers[name])
      yield* equal("its headers", sent(hook), ["Basic dXNlcjpwYXNz", "42"])
      yield* equal("another endpoint's", sent(other), [undefined, undefined])
      yield* setOptions(shop, hook, { headers: null })
      yield* sell(shop, "2", ["b"])
      yield* deliveries(hook, 2)
      yield* equal("after they were removed", hook.received[1]?.headers["authorization"], undefined)
    }),
  },
  {
    id: "options.oauth",
    title:
      "MUST send an access token from an endpoint's token URL, kept while it lasts, and request another after a 401",
    requirements: ["D55"],
    needs: ["endpointOptions", "schedule"],
    run: Effect.gen(function* () {
      const tokenOf = (index: number) => ({ access_token: `t-${index}`, token_type: "Bearer", expires_in: 3600 })
      const server = yield* (yield* Receivers).open((index) => ({ status: 200, body: JSON.stringify(tokenOf(index)) }))
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: (index) => (index === 1 ? 401 : 200) })
      const client = { tokenUrl: server.url, clientId: "a shop", clientSecret: "p:w" }
      yield* setOptions(shop, hook, { oauth: { ...client, scope: "write" } })
      for (const id of ["1", "2"]) {
        yield* sell(shop, id, [id])
        yield* deliveries(hook, Number(id))
      }
      yield* deliveries(hook, 3)
      const sent = () => hook.received.map(({ headers }) => headers["authorization"])
      yield* equal("the headers Authorization", sent(), ["Bearer t-0", "Bearer t-0", "Bearer t-1"])
      yield* equal("the number of requests for a token", server.received.length, 2)
      const [asked] = server.received
      yield* equal("the client", asked?.headers["authorization"], `Basic ${btoa("a+shop:p%3Aw")}`)
      yield* equal("the request", asked?.text, "grant_type=client_credentials&scope=write")
      yield* setOptions(shop, hook, { oauth: null })
      yield* sell(shop, "3", ["3"])
      yield* deliveries(hook, 4)
      yield* equal("after it was removed", hook.received[3]?.headers["authorization"], undefined)
    }),
  },
  {
    id: "options.ordering",
    title: "MUST send deliveries about an order one after the other, if the endpoint wants them in order",
    requirements: ["D53"],
    needs: ["endpointOptions", "schedule"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { reply: (index) => (index === 0 ? 500 : 200) })
      yield* setOptions(shop, hook, { ordering: "object" })
      yield* sell(shop, "1", ["a"])
      yield* hook.until(1)
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      yield* sell(shop, "2", ["b"])
      const sent = (yield* deliveries(hook, 4)).map(({ data, event }) => `${event} ${idOf(data)}`)
      const other = "design.ordered b"
      yield* equal(
        "about the order",
        sent.filter((each) => each !== other),
        ["design.ordered a", "design.ordered a", "order.cancelled 1"],
      )
      yield* holds("about another order", sent.includes(other))
      yield* nothingMore(hook, 4)
    }),
  },
  {
    id: "options.pace",
    title: "MUST begin no more attempts in any second than an endpoint allows, and make each once",
    requirements: ["D54"],
    needs: ["endpointOptions"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* setOptions(shop, hook, { maxPerSecond: 2, maxConcurrent: 4 })
      yield* sell(shop, "1", ["a", "b", "c", "d"])
      const sent = yield* hook.until(4)
      const lasted = (sent[3]?.arrived ?? 0) - (sent[0]?.arrived ?? 0)
      // Four in two seconds, if the first arrives late and the last at once.
      yield* holds(`four deliveries take more than a second, not ${lasted.toFixed(0)} ms`, lasted > 1_000)
      const log = yield* logUntil(shop, hook, (states) => states.every((status) => status === "succeeded"))
      yield* equal(
        "attempts",
        log.map(({ attempts }) => attempts.length),
        [1, 1, 1, 1],
      )
    }),
  },
  {
    id: "options.retry-after",
    title: "MUST NOT retry earlier than a 429 or 503 asks by Retry-After, if the endpoint heeds it",
    requirements: ["D25", "D71"],
    needs: ["endpointOptions", "schedule"],
    run: Effect.gen(function* () {
      const { schedule } = yield* Receivers
      const shop = yield* newShop()
      const hooks: Array<Hook> = []
      for (const status of [429, 503]) {
        const asking = { status, headers: { "Retry-After": `${seconds}` } }
        const hook = yield* addHook(shop, { reply: (index) => (index === 0 ? asking : 200) })
        yield* setOptions(shop, hook, { heedRetryAfter: true })
        hooks.push(hook)
      }
      yield* sell(shop, "1", ["a"])
      for (const hook of hooks) {
        const [first, second] = yield* hook.until(2)
        const waited = (second?.arrived ?? 0) - (first?.answered ?? 0)
        const least = Math.max(seconds * 1_000, schedule[0] ?? 0)
        yield* holds(`the retry comes ${least} ms after the attempt, not ${waited.toFixed(0)}`, waited >= least - tick)
        const [logged] = yield* logUntil(shop, hook, ([status]) => status === "succeeded")
        yield* equal("the number of attempts", logged?.attempts.length, 2)
      }
    }),
  },
])
