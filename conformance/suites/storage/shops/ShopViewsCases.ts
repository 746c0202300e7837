import { Effect, Option } from "effect"
import { compareIds } from "../../../../core/model/Ids.ts"
import * as AttemptCounts from "../../../../core/model/webhooks/AttemptCounts.ts"
import { type ActivityStep, DeliveryLog, type SpanInSteps } from "../../../../core/ports/DeliveryLog.ts"
import { type Claim, DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { SettingsSessions, setUpMark } from "../../../../core/ports/SettingsSessions.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { changing, pausing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, holds, none } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { makeOrder, makeShop, makeToken, newShop, place, someTime, unique } from "../support/Fixtures.ts"
import {
  addTest,
  alone,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  firstDeliveryId,
  happen,
  hour,
  late,
  makeAttempt,
  makeDelivery,
  minute,
  newEndpoint,
  newWebhookShop,
  settleAll,
  settlement,
  success,
} from "../support/Webhooks.ts"

/** All hours that these cases use, one by one. */
const ever = { from: 0, until: AttemptCounts.hourOf(someTime) + 100 * hour, step: hour }

/** Counts of hours, added up by step. */
const inSteps = (hours: ReadonlyArray<ActivityStep>, { from, step }: SpanInSteps): Array<ActivityStep> => {
  const byStep = Map.groupBy(hours, ({ at }) => from + Math.floor((at - from) / step) * step)
  return [...byStep].map(([at, own]) => ({ at, ...AttemptCounts.sum(own) })).toSorted((one, other) => one.at - other.at)
}

const isSetUp = false

const views = calling(
  ShopStore,
  EndpointStore,
  SettingsSessions,
)([
  {
    id: "views.endpoints",
    title: "MUST return a shop with its endpoints, as they are listed",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const [endpoints, shops] = [yield* EndpointStore, yield* ShopStore]
      const shop = yield* newWebhookShop({ roundingStep: Number.MAX_SAFE_INTEGER, domain: "one.example.com" })
      for (const one of [yield* EndpointStore, yield* onOtherHost(EndpointStore)]) {
        yield* none("an unknown shop", yield* one.withShop(makeShop().id))
        yield* equal("without endpoints", yield* one.withShop(shop.id), Option.some({ shop, endpoints: [], isSetUp }))
      }
      const rotation = { secret: unique(), until: someTime + hour }
      yield* createEndpoint(shop.id, { createdAt: someTime + 1, rotation, secretSince: someTime, kinds: [] })
      yield* createEndpoint(shop.id, { id: `whe_z${unique(21)}`, status: "paused", switchedOffAt: someTime })
      yield* createEndpoint(shop.id, { id: `whe_A${unique(21)}`, standardWebhooks: true })
      yield* createEndpoint((yield* newWebhookShop()).id)
      const listed = yield* endpoints.list(shop.id)
      yield* equal("their number", listed.length, 3)
      for (const one of [yield* EndpointStore, yield* onOtherHost(EndpointStore)]) {
        yield* equal("the shop", yield* one.withShop(shop.id), Option.some({ shop, endpoints: listed, isSetUp }))
      }
      yield* shops.put({ ...shop, plan: "free" })
      const after = yield* endpoints.withShop(shop.id)
      yield* equal("a change", after, Option.some({ shop: { ...shop, plan: "free" }, endpoints: listed, isSetUp }))
    }),
  },
  {
    id: "views.set-up",
    title: "MUST say whether a shop was marked as set up, for every host, and of no other mark or shop",
    requirements: ["D58"],
    run: Effect.gen(function* () {
      const [sessions, hosts] = [yield* SettingsSessions, [yield* EndpointStore, yield* onOtherHost(EndpointStore)]]
      const [shop, other] = [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id]
      const seen = (of: string) =>
        Effect.forEach(hosts, (host) => Effect.map(host.withShop(of), Option.getOrThrow)).pipe(
          Effect.map((views) => views.map(({ isSetUp }) => isSetUp)),
        )
      const until = someTime + hour
      yield* sessions.spend({ shop, id: `${setUpMark} `, until })
      yield* sessions.endAll({ shop, owner: setUpMark, now: someTime, until })
      yield* equal("with other marks", yield* seen(shop), [false, false])
      yield* sessions.spend({ shop, id: setUpMark, until })
      yield* equal("with the mark", yield* seen(shop), [true, true])
      yield* equal("another shop", yield* seen(other), [false, false])
    }),
  },
  {
    id: "views.page",
    ports: [ShopStore],
    title: "MUST page all shops, and those whose id or domain begins with a text, by id in code point order",
    requirements: ["D14"],
    run: Effect.gen(function* () {
      const shops = yield* ShopStore
      // With a letter, so that it differs from itself in capitals.
      const mark = `m${unique(11)}`
      const given = [
        ...["", "-", "-a", "0", "a", "a-b", "a0", "b"].map((tail) => makeShop({ id: `${mark}${tail}` })),
        ...["a", "b"].map((first) => makeShop({ id: `${first}-${mark}`, domain: `${mark}.${first}.example.com` })),
        makeShop({ id: `c-${mark}`, domain: `x${mark}.example.com` }),
      ]
      for (const shop of given.toReversed()) yield* shops.put(shop)
      const expected = given.slice(0, -1).toSorted((one, other) => compareIds(one.id, other.id))
      for (const one of [shops, yield* onOtherHost(ShopStore)]) {
        const page = (after: string | null, limit: number, search = mark) => one.list({ search, after, limit })
        yield* equal("all that are found", yield* page(null, 100), expected)
        yield* equal("the first", yield* page(null, 3), expected.slice(0, 3))
        yield* equal("those after", yield* page(expected[2]?.id ?? "", 3), expected.slice(3, 6))
        yield* equal("after the last", yield* page(expected.at(-1)?.id ?? "", 3), [])
        const byDomain = expected.filter(({ domain }) => domain.startsWith(`${mark}.b`))
        yield* equal("by the domain", yield* page(null, 3, `${mark}.b`), byDomain)
        for (const nobody of [`${mark}%`, `${mark.slice(0, -1)}_`, `${mark}\\`, `'${mark}`, mark.toUpperCase()]) {
          yield* equal(`beginning with ${nobody}`, yield* page(null, 3, nobody), [])
        }
        const [before, after] = [expected[0]?.id ?? "", expected[1]?.id ?? ""]
        const [next] = yield* one.list({ search: null, after: before, limit: 1 })
        yield* holds("without a text, it is the next shop", next !== undefined && next.id > before && next.id <= after)
      }
    }),
  },
])

/** The marks of a shop on both hosts, which agree. */
const markOf = (shop: string, now = late) =>
  Effect.gen(function* () {
    const one = yield* (yield* ShopStore).mark(shop, now)
    yield* equal("the mark on the other host", yield* (yield* onOtherHost(ShopStore)).mark(shop, now), one)
    return one
  })

/** Places more newer orders than a mark distinguishes. */
const placeNewer = (shop: string) =>
  Effect.forEach([1, 2, 3, 4, 5, 6], (index) => place(shop, `newer-${index}`, someTime + index))

const used = calling(ShopStore, OrderStore, EndpointStore, TokenStore, DeliveryQueue, DeliveryLog)

const marks = used([
  {
    id: "views.activity",
    title: "MUST return what an endpoint waits for and its attempts by step, as the log counts them",
    requirements: ["§8-7", "D60"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const quiet = yield* createEndpoint(endpoint.shop, { kinds: ["design.created"] })
      const namesake = yield* newEndpoint({ id: endpoint.id })
      const events = yield* happen(endpoint.shop, [0, 1, 2])
      yield* addTest(endpoint, someTime + 5)
      const found = yield* claimed(host, someTime + minute)
      const [early, late] = yield* Effect.forEach(events, (event) => claimOf(found, firstDeliveryId(event, endpoint)))
      if (early === undefined || late === undefined) return
      yield* settleAll(host, [success(early, someTime), settlement(late, makeAttempt(late, someTime + 2 * hour))])
      const begin = AttemptCounts.hourOf(someTime)
      const spans: ReadonlyArray<SpanInSteps> = [
        ever,
        { ...ever, from: begin + hour },
        // Both attempts in a step, in the first and the last hour of it, and in neighbouring ones.
        { from: begin - 3 * hour, until: begin + 6 * hour, step: 3 * hour },
        { from: begin - 4 * hour, until: begin + 5 * hour, step: 3 * hour },
        // Neither: one began before, the other after.
        { from: begin + hour, until: begin + 2 * hour, step: hour },
      ]
      for (const { log: one } of both) {
        for (const span of spans) {
          const activity = yield* one.activity(endpoint.shop, span)
          const byHour = yield* host.log.activity(endpoint.shop, { ...span, step: hour })
          for (const { id } of [endpoint, quiet]) {
            const found = activity.find(({ endpointId }) => endpointId === id)
            const { steps = [], ...own } = found ?? {}
            yield* equal(
              "what is pending",
              [own],
              byHour.filter(({ endpointId }) => endpointId === id).map(({ steps: _, ...waiting }) => waiting),
            )
            yield* equal(
              "the steps",
              steps.toSorted((left, right) => left.at - right.at),
              inSteps(
                byHour.filter(({ endpointId }) => endpointId === id).flatMap((each) => each.steps),
                span,
              ),
            )
          }
          yield* equal("the endpoints", activity.length, 2)
        }
        const other = yield* one.activity(namesake.shop, ever)
        yield* equal("another shop", other, [{ endpointId: endpoint.id, pending: 0, recent: [], steps: [] }])
        yield* equal("no shop", yield* one.activity("nobody", ever), [])
      }
    }),
  },
  {
    id: "views.mark",
    title: "MUST have another mark after each change that pages show, and the same one without",
    requirements: ["§8-7"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const [orders, tokens] = [yield* OrderStore, yield* TokenStore]
      const shop = yield* newWebhookShop()
      const endpoint = yield* createEndpoint(shop.id)
      const [first] = yield* happen(shop.id)
      let claims: ReadonlyMap<string, Claim> = new Map()
      const steps: ReadonlyArray<readonly [what: string, change: Effect.Effect<unknown, unknown, never>]> = [
        ["the shop", host.shops.put({ ...shop, domain: "other.example.com" })],
        ["a token", tokens.add(makeToken(shop.id, { id: "tok_1" }), 100)],
        ["a token that is gone", tokens.revoke(shop.id, "tok_1")],
        ["an order", orders.commit({ shop: shop.id, designs: [], order: makeOrder(shop.id, "1"), events: [] })],
        ["more orders", Effect.provideService(placeNewer(shop.id), OrderStore, orders)],
        ["an old order", Effect.provideService(place(shop.id, "2", someTime - 999 * hour), OrderStore, orders)],
        ["an event", Effect.provideService(happen(shop.id, [5]), OrderStore, orders)],
        ["an older event", Effect.provideService(happen(shop.id, [4]), OrderStore, orders)],
        ["an older delivery", host.queue.add(makeDelivery(first, endpoint, { createdAt: someTime - 1 }), null)],
        ["another endpoint", host.endpoints.update(shop.id, endpoint.id, changing({ description: "CRM" }))],
        [
          "a claim",
          Effect.gen(function* () {
            claims = yield* claimed(other, someTime + minute)
          }),
        ],
        [
          "a claim that is released",
          Effect.suspend(() => {
            const [released] = [...claims.values()].filter(({ eventId }) => eventId !== first.id)
            return other.queue.release(released === undefined ? [] : [released])
          }),
        ],
        [
          "an attempt that failed",
          Effect.gen(function* () {
            const claim = yield* claimOf(claims, firstDeliveryId(first, endpoint))
            yield* settleAll(other, [settlement(claim, makeAttempt(claim, someTime))])
          }),
        ],
        ["a pause", other.endpoints.update(shop.id, endpoint.id, pausing(someTime))],
        ["an endpoint that is gone", other.endpoints.remove(shop.id, endpoint.id)],
      ]
      let before = yield* markOf(shop.id)
      yield* equal("nothing happens", yield* markOf(shop.id), before)
      const elsewhere = yield* newShop
      yield* place(elsewhere, "1", someTime)
      yield* equal("another shop", yield* markOf(shop.id), before)
      for (const [what, change] of steps) {
        yield* change
        const after = yield* markOf(shop.id)
        yield* holds(`${what} makes another mark`, after !== before)
        before = after
      }
    }),
  },
  {
    id: "views.mark.notice",
    ports: [ShopStore, TokenStore, DeliveryQueue],
    title: "MUST have another mark from the instant of a notice on that was stored before, not earlier",
    requirements: ["D77"],
    run: Effect.gen(function* () {
      const [shop, tokens] = [yield* newShop, yield* TokenStore]
      const ends = Array.from({ length: 10 }, (_, index) => someTime + (index + 10) * 24 * hour)
      for (const expiresAt of ends) yield* tokens.add(makeToken(shop, { expiresAt }), 100)
      const due = someTime + 3 * 24 * hour
      const before = yield* markOf(shop, due - 1)
      yield* equal("earlier", yield* markOf(shop, someTime), before)
      yield* holds("from then on", (yield* markOf(shop, due)) !== before)
    }),
  },
])

/** The contract of `ShopStore.list` and `mark`, and of `EndpointStore.withShop`. */
export const shopViewsCases = [...views, ...alone(marks)]
