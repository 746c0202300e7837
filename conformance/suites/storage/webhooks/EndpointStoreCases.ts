import { Effect, Option, Result } from "effect"
import type { Audited } from "../../../../core/model/audit/AuditEntry.ts"
import { newHealth } from "../../../../core/model/Health.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { changedBy, type EndpointChange, isConfigured } from "../../../../core/model/webhooks/EndpointChange.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, pausing, rotating, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, none, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { hostileTexts, someTime, unique } from "../support/Fixtures.ts"
import {
  addDelivery,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  deliveryOn,
  failure,
  firstDelivery,
  type Host,
  happen,
  logOf,
  makeEndpoint,
  newEndpoint,
  newWebhookShop,
  settleAll,
  success,
  switchedOff,
  turnOf,
} from "../support/Webhooks.ts"

/** Runs an effect for many items concurrently, alternating between both hosts. */
const atOnce = <I, A, E, R>(
  items: ReadonlyArray<I>,
  both: readonly [Host, Host],
  effect: (host: Host, item: I) => Effect.Effect<A, E, R>,
) => Effect.forEach(items, (item, index) => effect(turnOf(both, index), item), { concurrency: "unbounded" })

const ten = Array.from({ length: 10 }, (_, index) => index)

/** Changes an endpoint unless it was changed since the caller has seen it. Returns the stored endpoint. */
const changeSeen = (
  endpoints: EndpointStore["Service"],
  seen: EndpointRecord,
  change: EndpointChange,
  audited?: Audited<EndpointRecord>,
) =>
  endpoints
    .update(
      seen.shop,
      seen.id,
      (stored) =>
        isConfigured(stored, seen)
          ? Result.succeed(changedBy(stored, change))
          : Result.fail({ _tag: "Changed" as const, stored }),
      audited,
    )
    .pipe(Effect.catchTag("Changed", ({ stored }) => Effect.succeed(Option.some(stored))))

/** The contract of `EndpointStore`. */
export const endpointStoreCases = calling(
  ShopStore,
  EndpointStore,
)([
  {
    id: "endpoints.add.exact",
    title: "MUST store an endpoint exactly as added, found and listed at once on every host",
    requirements: ["D20", "D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const texts = hostileTexts.filter((text) => text.length < 255)
      const given = [
        makeEndpoint(shop, { createdAt: 0, description: "" }),
        makeEndpoint(shop, { createdAt: 1, kinds: ["design.created", "order.cancelled", "design.ordered"] }),
        makeEndpoint(shop, { createdAt: 2, kinds: ["order.cancelled"], description: "\u{1f600}".repeat(255) }),
        makeEndpoint(shop, { createdAt: 3, url: `https://example.com/${"€".repeat(2_028)}`, secret: unique(4_000) }),
        makeEndpoint(shop, { createdAt: 4, ...switchedOff, switchedOffAt: someTime + 1 }),
        makeEndpoint(shop, { createdAt: 5, consecutiveFailures: 19, standardWebhooks: true }),
        ...texts.map((text, index) => makeEndpoint(shop, { createdAt: 6 + index, description: text, secret: text })),
        makeEndpoint(shop, { createdAt: 253_402_300_799_999 }),
      ]
      for (const [index, endpoint] of given.entries()) {
        yield* equal("the answer", yield* turnOf(both, index).endpoints.add(endpoint, 1_000), true)
        for (const { endpoints } of both) {
          yield* equal("found", yield* endpoints.find(shop, endpoint.id), Option.some(endpoint))
        }
      }
      for (const { endpoints } of both) yield* equal("listed", yield* endpoints.list(shop), given)
    }),
  },
  {
    id: "endpoints.add.maximum",
    title:
      "MUST store up to the caller's maximum of endpoints per shop and return false for one more, until one is removed",
    requirements: ["§8-3", "D31"],
    run: Effect.gen(function* () {
      const [{ endpoints }, other] = yield* bothHosts
      const [shop, otherShop] = [(yield* newWebhookShop()).id, (yield* newWebhookShop()).id]
      const make = (createdAt: number) => makeEndpoint(shop, { createdAt })
      const given = [0, 1, 2, 3, 4].map(make)
      for (const endpoint of given) yield* equal("one of five", yield* endpoints.add(endpoint, 5), true)
      const sixth = make(6)
      for (const host of [endpoints, other.endpoints]) {
        yield* equal("the sixth", yield* host.add(sixth, 5), false)
        yield* none("the sixth", yield* host.find(shop, sixth.id))
        yield* equal("all of them", yield* host.list(shop), given)
      }
      yield* equal("another shop's", yield* endpoints.add(makeEndpoint(otherShop), 5), true)
      yield* endpoints.remove(shop, given[1]?.id ?? "")
      yield* equal("with a lower maximum", yield* endpoints.add(sixth, 4), false)
      yield* equal("the sixth, in place of another", yield* endpoints.add(sixth, 5), true)
      yield* equal("the seventh", yield* endpoints.add(make(7), 5), false)
      yield* equal("all of them", yield* endpoints.list(shop), [...given.filter((_, at) => at !== 1), sixth])
    }),
  },
  {
    id: "endpoints.add.race",
    rounds: 5,
    title:
      "MUST store exactly the maximum of many endpoints that are added concurrently on two hosts, even if some exist",
    requirements: ["§8-3", "D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const before of [0, 3]) {
        const shop = (yield* newWebhookShop()).id
        const kept = [0, 1, 2].slice(0, before).map((createdAt) => makeEndpoint(shop, { createdAt }))
        for (const endpoint of kept) yield* both[0].endpoints.add(endpoint, 5)
        const racing = [...ten, ...ten].map((_, index) => makeEndpoint(shop, { createdAt: 10 + index }))
        const answers = yield* atOnce(racing, both, ({ endpoints }, endpoint) => endpoints.add(endpoint, 5))
        const winners = racing.filter((_, index) => answers[index])
        yield* equal("additions that returned true", winners.length, 5 - before)
        for (const { endpoints } of both) yield* equal("kept", yield* endpoints.list(shop), [...kept, ...winners])
      }
    }),
  },
  {
    id: "endpoints.list.order",
    title: "MUST list a shop's endpoints, oldest first to the millisecond, or none",
    requirements: ["§1-7"],
    run: Effect.gen(function* () {
      const [{ endpoints }] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* equal("no endpoints", yield* endpoints.list(shop), [])
      const times = [-62_135_596_800_000, 0, someTime - 1, someTime, someTime + 1]
      const oldestFirst = times.map((createdAt) => makeEndpoint(shop, { createdAt }))
      for (const at of [3, 0, 4, 1, 2]) {
        yield* Effect.forEach(oldestFirst.slice(at, at + 1), (endpoint) => endpoints.add(endpoint, 5))
      }
      yield* equal("the endpoints", yield* endpoints.list(shop), oldestFirst)
    }),
  },
  {
    id: "endpoints.shops",
    title: "MUST NOT find, list, change, remove or turn on an endpoint through another shop, even one with the same id",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [{ endpoints }] = yield* bothHosts
      const [shop, otherShop, empty] = [
        (yield* newWebhookShop()).id,
        (yield* newWebhookShop()).id,
        (yield* newWebhookShop()).id,
      ]
      const mine = yield* createEndpoint(shop, switchedOff)
      yield* none("find", yield* endpoints.find(empty, mine.id))
      yield* equal("list", yield* endpoints.list(empty), [])
      yield* none("change", yield* endpoints.update(empty, mine.id, changing({ description: "theirs" })))
      yield* none("turnOn", yield* endpoints.update(empty, mine.id, turningOn))
      yield* none("pause", yield* endpoints.update(empty, mine.id, pausing(someTime)))
      yield* equal("remove", yield* endpoints.remove(empty, mine.id), false)
      yield* equal("mine", yield* endpoints.find(shop, mine.id), Option.some(mine))

      const theirs = yield* createEndpoint(otherShop, { ...switchedOff, id: mine.id })
      const changed = { ...theirs, description: "changed" }
      yield* equal(
        "theirs",
        yield* endpoints.update(otherShop, theirs.id, changing({ description: "changed" })),
        Option.some(changed),
      )
      yield* some("theirs", yield* endpoints.update(otherShop, theirs.id, turningOn))
      yield* equal("mine", yield* endpoints.list(shop), [mine])
      yield* equal("removing theirs", yield* endpoints.remove(otherShop, theirs.id), true)
      yield* equal("mine, after theirs is gone", yield* endpoints.find(shop, mine.id), Option.some(mine))
    }),
  },
  {
    id: "endpoints.change.given",
    title:
      "MUST change the given fields, keep the others, and return the stored endpoint, visible at once on every host",
    requirements: ["D24", "D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const changes: ReadonlyArray<EndpointChange> = [
        { standardWebhooks: true },
        { options: { heedRetryAfter: true } },
        { options: { payload: "reference" }, description: "both hold" },
        { options: { heedRetryAfter: false } },
        { options: { customizers: [7, 9_007_199_254_740_991] } },
        { options: { customizers: null } },
        { options: { headers: { names: ["X-A"], sealed: "'\u{1f600}\"" } } },
        { options: { payload: "full" } },
        { options: { headers: null } },
        { url: "https://new.example.com/\u{1f600}?a='b'&c=$1" },
        { kinds: ["design.created", "design.ordered"] },
        { description: "" },
        { description: "ERP \u{1f600} '' \\ $1" },
        {},
        {
          kinds: ["order.cancelled"],
          url: "https://other.example.com/",
          description: "all",
          standardWebhooks: false,
        },
      ]
      for (const status of [{ consecutiveFailures: 7 }, switchedOff]) {
        let kept = yield* newEndpoint(status)
        const beside = yield* createEndpoint(kept.shop)
        for (const [index, change] of changes.entries()) {
          kept = changedBy(kept, change)
          const answer = yield* turnOf(both, index).endpoints.update(kept.shop, kept.id, changing(change))
          yield* equal("the answer", answer, Option.some(kept))
          for (const { endpoints } of both) {
            yield* equal("found", yield* endpoints.find(kept.shop, kept.id), Option.some(kept))
            yield* equal("another", yield* endpoints.find(kept.shop, beside.id), Option.some(beside))
          }
        }
      }
    }),
  },
  {
    id: "endpoints.change.concurrent",
    rounds: 5,
    title: "MUST keep all concurrent changes of different fields",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const round of [0, 1, 2, 3]) {
        const endpoint = yield* newEndpoint()
        const changes = [
          { url: `https://round-${round}.example.com/` },
          { kinds: ["design.created"] as const },
          { description: `round ${round}` },
        ]
        yield* atOnce(changes, both, ({ endpoints }, change) =>
          endpoints.update(endpoint.shop, endpoint.id, changing(change)),
        )
        const [url, kinds, description] = changes
        const kept = { ...endpoint, ...url, ...kinds, ...description }
        yield* equal("kept", yield* both[1].endpoints.find(endpoint.shop, endpoint.id), Option.some(kept))
      }
    }),
  },
  {
    id: "endpoints.change.seen",
    rounds: 5,
    title: "MUST change nothing, and return the stored endpoint, if it was changed since the caller has seen it",
    requirements: ["D31", "D59"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const others: ReadonlyArray<EndpointChange> = [
        ...[{ url: "https://other.example.com/" }, { kinds: ["order.cancelled"] as const }, { description: "theirs" }],
        ...[{ standardWebhooks: true }, { options: { ordering: "object" as const } }],
        { options: { headers: { names: ["X-A"], sealed: unique() } } },
      ]
      for (const mine of [{ description: "mine" }, { kinds: ["design.created"] as const }, {}]) {
        for (const [index, theirs] of others.entries()) {
          const seen = yield* newEndpoint()
          const { id, shop } = seen
          const { endpoints } = turnOf(both, index)
          yield* turnOf(both, index + 1).endpoints.update(shop, id, changing(theirs))
          const audited = () => {
            throw new Error("Nothing has changed that an entry could be about")
          }
          const stored = changedBy(seen, theirs)
          yield* equal("the answer", yield* changeSeen(endpoints, seen, mine, audited), Option.some(stored))
          yield* equal("kept", yield* endpoints.find(shop, id), Option.some(stored))
          const again = yield* changeSeen(endpoints, stored, mine)
          yield* equal("once it was seen", again, Option.some(changedBy(stored, mine)))
        }
      }
      const seen = yield* newEndpoint()
      const { id, shop } = seen
      const anew = { secret: unique(), until: someTime + 1, now: someTime }
      yield* both[0].endpoints.update(shop, id, rotating(anew))
      yield* both[0].endpoints.update(shop, id, pausing(someTime))
      const changes = [{ description: "one" }, { url: "https://two.example.com/" }, { standardWebhooks: true }]
      yield* atOnce(changes, both, ({ endpoints }, change) => changeSeen(endpoints, seen, change))
      const kept = yield* some("the endpoint", yield* both[1].endpoints.find(shop, id))
      const changed = changes.filter((change) => isConfigured(kept, changedBy(seen, change)))
      yield* equal("changes that took effect", changed.length, 1)
    }),
  },
  {
    id: "endpoints.missing",
    title: "MUST return none or false for an endpoint that the shop never had or no longer has",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const [{ endpoints }] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* equal("remove", yield* endpoints.remove(endpoint.shop, endpoint.id), true)
      for (const id of [endpoint.id, `whe_${unique(22)}`]) {
        yield* none("find", yield* endpoints.find(endpoint.shop, id))
        yield* none("change", yield* endpoints.update(endpoint.shop, id, changing({ description: "gone" })))
        yield* none("turnOn", yield* endpoints.update(endpoint.shop, id, turningOn))
        yield* none("pause", yield* endpoints.update(endpoint.shop, id, pausing(someTime)))
        yield* equal("remove", yield* endpoints.remove(endpoint.shop, id), false)
      }
      yield* equal("list", yield* endpoints.list(endpoint.shop), [])
    }),
  },
  {
    id: "endpoints.remove.log",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryLog],
    title: "MUST remove an endpoint with its deliveries and their log, and nothing of another endpoint",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const removed = yield* newEndpoint()
      const kept = yield* createEndpoint(removed.shop)
      yield* happen(removed.shop, [0, 1, 2])
      const [delivery] = yield* logOf(both[0], removed)
      yield* equal("the answer", yield* both[0].endpoints.remove(removed.shop, removed.id), true)
      for (const host of both) {
        yield* none("find", yield* host.endpoints.find(removed.shop, removed.id))
        yield* equal("list", yield* host.endpoints.list(removed.shop), [kept])
        yield* equal("its log", yield* logOf(host, removed), [])
        yield* none("its delivery", yield* host.log.find(removed.shop, removed.id, delivery?.id ?? ""))
        yield* equal("the log of the other", (yield* logOf(host, kept)).length, 3)
      }
      // A new endpoint with the same id starts from scratch.
      yield* both[0].endpoints.add(removed, 5)
      yield* equal("the log of an endpoint with the same id", yield* logOf(both[0], removed), [])
    }),
  },
  {
    id: "endpoints.remove.again",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST give an endpoint with the id of a removed one an empty log, even for equal delivery ids",
    requirements: ["D31"],
    alone: true,
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event, finished] = yield* happen(endpoint.shop, [0, 0])
      const delivery = firstDelivery(event, endpoint)
      const claims = yield* claimed(both[0])
      yield* settleAll(both[0], [
        failure(yield* claimOf(claims, delivery.id)),
        success(yield* claimOf(claims, firstDelivery(finished, endpoint).id)),
      ])
      yield* both[1].endpoints.remove(endpoint.shop, endpoint.id)
      yield* both[1].endpoints.add(endpoint, 5)
      for (const host of both) yield* equal("the log at first", yield* logOf(host, endpoint), [])
      yield* addDelivery(both[0], delivery)
      for (const host of both) yield* equal("the log", yield* logOf(host, endpoint), [delivery])
      const first = yield* claimOf(yield* claimed(both[1]), delivery.id)
      yield* equal("the number of its attempt", first.attempt, 1)
      yield* settleAll(both[1], [success(first, someTime + 1)])
      yield* equal("its attempts", (yield* deliveryOn(both[0], delivery)).attempts, [
        success(first, someTime + 1).attempt,
      ])
    }),
  },
  {
    id: "endpoints.remove.race",
    rounds: 5,
    ports: [ShopStore, OrderStore, EndpointStore],
    title: "MUST return true to exactly one of many concurrent removals on two hosts",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const { id, shop } = yield* newEndpoint()
      yield* happen(shop, [0, 1, 2])
      const answers = yield* atOnce(ten, both, ({ endpoints }) => endpoints.remove(shop, id))
      yield* equal("removals that returned true", answers.filter(Boolean).length, 1)
    }),
  },
  {
    id: "endpoints.turn-on",
    title: "MUST make a switched-off endpoint active with no failures, keep an active one, and change nothing else",
    requirements: ["§3-7", "D27", "D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const given = [switchedOff, { consecutiveFailures: 19 }, {}]
      for (const [index, status] of given.entries()) {
        const endpoint = yield* newEndpoint({ ...status, kinds: ["design.created"] })
        const beside = yield* createEndpoint(endpoint.shop, switchedOff)
        const on = endpoint.status === "active" ? endpoint : { ...endpoint, ...newHealth }
        const answer = yield* turnOf(both, index).endpoints.update(endpoint.shop, endpoint.id, turningOn)
        yield* equal("the answer", answer, Option.some(on))
        for (const { endpoints } of both) {
          yield* equal("found", yield* endpoints.find(endpoint.shop, endpoint.id), Option.some(on))
          yield* equal("another", yield* endpoints.find(endpoint.shop, beside.id), Option.some(beside))
        }
      }
    }),
  },
])
