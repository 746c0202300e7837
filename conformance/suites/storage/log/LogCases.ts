import { Effect, Option } from "effect"
import { compareIds } from "../../../../core/model/Ids.ts"
import { type Attempt, maximumResponseStart } from "../../../../core/model/webhooks/Delivery.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { changing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, none, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { hostileTexts, someTime, unique } from "../support/Fixtures.ts"
import {
  addTest,
  bothHosts,
  claimed,
  claimOf,
  count,
  createEndpoint,
  deliveryOn,
  failure,
  firstDelivery,
  firstDeliveryId,
  happen,
  hour,
  logOf,
  makeDelivery,
  makeEvent,
  minute,
  newEndpoint,
  request,
  sentOf,
  settleAll,
  success,
  switchedOff,
  switchOff,
  turnOf,
} from "../support/Webhooks.ts"

/** Starts of responses that must be returned unchanged: text of up to 1,024 bytes. */
const responseStarts: ReadonlyArray<string | null> = [
  null,
  "",
  " ",
  "null",
  "OK\r\n\t\u0001\u0007\u001b[31m\u007f\u0085\u2028",
  "\ufffd\ufffd caf\ufffd \ufeff\uffff",
  "\u{1f600}".repeat(maximumResponseStart / 4),
  "x".repeat(maximumResponseStart),
  "€".repeat(341),
  ...hostileTexts.filter((text) => text.length < 255),
]

/** Outcomes of an attempt. */
const endings: ReadonlyArray<Pick<Attempt, "statusCode" | "durationMs" | "responseStart" | "error">> = [
  { statusCode: null, durationMs: 5_000, responseStart: null, error: "timeout" },
  { statusCode: null, durationMs: 0, responseStart: null, error: "dns" },
  { statusCode: null, durationMs: 1, responseStart: null, error: "connect" },
  { statusCode: null, durationMs: 2, responseStart: null, error: "tls" },
  { statusCode: null, durationMs: 3, responseStart: null, error: "address_refused" },
  { statusCode: null, durationMs: 4, responseStart: null, error: "reset" },
  { statusCode: null, durationMs: 5, responseStart: "The token endpoint answered 401", error: "token" },
  { statusCode: 302, durationMs: 12, responseStart: "", error: "redirect" },
  { statusCode: 599, durationMs: 4_999, responseStart: "", error: null },
  { statusCode: 200, durationMs: 86_400_000, responseStart: null, error: null },
  { statusCode: 100, durationMs: 7, responseStart: "continue", error: null },
]

/** The contract of `DeliveryLog` for listing, finding and adding, and for its statistics. */
export const logCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "log.list.order",
    title: "MUST list an endpoint's newest deliveries, newest first to the millisecond, up to the given number",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* createEndpoint(endpoint.shop)
      yield* equal("nothing yet", yield* logOf(both[0], endpoint), [])
      const times = Array.from({ length: 60 }, (_, index) => (index * 37) % 60)
      const events = yield* happen(endpoint.shop, times)
      const newestFirst = events
        .toSorted((left, right) => right.createdAt - left.createdAt)
        .map((event) => firstDelivery(event, endpoint))
      for (const { log } of both) {
        for (const limit of [1, 2, 50, 60, 100]) {
          const listed = yield* log.list(endpoint.shop, endpoint.id, limit)
          yield* equal(`the newest ${limit}`, listed, newestFirst.slice(0, limit))
        }
      }
    }),
  },
  {
    id: "log.list.part",
    title: "MUST list the deliveries after a place, also within a millisecond, and end before it has too many bytes",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* createEndpoint(endpoint.shop)
      const events = yield* happen(endpoint.shop, [0, 1, 1, 1, 2, 3])
      const claims = yield* claimed(both[0], someTime + 100)
      // The third from the end is larger than a list, and two of the others are not, but together.
      const lengths = [10, 30_000, 30_000, 90_000, 30_000, 30_000]
      const all = events
        .map((event) => firstDelivery(event, endpoint))
        .toSorted((left, right) => right.createdAt - left.createdAt || compareIds(right.id, left.id))
      const settlements = yield* Effect.forEach(all, ({ id }, index) =>
        Effect.map(claimOf(claims, id), (claim) =>
          failure(claim, someTime + index, { responseStart: "x".repeat(lengths[5 - index] ?? 0) }),
        ),
      )
      yield* settleAll(both[0], settlements, count)
      const ids = all.map(({ id }) => id)
      for (const { log } of both) {
        const list = (limit: number, last: number | null, bytes: number) => {
          const place = last === null ? undefined : all[last]
          const after = place === undefined ? null : { at: place.createdAt, id: place.id }
          return Effect.map(log.list(endpoint.shop, endpoint.id, limit, { after, bytes }), (found) =>
            found.map(({ id }) => id),
          )
        }
        for (const last of [null, 0, 1, 2, 3, 4, 5]) {
          const rest = ids.slice(last === null ? 0 : last + 1)
          yield* equal(`after ${last}`, yield* list(100, last, 1_000_000), rest)
          yield* equal(`two after ${last}`, yield* list(2, last, 1_000_000), rest.slice(0, 2))
          yield* equal(`one after ${last}`, yield* list(100, last, 0), rest.slice(0, 1))
        }
        yield* equal("all that fit", yield* list(100, null, 70_000), ids.slice(0, 2))
        yield* equal("one that is larger than the list", yield* list(100, 1, 70_000), ids.slice(2, 3))
        yield* equal("the last", yield* list(100, 2, 70_000), ids.slice(3))
      }
    }),
  },
  {
    id: "log.attempts.fields",
    title: "MUST store every field of an attempt exactly, and a delivery's attempts oldest first",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      yield* happen(endpoint.shop, [-1])
      const delivery = firstDelivery(event, endpoint)
      const attempts: Array<Attempt> = []
      for (const [index, ending] of endings.entries()) {
        const host = turnOf(both, index)
        // The later they ended, the earlier they began: only their numbers distinguish them.
        const attempt = { number: index + 1, at: someTime - index * 1_001, ...ending }
        const claim = yield* claimOf(yield* claimed(host, someTime + index * hour), delivery.id)
        const nextAttemptAt = someTime + (index + 1) * hour
        yield* settleAll(host, [{ claim, attempt, status: "pending", nextAttemptAt }], count)
        attempts.push(attempt)
        for (const one of both) {
          const kept = { ...delivery, nextAttemptAt, attempts }
          yield* equal("the delivery", yield* deliveryOn(one, delivery), kept)
          const listed = yield* one.log.list(endpoint.shop, endpoint.id, 1)
          yield* equal("the log", listed, [kept])
        }
      }
    }),
  },
  {
    id: "log.attempts.response",
    title: "MUST store the start of a response exactly: none, an empty one, control characters, 1,024 bytes",
    requirements: ["§8-7", "D26", "D32"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(
        endpoint.shop,
        responseStarts.map((_, index) => index),
      )
      const claims = yield* claimed(host, someTime + 100)
      const settlements = yield* Effect.forEach(events, (event, index) =>
        Effect.map(claimOf(claims, firstDeliveryId(event, endpoint)), (claim) =>
          failure(claim, someTime + index, { responseStart: responseStarts[index] ?? null }),
        ),
      )
      yield* settleAll(host, settlements, count)
      const log = (yield* logOf(other, endpoint)).toReversed()
      yield* equal(
        "starts of responses",
        log.map(({ attempts }) => attempts.map(({ responseStart }) => responseStart)),
        responseStarts.map((start) => [start]),
      )
    }),
  },
  {
    id: "log.find",
    title: "MUST find a delivery of the endpoint with its body as sent, and none of another endpoint or shop",
    requirements: ["D21", "D29"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop, { kinds: ["design.created"] })
      const namesake = yield* newEndpoint({ id: endpoint.id })
      const [event] = yield* happen(endpoint.shop, [0], { body: `{"a": 1.0 ,"\u{1f600}":"\\u0000"}` })
      const delivery = firstDelivery(event, endpoint)
      const claim = yield* claimOf(yield* claimed(both[0]), delivery.id)
      const failed = failure(claim)
      yield* settleAll(both[0], [failed])
      const kept = { ...delivery, nextAttemptAt: failed.nextAttemptAt, attempts: [failed.attempt] }
      for (const { log } of both) {
        const found = yield* log.find(endpoint.shop, endpoint.id, delivery.id)
        yield* equal("the delivery", Option.map(found, sentOf), Option.some({ delivery: kept, body: event.body }))
        yield* none("another id", yield* log.find(endpoint.shop, endpoint.id, `dlv_${unique(22)}`))
        yield* none("another endpoint", yield* log.find(beside.shop, beside.id, delivery.id))
        yield* none("another shop", yield* log.find(namesake.shop, namesake.id, delivery.id))
        yield* equal("the log of another endpoint", yield* log.list(beside.shop, beside.id, 50), [])
        yield* equal("the log of another shop", yield* log.list(namesake.shop, namesake.id, 50), [])
      }
    }),
  },
  {
    id: "log.add.kept",
    title: "MUST add a delivery of a stored event with the same body and its own attempts, starting with the first",
    requirements: ["§6-13", "§6-18", "D22", "D29"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const first = firstDelivery(event, endpoint)
      const sent = success(yield* claimOf(yield* claimed(both[0]), first.id))
      yield* settleAll(both[0], [sent])
      const redeliveries = [1, 2].map((time) =>
        makeDelivery(event, endpoint, { createdAt: someTime + time, nextAttemptAt: someTime + time }),
      )
      for (const [index, redelivery] of redeliveries.entries()) yield* turnOf(both, index).queue.add(redelivery, null)
      const done = { ...first, status: "succeeded", nextAttemptAt: null, attempts: [sent.attempt] } as const
      for (const host of both) {
        yield* equal("the log", yield* logOf(host, endpoint), [...redeliveries.toReversed(), done])
        for (const delivery of redeliveries) {
          const found = yield* host.log.find(endpoint.shop, endpoint.id, delivery.id)
          yield* equal("the redelivery", Option.map(found, sentOf), Option.some({ delivery, body: event.body }))
        }
      }
      const claims = yield* claimed(both[1], someTime + 2)
      yield* equal("the claims", claims.size, 2)
      for (const { attempt, body } of claims.values())
        yield* equal("the claim", { attempt, body }, { attempt: 1, body: event.body })
    }),
  },
  {
    id: "log.add.new",
    ports: [ShopStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST add a delivery together with its new event, only to this endpoint, due at its own time",
    requirements: ["D23", "D30"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint({ kinds: ["design.ordered"] })
      const beside = yield* createEndpoint(endpoint.shop)
      const event = makeEvent(endpoint.shop, { event: "ping", test: true, body: hostileTexts.join("") })
      const delivery = makeDelivery(event, endpoint, { nextAttemptAt: someTime + minute })
      yield* both[0].queue.add(delivery, event)
      for (const host of both) {
        const found = yield* host.log.find(endpoint.shop, endpoint.id, delivery.id)
        yield* equal("the delivery", Option.map(found, sentOf), Option.some({ delivery, body: event.body }))
        yield* equal("the log", yield* logOf(host, endpoint), [delivery])
        yield* equal("the log of another endpoint", yield* logOf(host, beside), [])
      }
      yield* equal("before it is due", (yield* claimed(both[1], someTime + minute - 1)).size, 0)
      const claim = yield* claimOf(yield* claimed(both[1], someTime + minute), delivery.id)
      yield* equal("the claim", [claim.event, claim.test, claim.body], ["ping", true, event.body])
    }),
  },
  {
    id: "log.add.gone",
    title: "MUST add neither delivery nor event if the endpoint is gone or another shop's, and return false",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const gone = yield* newEndpoint()
      const probe = yield* createEndpoint(gone.shop)
      const [kept] = yield* happen(gone.shop)
      const elsewhere = yield* newEndpoint()
      yield* host.endpoints.remove(gone.shop, gone.id)
      for (const endpoint of [gone, { ...elsewhere, shop: gone.shop }]) {
        const event = makeEvent(gone.shop)
        yield* equal("with a new event", yield* host.queue.add(makeDelivery(event, endpoint), event), false)
        if (kept === undefined) return
        yield* equal("of a stored event", yield* host.queue.add(makeDelivery(kept, endpoint), null), false)
        yield* equal("its log", yield* logOf(host, endpoint), [])
      }
      yield* equal("the log of the other shop's endpoint", yield* logOf(host, elsewhere), [])
      yield* equal(
        "stored events except one",
        yield* host.queue.recover({
          shop: probe.shop,
          endpointId: probe.id,
          since: 0,
          now: someTime,
          run: unique(8),
        }),
        0,
      )
      yield* equal("claimable deliveries", (yield* claimed(host, someTime + hour)).size, 1)
    }),
  },
  {
    id: "upkeep.statistics",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, Upkeep],
    title: "MUST count pending and past-due deliveries and endpoints over all shops, and report the oldest due time",
    requirements: ["D27", "D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const expect = Effect.fnUntraced(function* (
        what: string,
        now: number,
        [pending, pastDue, oldestDue]: readonly [number, number, number | null],
        [endpoints, endpointsSwitchedOff]: readonly [number, number],
      ) {
        for (const { upkeep } of [host, other]) {
          const statistics = yield* upkeep.statistics(now)
          yield* equal(what, statistics, {
            ...{ pending, pastDue, oldestDue, endpoints, endpointsSwitchedOff },
            feedHeldSince: null,
          })
        }
      })
      yield* expect("nothing", someTime, [0, 0, null], [0, 0])
      const [one, two] = [yield* newEndpoint(), yield* newEndpoint()]
      yield* newEndpoint(switchedOff)
      yield* happen(one.shop, [5, 10, 15])
      yield* happen(two.shop, [7])
      yield* expect("nothing due", someTime + 4, [4, 0, null], [3, 1])
      yield* expect("one due", someTime + 5, [4, 1, someTime + 5], [3, 1])
      yield* expect("all due", someTime + hour, [4, 4, someTime + 5], [3, 1])
      const claims = yield* host.queue.claim(request({ now: someTime + 6, leaseUntil: someTime + hour }))
      yield* expect("one under way, none due", someTime + 6, [4, 0, null], [3, 1])
      yield* expect("one under way", someTime + 7, [4, 1, someTime + 7], [3, 1])
      yield* settleAll(
        host,
        claims.map((claim) => failure(claim)),
        switchOff,
      )
      yield* expect(
        "one endpoint switched off, its deliveries suspended",
        someTime + hour,
        [4, 1, someTime + 7],
        [3, 2],
      )
      yield* addTest(one, someTime)
      yield* expect("a test of it", someTime + hour, [5, 2, someTime], [3, 2])
      yield* host.endpoints.update(one.shop, one.id, turningOn)
      const due = yield* claimed(host, someTime + 20)
      yield* settleAll(
        host,
        [...due.values()].map((claim) => success(claim)),
      )
      yield* expect("but one done", someTime + hour, [1, 1, someTime + minute], [3, 1])
      yield* host.endpoints.remove(one.shop, one.id)
      yield* expect("nothing left", someTime + hour, [0, 0, null], [2, 1])
    }),
  },
  {
    id: "upkeep.backlog",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, Upkeep],
    title: "MUST count the pending and past-due deliveries of one shop, and report its oldest due time",
    requirements: ["D27", "D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const expect = Effect.fnUntraced(function* (
        what: string,
        [shop, now]: readonly [string, number],
        [pending, pastDue, oldestDue]: readonly [number, number, number | null],
      ) {
        for (const { upkeep } of [host, other]) {
          yield* equal(what, yield* upkeep.backlog(shop, now), { pending, pastDue, oldestDue })
        }
      })
      const [one, two] = [yield* newEndpoint(), yield* newEndpoint()]
      const second = yield* createEndpoint(one.shop)
      yield* expect("an unknown shop", [unique(), someTime], [0, 0, null])
      yield* expect("nothing", [one.shop, someTime], [0, 0, null])
      yield* happen(one.shop, [5, 10])
      yield* happen(two.shop, [3])
      yield* expect("nothing due", [one.shop, someTime + 4], [4, 0, null])
      yield* expect("one event due, to two endpoints", [one.shop, someTime + 9], [4, 2, someTime + 5])
      const claims = yield* claimed(host, someTime + 7)
      yield* expect("under way", [one.shop, someTime + 9], [4, 0, null])
      yield* settleAll(
        host,
        [...claims.values()].map((claim) => (claim.endpointId === one.id ? failure(claim) : success(claim))),
      )
      yield* expect("one to try again", [one.shop, someTime + hour], [3, 3, someTime + 10])
      yield* expect("done", [two.shop, someTime + hour], [0, 0, null])
      yield* host.endpoints.remove(one.shop, second.id)
      yield* claimed(host, someTime + 11)
      yield* expect("a retry is due", [one.shop, someTime + minute], [2, 1, someTime + minute])
    }),
  },
  {
    id: "log.missed",
    title: "MUST count the stored events from a time on that recovery would deliver, on every host",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host, other] = both
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      // Delivered, failed for good, and dropped by the next change (D31).
      const [received, lost] = yield* happen(shop, [0, 1, 2])
      const claims = yield* claimed(host, someTime + 2)
      yield* settleAll(host, [
        success(yield* claimOf(claims, firstDeliveryId(received, endpoint))),
        {
          ...failure(yield* claimOf(claims, firstDeliveryId(lost, endpoint))),
          status: "failed",
          nextAttemptAt: null,
        },
      ])
      const off = yield* createEndpoint(shop, switchedOff)
      yield* host.endpoints.update(shop, id, changing({ kinds: ["design.created"] }))
      yield* happen(shop, [10, 11])
      yield* happen(shop, [12], { event: "order.cancelled" })
      yield* host.endpoints.update(shop, id, changing({ kinds: ["design.ordered", "order.cancelled"] }))
      // Still pending.
      yield* happen(shop, [9])
      yield* addTest(endpoint, someTime + 13)
      yield* addTest(off, someTime + 13)
      // Events of another shop and deliveries of another endpoint do not count.
      yield* happen((yield* newEndpoint({ id })).shop, [1, 10, 11])
      for (const [since, missed, missedByOff] of [
        [0, 5, 7],
        [1, 5, 6],
        [2, 4, 5],
        [10, 3, 3],
        [11, 2, 2],
        [12, 1, 1],
        [13, 0, 0],
      ] as const) {
        for (const { log } of both) {
          yield* equal(`since ${since}`, yield* log.missed(shop, id, someTime + since), missed)
          yield* equal(`off, since ${since}`, yield* log.missed(shop, off.id, someTime + since), missedByOff)
        }
      }
      const recovery = { shop, endpointId: id, since: someTime + 1, now: someTime + hour, run: unique(22) }
      yield* equal("recovered", yield* other.queue.recover(recovery), 5)
      yield* equal("once recovered", yield* host.log.missed(shop, id, someTime + 1), 0)
      yield* equal("an unknown endpoint", yield* host.log.missed(shop, `whe_${unique(22)}`, 0), 0)
    }),
  },
  {
    id: "log.shops",
    ports: [ShopStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST keep logs separate for equal ids of endpoints, deliveries and events in two shops",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      const event = makeEvent(mine.shop, { body: "mine" })
      const delivery = makeDelivery(event, mine)
      const same = { ...delivery, shop: theirs.shop, createdAt: someTime + 1, nextAttemptAt: someTime + 1 }
      yield* host.queue.add(delivery, event)
      yield* host.queue.add(same, { ...event, shop: theirs.shop, body: "theirs" })
      const claim = yield* some(
        "the claim of mine",
        Option.fromUndefinedOr((yield* host.queue.claim(request())).find(({ shop }) => shop === mine.shop)),
      )
      const failed = failure(claim)
      yield* settleAll(host, [failed])
      const kept = { ...delivery, nextAttemptAt: failed.nextAttemptAt, attempts: [failed.attempt] }
      for (const [endpoint, its, body] of [
        [mine, kept, "mine"],
        [theirs, same, "theirs"],
      ] as const) {
        yield* equal("the log", yield* logOf(host, endpoint), [its])
        const found = yield* host.log.find(endpoint.shop, endpoint.id, delivery.id)
        yield* equal("found", Option.map(found, sentOf), Option.some({ delivery: its, body }))
      }
      yield* host.endpoints.remove(theirs.shop, theirs.id)
      yield* equal("mine, after theirs is gone", yield* logOf(host, mine), [kept])
    }),
  },
])
