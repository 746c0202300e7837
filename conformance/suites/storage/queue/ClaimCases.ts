import { Effect } from "effect"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, holds } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { hostileTexts, someTime, unique } from "../support/Fixtures.ts"
import {
  addTest,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  failure,
  firstDeliveryId,
  happen,
  hour,
  idsOf,
  makeDelivery,
  makeEvent,
  minute,
  newEndpoint,
  newWebhookShop,
  nothing,
  perEndpoint,
  request,
  settleAll,
  success,
  switchedOff,
  turnOf,
} from "../support/Webhooks.ts"

/** The contract of `DeliveryQueue.claim`. */
export const claimCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "claim.exact",
    title:
      "MUST return a delivery with everything needed to send it: its body and trace, the endpoint's URL, secrets and options",
    requirements: ["D20", "D21", "D24", "D40", "D41", "D55", "D70", "D71", "D72"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const secret = `\u{1f600}'"\\${"s".repeat(2_000)}`
      const headers = { names: ["X-A", "b"], sealed: '\u{1f600}"s' }
      const client = {
        tokenUrl: "https://id.example.com/token?'$1",
        clientId: "\u{1f600}",
        scope: "a b",
        audience: null,
      }
      const oauth = { ...client, sealed: '\u{1f600}"o' }
      const clientCertificate = {
        subject: "CN=\u{1f600}'$1",
        endsAt: "2030-01-01T00:00:00.000+00:00",
        sealed: unique(),
      }
      const options = {
        customizers: null,
        heedRetryAfter: true,
        payload: "reference",
        ordering: "object",
        maxPerSecond: null,
        maxConcurrent: null,
        headers,
        oauth,
        clientCertificate,
      } as const
      const rotation = { secret: `new ${secret}`, until: someTime + 1 }
      const endpoint = yield* newEndpoint({
        url: "https://example.com/\u{1f600}'$1",
        secret,
        rotation,
        standardWebhooks: true,
        options,
      })
      for (const [index, body] of hostileTexts.entries()) {
        const host = turnOf(both, index)
        const kind = index % 2 === 0 ? "design.ordered" : "order.cancelled"
        const trace = index % 2 === 0 ? null : `00-${"0a".repeat(16)}-${"1b".repeat(8)}-01 a='"\\${index}{},b=1`
        const [event] = yield* happen(endpoint.shop, [0], { event: kind, body, trace })
        const asked = request()
        yield* equal("the claims", yield* host.queue.claim(asked), [
          {
            token: asked.token,
            shop: endpoint.shop,
            deliveryId: event === undefined ? "" : firstDeliveryId(event, endpoint),
            endpointId: endpoint.id,
            eventId: event?.id ?? "",
            event: kind,
            test: false,
            attempt: 1,
            proven: true,
            troubled: false,
            body,
            trace,
            url: endpoint.url,
            secret,
            rotation,
            standardWebhooks: true,
            options,
            startsAt: null,
          },
        ])
      }
    }),
  },
  {
    id: "claim.trace",
    title: "MUST return an event's trace with each of its deliveries and at every attempt, also a test's",
    requirements: ["D70"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* createEndpoint(endpoint.shop)
      const trace = `00-${"0a".repeat(16)}-${"1b".repeat(8)}-00 vendor=value`
      yield* happen(endpoint.shop, [0], { trace })
      const test = makeEvent(endpoint.shop, { test: true, trace: null })
      yield* equal("adding a test", yield* both[1].queue.add(makeDelivery(test, endpoint), test), true)
      const traces = [null, trace, trace]
      const claims = yield* both[0].queue.claim(request())
      yield* equal("traces of first attempts", claims.map((claim) => claim.trace).sort(), [...traces].sort())
      yield* settleAll(
        both[1],
        claims.map((claim) => failure(claim)),
      )
      const retries = yield* both[1].queue.claim(request({ now: someTime + hour }))
      yield* equal(
        "traces of retries",
        retries.map((claim) => claim.trace),
        [trace, trace],
      )
    }),
  },
  {
    id: "claim.now",
    title: "MUST return the current URL, even for events from before it changed, along with other fields",
    requirements: ["D24"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop)
      const urls: Array<string> = []
      for (const round of [1, 2, 3]) {
        const url = `https://new-${round}.example.com/`
        yield* other.endpoints.update(endpoint.shop, endpoint.id, changing({ url, kinds: ["design.ordered"] }))
        const claims = yield* host.queue.claim(request())
        urls.push(...claims.map((claim) => claim.url))
        yield* host.queue.release(claims)
      }
      yield* equal(
        "the URLs",
        urls,
        [1, 2, 3].map((round) => `https://new-${round}.example.com/`),
      )
    }),
  },
  {
    id: "claim.due",
    title: "MUST return a delivery from the millisecond in which it is due, not before",
    requirements: ["D25"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const { shop } = yield* newEndpoint()
      yield* happen(shop, [1_000, 1_001])
      yield* nothing("a millisecond before", host, someTime + 999)
      yield* nothing("a millisecond before, on the other host", other, someTime + 999)
      yield* equal("due first", (yield* claimed(other, someTime + 1_000)).size, 1)
      yield* nothing("the other is not yet due", host, someTime + 1_000)
      yield* equal("due later", (yield* claimed(host, someTime + 5_000)).size, 1)
    }),
  },
  {
    id: "claim.limit",
    title: "MUST return at most the limit, and everything due if the limit is higher",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const [one, two] = [yield* newEndpoint(), yield* newEndpoint()]
      yield* happen(one.shop, [0, 1, 2, 3, 4])
      yield* happen(two.shop, [0, 1, 2, 3, 4])
      for (const [limit, expected] of [
        [1, 1],
        [3, 3],
        [4, 4],
        [100, 2],
        [100, 0],
      ] as const) {
        const claims = yield* host.queue.claim(request({ now: someTime + 10, limit }))
        yield* equal(`claims of at most ${limit}`, claims.length, expected)
      }
    }),
  },
  {
    id: "claim.per-endpoint",
    title: "MUST return at most the given number per endpoint, including what the worker has under way",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const full = yield* createEndpoint(shop)
      const partly = yield* createEndpoint(shop)
      const free = yield* createEndpoint(shop)
      const over = yield* createEndpoint(shop)
      // The id of a full endpoint, in another shop.
      const namesake = yield* newEndpoint({ id: full.id })
      const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
      yield* happen(shop, times)
      yield* happen(namesake.shop, times)
      const busy = [
        { shop, endpointId: full.id, attempts: 4 },
        { shop, endpointId: partly.id, attempts: 1 },
        { shop, endpointId: over.id, attempts: 9 },
      ]
      const claims = yield* host.queue.claim(request({ now: someTime + 10, perEndpoint: 4, busy }))
      const of = (endpoint: typeof full) =>
        claims.filter((claim) => claim.shop === endpoint.shop && claim.endpointId === endpoint.id).length
      yield* equal("of a full endpoint", of(full), 0)
      yield* equal("of a partly busy endpoint", of(partly), 3)
      yield* equal("of a free endpoint", of(free), 4)
      yield* equal("of an endpoint over its limit", of(over), 0)
      yield* equal("of the same id in another shop", of(namesake), 4)
      const more = yield* host.queue.claim(request({ now: someTime + 10, perEndpoint: 4 }))
      yield* equal("returned claims do not count unless they are named as busy", perEndpoint(more).get(free.id), 4)
    }),
  },
  {
    id: "claim.once",
    rounds: 5,
    title: "MUST return each delivery once, whichever host claims, even under many concurrent claims of two hosts",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* Effect.forEach([1, 2, 3, 4, 5], () => createEndpoint(shop))
      yield* happen(
        shop,
        Array.from({ length: 20 }, (_, index) => index),
      )
      const now = someTime + 100
      const concurrent = yield* Effect.forEach(
        Array.from({ length: 16 }, (_, index) => turnOf(both, index)),
        ({ queue }) => queue.claim(request({ now, limit: 10, perEndpoint: 4 })),
        { concurrency: "unbounded" },
      )
      const ids = [...concurrent.flat().map(({ deliveryId }) => deliveryId)]
      yield* equal("returned twice", ids.length - new Set(ids).size, 0)
      // Concurrent claims may skip what others are about to take, but must not lose it.
      for (let round = 0; ids.length < 100 && round < 20; round++) {
        ids.push(...(yield* turnOf(both, round).queue.claim(request({ now, limit: 10 }))).map((one) => one.deliveryId))
      }
      yield* equal("returned", ids.length, 100)
      yield* equal("returned at least once", new Set(ids).size, 100)
      for (const host of both) yield* nothing("afterwards", host, now)
    }),
  },
  {
    id: "claim.lease",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST NOT return a delivery under lease, and return it again from the end of the lease, as the same attempt",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop)
      let at = someTime
      for (const round of [0, 1, 2]) {
        const [host, other] = [turnOf(both, round), turnOf(both, round + 1)]
        const leaseUntil = at + 7_000
        const claims = yield* host.queue.claim(request({ now: at, leaseUntil }))
        yield* equal(
          "the attempts",
          claims.map(({ attempt }) => attempt),
          [1],
        )
        for (const now of [at, leaseUntil - 1]) {
          yield* nothing("while the lease runs", host, now)
          yield* nothing("while the lease runs, for the other host", other, now)
        }
        at = leaseUntil
      }
      yield* equal("the log", (yield* both[0].log.list(endpoint.shop, endpoint.id, 50))[0]?.attempts, [])
    }),
  },
  {
    id: "claim.test",
    ports: [ShopStore, EndpointStore, DeliveryQueue],
    title: "MUST return only tests of an endpoint that is switched off",
    requirements: ["D30"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const off = yield* newEndpoint(switchedOff)
      const on = yield* newEndpoint()
      const event = makeEvent(off.shop)
      yield* host.queue.add(makeDelivery(event, off), event)
      const tests = [yield* addTest(off), yield* addTest(on)]
      const claims = yield* host.queue.claim(request())
      yield* equal("the claims", idsOf(claims), tests.map(({ id }) => id).toSorted())
      yield* holds(
        "they are tests",
        claims.every((claim) => claim.test && claim.event === "ping" && claim.attempt === 1),
      )
    }),
  },
  {
    id: "claim.free",
    title: "MUST return nothing of a shop while its plan has no webhooks, and everything once it has them again",
    requirements: ["§1-6", "D8"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = yield* newWebhookShop()
      const endpoint = yield* createEndpoint(shop.id)
      const other = yield* newEndpoint()
      yield* happen(shop.id, [0, 1])
      yield* addTest(endpoint)
      yield* happen(shop.id, [minute - 1])
      yield* both[0].shops.put({ ...shop, plan: "free" })
      for (const host of both) yield* nothing("while the plan is free", host, someTime + hour)
      yield* happen(other.shop)
      yield* equal("another shop's", (yield* claimed(both[1])).size, 1)
      yield* both[0].shops.put({ ...shop, plan: "plus" })
      yield* equal("what is due", (yield* claimed(both[1], someTime + 10)).size, 3)
      yield* equal("due later", (yield* claimed(both[0], someTime + minute - 1)).size, 1)
    }),
  },
  {
    id: "claim.free.meanwhile",
    title: "MUST suspend deliveries added while the plan has no webhooks, and return them once it has them again",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = yield* newWebhookShop()
      const make = (index: number) => createEndpoint(shop.id, { createdAt: index })
      const [failing, released, leased] = [yield* make(0), yield* make(1), yield* make(2)]
      const added = yield* make(3)
      const off = yield* make(4)
      const [event] = yield* happen(shop.id)
      const test = yield* addTest(released)
      const claims = yield* claimed(host)
      const claim = (endpoint: typeof failing) => claimOf(claims, firstDeliveryId(event, endpoint))
      yield* settleAll(host, [success(yield* claim(added))])
      yield* settleAll(host, [failure(yield* claim(off))], (health) => ({ ...health, ...switchedOff }))
      yield* host.shops.put({ ...shop, plan: "free" })

      yield* settleAll(host, [failure(yield* claim(failing), someTime + 5_000)])
      yield* host.queue.release([yield* claim(released), yield* claimOf(claims, test.id)])
      const redelivery = makeDelivery(event, added)
      yield* host.queue.add(redelivery, null)
      yield* host.endpoints.update(off.shop, off.id, turningOn)
      for (const now of [someTime, someTime + hour]) yield* nothing("while the plan is free", host, now)

      yield* host.shops.put(shop)
      const ids = [released, leased, failing, off].map((endpoint) => firstDeliveryId(event, endpoint))
      const again = yield* claimed(host, someTime + hour)
      yield* equal("afterwards", [...again.keys()].toSorted(), [...ids, test.id, redelivery.id].toSorted())
      const retry = yield* claimOf(again, ids[2] ?? "")
      yield* equal("the number of the attempt after a failed one", retry.attempt, 2)
    }),
  },
  {
    id: "claim.shops",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST return deliveries with the same ids in two shops, each with its own endpoint and body",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      const [event] = yield* happen(mine.shop)
      yield* happen(theirs.shop, [0], { id: event?.id ?? "", body: "theirs" })
      const claims = yield* host.queue.claim(request())
      yield* equal(
        "the claims",
        claims.map(({ body, shop, url }) => `${shop} ${url} ${body}`).toSorted(),
        [`${mine.shop} ${mine.url} ${event?.body}`, `${theirs.shop} ${theirs.url} theirs`].toSorted(),
      )
      const ofMine = claims.filter(({ shop }) => shop === mine.shop)
      yield* settleAll(
        host,
        ofMine.map((claim) => success(claim)),
      )
      yield* equal("theirs, untouched", (yield* host.log.list(theirs.shop, theirs.id, 1))[0]?.status, "pending")
      const later = [...(yield* claimed(host, someTime + hour)).values()]
      yield* equal(
        "the other shop's is still there",
        later.map(({ shop }) => shop),
        [theirs.shop],
      )
    }),
  },
  {
    id: "claim.finished",
    title: "MUST never return a delivery again that succeeded, failed for good, or lost its endpoint",
    requirements: ["§3-8", "D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const removed = yield* createEndpoint(endpoint.shop)
      yield* happen(endpoint.shop, [0, 1])
      const test = yield* addTest(endpoint)
      const claims = yield* claimed(both[0], someTime + 10)
      const settlements = [...claims.values()]
        .filter(({ endpointId }) => endpointId === endpoint.id)
        .map((claim) => (claim.deliveryId === test.id ? failure(claim) : success(claim)))
      yield* settleAll(both[0], settlements)
      yield* both[0].endpoints.remove(removed.shop, removed.id)
      for (const host of both) yield* nothing("ever after", host, someTime + 999 * hour)
    }),
  },
])
