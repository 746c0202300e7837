import { Effect, Option } from "effect"
import * as Health from "../../../../core/model/Health.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import type { Claim, Settlement } from "../../../../core/ports/DeliveryQueue.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { isSuccess } from "../../../../core/rules/webhooks/DeliveryState.ts"
import { defaultSchedule } from "../../../../core/rules/webhooks/RetryPolicy.ts"
import { equal, exactly, none, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { retrying, someTime, unique } from "../support/Fixtures.ts"
import {
  addTest,
  advance,
  bothHosts,
  claimed,
  claimOf,
  count,
  createEndpoint,
  deliveryOn,
  endpointOn,
  failure,
  firstDelivery,
  firstDeliveryId,
  type Host,
  happen,
  hour,
  logOf,
  makeAttempt,
  makeDelivery,
  minute,
  newEndpoint,
  newWebhookShop,
  request,
  settleAll,
  settlement,
  success,
  turnOf,
} from "../support/Webhooks.ts"

const upTo = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, index) => index)

/** Creates this many deliveries of an endpoint and claims them, in the order of their events. */
const claimsOf = Effect.fnUntraced(function* (host: Host, endpoint: EndpointRecord, length: number) {
  const events = yield* happen(endpoint.shop, upTo(length))
  const claims = yield* claimed(host, someTime + length)
  return yield* Effect.forEach(events, (event) => claimOf(claims, firstDeliveryId(event, endpoint)))
})

/** Writes successes and failures as the binary digits of `consecutiveFailures`, so that their order is visible. */
const digits = (health: Health.Health, { attempt }: Settlement): Health.Health => ({
  ...health,
  consecutiveFailures: health.consecutiveFailures * 2 + (isSuccess(attempt) ? 0 : 1),
})

const failures = (host: Host, endpoint: EndpointRecord) =>
  Effect.map(endpointOn(host, endpoint), ({ consecutiveFailures }) => consecutiveFailures)

/** The contract of `DeliveryQueue.settle`. */
export const settleCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "settle.stores",
    title: "MUST store the attempt, the delivery's new state and the endpoint's health, visible at once on every host",
    requirements: ["§3-8", "§6-14", "§6-19", "D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint({ consecutiveFailures: 3 })
      const [event] = yield* happen(endpoint.shop)
      const delivery = firstDelivery(event, endpoint)
      const first = yield* claimOf(yield* claimed(both[0]), delivery.id)
      const failed = failure(first, someTime + 2_000)
      yield* settleAll(both[0], [failed])
      const retry = someTime + 2_000 + minute
      const pending = { ...delivery, nextAttemptAt: retry, attempts: [failed.attempt] }
      for (const host of both) {
        yield* equal("the delivery", yield* deliveryOn(host, delivery), pending)
        yield* equal("the log", yield* logOf(host, endpoint), [pending])
        yield* equal("the endpoint", yield* endpointOn(host, endpoint), {
          ...endpoint,
          consecutiveFailures: 4,
          proven: false,
        })
      }
      yield* equal("before the retry is due", (yield* claimed(both[1], retry - 1)).size, 0)
      const second = yield* claimOf(yield* claimed(both[1], retry), delivery.id)
      yield* equal("the number of the attempt", second.attempt, 2)
      const succeeded = success(second, retry + 50)
      yield* settleAll(both[1], [succeeded])
      const attempts = [failed.attempt, succeeded.attempt]
      const done = { ...delivery, status: "succeeded", nextAttemptAt: null, attempts } as const
      for (const host of both) {
        yield* equal("the delivery, done", yield* deliveryOn(host, delivery), done)
        yield* equal("the endpoint, well", yield* endpointOn(host, endpoint), { ...endpoint, consecutiveFailures: 0 })
      }
    }),
  },
  {
    id: "settle.retries",
    title: "MUST number a delivery's attempts upwards until it has failed for good, and a redelivery's from 1",
    requirements: ["§6-20", "§6-21", "§8-5", "D25", "D29"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const redelivery = makeDelivery(event, endpoint, {
        createdAt: someTime + 900 * hour,
        nextAttemptAt: someTime + 900 * hour,
      })
      for (const delivery of [firstDelivery(event, endpoint), redelivery]) {
        if (delivery === redelivery) yield* both[1].queue.add(delivery, null)
        let due = delivery.createdAt
        for (const at of upTo(defaultSchedule.length + 1)) {
          const host = turnOf(both, at)
          const claim = yield* claimOf(yield* claimed(host, due), delivery.id)
          yield* equal("the number of the attempt", claim.attempt, at + 1)
          yield* equal("the body", claim.body, event.body)
          const failed = failure(claim, due + 100)
          yield* settleAll(host, [failed])
          due = failed.nextAttemptAt ?? due
        }
        const kept = yield* deliveryOn(both[0], delivery)
        yield* equal("the status", kept.status, "failed")
        yield* equal("next attempt", kept.nextAttemptAt, null)
        yield* equal(
          "the attempts",
          kept.attempts.map(({ number }) => number),
          [1, 2, 3, 4, 5, 6, 7],
        )
        yield* equal("claimable afterwards", (yield* claimed(both[0], due + hour)).size, 0)
      }
      yield* equal("consecutive failures", yield* failures(both[0], endpoint), 14)
    }),
  },
  {
    id: "settle.old",
    title: "MUST change nothing for an outdated claim, and store the outcome of the current one",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const delivery = firstDelivery(event, endpoint)
      const old = yield* claimOf(yield* claimed(both[0]), delivery.id)
      const current = yield* claimOf(yield* claimed(both[1], someTime + minute), delivery.id)
      for (const host of both) {
        for (const late of [failure(old), success(old)]) {
          yield* equal("whether it took effect", yield* host.queue.settle([late], advance), [false])
          yield* equal("the delivery", yield* deliveryOn(host, delivery), delivery)
          yield* equal("the endpoint", yield* endpointOn(host, endpoint), endpoint)
        }
      }
      const failed = failure(current, someTime + minute + 10)
      const together = [success(old), failed, failure(old)]
      const effects = yield* both[0].queue.settle(together, advance)
      yield* equal("which took effect", effects, [false, true, false])
      yield* equal("the attempts", (yield* deliveryOn(both[1], delivery)).attempts, [failed.attempt])
      yield* equal("consecutive failures", yield* failures(both[1], endpoint), 1)
    }),
  },
  {
    id: "settle.unknown",
    title:
      "MUST change nothing for a claim that never existed: with another token, or through another shop or endpoint",
    requirements: ["§5-3", "D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop, { kinds: ["design.created"] })
      const elsewhere = yield* newEndpoint({ id: endpoint.id })
      const [claim] = yield* exactly("the claims", 1, yield* claimsOf(host, endpoint, 1))
      for (const other of [
        { ...claim, token: unique() },
        { ...claim, shop: elsewhere.shop },
        { ...claim, deliveryId: `dlv_${unique(22)}` },
      ]) {
        yield* equal("whether it took effect", yield* host.queue.settle([failure(other)], count), [false])
      }
      for (const one of [endpoint, beside, elsewhere]) yield* equal("failures", yield* failures(host, one), 0)
      yield* equal("the attempts", (yield* logOf(host, endpoint))[0]?.attempts, [])
      yield* settleAll(host, [success(claim)])
    }),
  },
  {
    id: "settle.late",
    title: "MUST store an outcome after the end of the lease if nobody else has claimed the delivery",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [claim] = yield* exactly("the claims", 1, yield* claimsOf(both[0], endpoint, 1))
      yield* settleAll(both[1], [success(claim, someTime + hour)])
      yield* equal("the status", (yield* logOf(both[0], endpoint))[0]?.status, "succeeded")
      yield* equal("claimable afterwards", (yield* claimed(both[0], someTime + 2 * hour)).size, 0)
    }),
  },
  {
    id: "settle.twice",
    title: "MUST store the outcome of a claim once: settled again, in the same call or a later one, it changes nothing",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [claim] = yield* exactly("the claims", 1, yield* claimsOf(host, endpoint, 1))
      const first = failure(claim, someTime + 1_000)
      const effects = yield* host.queue.settle([first, success(claim, someTime + 2_000)], advance)
      yield* equal("which took effect", effects, [true, false])
      for (const again of [first, success(claim)]) {
        yield* equal("whether it took effect", yield* other.queue.settle([again], advance), [false])
      }
      const [delivery] = yield* logOf(host, endpoint)
      yield* equal("the attempts", delivery?.attempts, [first.attempt])
      yield* equal("the status", delivery?.status, "pending")
      yield* equal("consecutive failures", yield* failures(host, endpoint), 1)
    }),
  },
  {
    id: "settle.race",
    rounds: 5,
    title: "MUST store the outcome of a claim once when it is settled many times at once on two hosts",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [claim] = yield* exactly("the claims", 1, yield* claimsOf(both[0], endpoint, 1))
      const effects = yield* Effect.forEach(
        upTo(12),
        (index) => retrying(turnOf(both, index).queue.settle([failure(claim)], count)),
        { concurrency: "unbounded" },
      )
      yield* equal("effective settlements", effects.flat().filter(Boolean).length, 1)
      yield* equal("consecutive failures", yield* failures(both[0], endpoint), 1)
      yield* equal("attempts", (yield* logOf(both[0], endpoint))[0]?.attempts.length, 1)
    }),
  },
  {
    id: "settle.removed",
    title: "MUST store nothing for a delivery whose endpoint was removed, but the rest of the call",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const removed = yield* createEndpoint(endpoint.shop)
      const [event] = yield* happen(endpoint.shop)
      const claims = yield* claimed(both[0])
      const kept = yield* claimOf(claims, firstDeliveryId(event, endpoint))
      const gone = yield* claimOf(claims, firstDeliveryId(event, removed))
      yield* both[1].endpoints.remove(removed.shop, removed.id)
      const effects = yield* both[0].queue.settle([failure(gone), failure(kept), success(gone)], advance)
      yield* equal("which took effect", effects, [false, true, false])
      for (const host of both) {
        yield* equal("its log", yield* logOf(host, removed), [])
        yield* none("it", yield* host.endpoints.find(removed.shop, removed.id))
        yield* equal("the other's failures", yield* failures(host, endpoint), 1)
      }
      // A new endpoint with the same id is unrelated.
      yield* both[0].endpoints.add(removed, 5)
      yield* equal("whether it took effect", yield* both[0].queue.settle([failure(gone)], advance), [false])
      yield* equal("failures of the new endpoint", yield* failures(both[0], removed), 0)
      yield* equal("the log of the new endpoint", yield* logOf(both[0], removed), [])
    }),
  },
  {
    id: "settle.removed.race",
    rounds: 5,
    title: "MUST leave nothing of an endpoint that is removed while its attempts are settled and new events happen",
    requirements: ["D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const round of upTo(6)) {
        const endpoint = yield* newEndpoint()
        const claims = yield* claimsOf(both[0], endpoint, 4)
        const [event] = yield* happen(endpoint.shop, [0], { event: "design.created" })
        yield* Effect.all(
          [
            ...claims.map((claim, index) =>
              Effect.asVoid(retrying(turnOf(both, index).queue.settle([failure(claim)], advance))),
            ),
            retrying(turnOf(both, round).endpoints.remove(endpoint.shop, endpoint.id)),
            retrying(happen(endpoint.shop, [1])),
            ...(event === undefined ? [] : [retrying(both[1].queue.add(makeDelivery(event, endpoint), null))]),
          ],
          { concurrency: "unbounded" },
        )
        yield* equal("its log", yield* logOf(both[0], endpoint), [])
        yield* equal("claimable deliveries", (yield* claimed(both[1], someTime + hour)).size, 0)
      }
    }),
  },
  {
    id: "settle.order",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue],
    title: "MUST apply the settlements of a call in order, each to the health that the previous one left",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const [one, two] = [yield* newEndpoint(), yield* newEndpoint()]
      const ofOne = yield* claimsOf(host, one, 12)
      const ofTwo = yield* claimsOf(host, two, 12)
      const outcomes = upTo(12).map((index) => (index * 7) % 5 < 2)
      const expected = (fails: ReadonlyArray<boolean>) =>
        Number.parseInt(fails.map((fail) => (fail ? "1" : "0")).join(""), 2)
      const settled = (claims: ReadonlyArray<Claim>, fails: ReadonlyArray<boolean>) =>
        claims.map((claim, index) => (fails[index] === true ? failure(claim) : success(claim)))
      // Not in the order of the claims, with two endpoints mixed.
      const mine = settled(ofOne.toReversed(), outcomes)
      const theirs = settled(ofTwo, outcomes.toReversed())
      yield* settleAll(
        host,
        mine.flatMap((first, index) => [first, ...theirs.slice(index, index + 1)]),
        digits,
      )
      yield* equal("the order of one endpoint", yield* failures(host, one), expected(outcomes))
      yield* equal("the order of the other", yield* failures(host, two), expected(outcomes.toReversed()))
    }),
  },
  {
    id: "settle.streak",
    title: "MUST count consecutive failures within one call: a success restarts the count, the twentieth switches off",
    requirements: ["§3-6", "D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint({ consecutiveFailures: 1 })
      const claims = yield* claimsOf(both[0], endpoint, 44)
      const settlements = claims.map((claim, index) =>
        index === 18 ? success(claim, someTime + index) : failure(claim, someTime + index),
      )
      yield* settleAll(both[0], settlements.slice(0, 18))
      yield* equal("after eighteen", yield* endpointOn(both[1], endpoint), {
        ...endpoint,
        consecutiveFailures: 19,
        proven: false,
        troubled: true,
      })
      yield* settleAll(both[1], settlements.slice(18, 38))
      yield* equal("after a success and nineteen failures", yield* endpointOn(both[0], endpoint), {
        ...endpoint,
        consecutiveFailures: 19,
        proven: false,
        troubled: true,
      })
      yield* settleAll(both[0], settlements.slice(38))
      for (const host of both) {
        yield* equal("after the twentieth", yield* endpointOn(host, endpoint), {
          ...endpoint,
          status: "switched_off",
          consecutiveFailures: 20,
          switchedOffAt: someTime + 38,
          proven: false,
          troubled: true,
        })
      }
      const log = yield* logOf(both[0], endpoint)
      yield* equal("attempts in the log", log.flatMap(({ attempts }) => attempts).length, 44)
    }),
  },
  {
    id: "settle.count",
    rounds: 5,
    title: "MUST count every failure of an endpoint whose attempts are settled concurrently on two hosts",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const claims = yield* claimsOf(both[0], endpoint, 60)
      const calls = [
        ...claims.slice(0, 30).map((claim) => [claim]),
        claims.slice(30, 42),
        claims.slice(42, 45),
        claims.slice(45),
      ]
      const effects = yield* Effect.forEach(
        calls,
        (call, index) =>
          retrying(
            turnOf(both, index).queue.settle(
              call.map((claim) => failure(claim)),
              count,
            ),
          ),
        { concurrency: "unbounded" },
      )
      yield* equal("effective settlements", effects.flat().filter(Boolean).length, 60)
      for (const host of both) yield* equal("consecutive failures", yield* failures(host, endpoint), 60)
      const log = yield* logOf(both[0], endpoint)
      yield* equal("attempts in the log", log.flatMap(({ attempts }) => attempts).length, 60)
    }),
  },
  {
    id: "settle.twenty",
    title: "MUST switch off at exactly the twentieth consecutive failure across two hosts, and log attempts under way",
    requirements: ["§3-6", "§6-22", "§8-6", "D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const failing of [19, 20, 40]) {
        const endpoint = yield* newEndpoint()
        const claims = yield* claimsOf(both[0], endpoint, failing)
        const effects = yield* Effect.forEach(
          claims,
          (claim, index) => retrying(turnOf(both, index).queue.settle([failure(claim)], advance)),
          { concurrency: "unbounded" },
        )
        yield* equal("effective settlements", effects.flat().filter(Boolean).length, failing)
        const kept = yield* endpointOn(both[1], endpoint)
        yield* equal(`failures after ${failing}`, kept.consecutiveFailures, Math.min(failing, 20))
        yield* equal(`the status after ${failing}`, kept.status, failing < 20 ? "active" : "switched_off")
        yield* equal("when it was switched off", kept.switchedOffAt, failing < 20 ? null : someTime)
        const log = yield* logOf(both[0], endpoint)
        yield* equal("attempts in the log", log.flatMap(({ attempts }) => attempts).length, failing)
      }
    }),
  },
  {
    id: "settle.crossed",
    rounds: 5,
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue],
    title: "MUST store concurrent calls that settle attempts of the same endpoints, whatever their order in each",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const endpoints = yield* Effect.forEach(upTo(6), (createdAt) => createEndpoint(shop, { createdAt }))
      const events = yield* happen(shop, upTo(8))
      const claims = yield* claimed(both[0], someTime + 10)
      const calls = yield* Effect.forEach(events, (event, index) =>
        Effect.forEach(index % 2 === 0 ? endpoints : endpoints.toReversed(), (endpoint) =>
          Effect.map(claimOf(claims, firstDeliveryId(event, endpoint)), (claim) => failure(claim)),
        ),
      )
      const effects = yield* Effect.forEach(
        calls,
        (call, index) => retrying(turnOf(both, index).queue.settle(call, count)),
        { concurrency: "unbounded" },
      )
      yield* equal("effective settlements", effects.flat().filter(Boolean).length, 48)
      for (const endpoint of endpoints) yield* equal("consecutive failures", yield* failures(both[1], endpoint), 8)
    }),
  },
  {
    id: "settle.shops",
    title: "MUST settle attempts of several shops in one call, even with equal ids of endpoints and deliveries",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id, consecutiveFailures: 5 })
      const untouched = yield* newEndpoint({ id: mine.id, consecutiveFailures: 7 })
      const [event] = yield* happen(mine.shop)
      for (const { shop } of [theirs, untouched]) yield* happen(shop, [0], { id: event?.id ?? "" })
      const claims = yield* host.queue.claim(request())
      const of = ({ shop }: EndpointRecord) =>
        some("the claim", Option.fromUndefinedOr(claims.find((claim) => claim.shop === shop)))
      const failed = failure(yield* of(mine), someTime + 1)
      const succeeded = success(yield* of(theirs), someTime + 2)
      yield* settleAll(host, [failed, succeeded])
      yield* equal("my failures", yield* failures(host, mine), 1)
      yield* equal("their failures", yield* failures(host, theirs), 0)
      yield* equal("failures of a third endpoint", yield* failures(host, untouched), 7)
      for (const [endpoint, attempts] of [
        [mine, [failed.attempt]],
        [theirs, [succeeded.attempt]],
        [untouched, []],
      ] as const) {
        yield* equal("the attempts", (yield* logOf(host, endpoint))[0]?.attempts, attempts)
      }
      const statuses = yield* Effect.forEach([mine, theirs, untouched], (endpoint) =>
        Effect.map(logOf(host, endpoint), (log) => log[0]?.status),
      )
      yield* equal("the statuses", statuses, ["pending", "succeeded", "pending"])
    }),
  },
  {
    id: "settle.test",
    ports: [ShopStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST store the attempt of a test with the endpoint's health that `advance` returns",
    requirements: ["D27", "D30"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint({ consecutiveFailures: 19 })
      const tests = [yield* addTest(endpoint), yield* addTest(endpoint, someTime + 1)]
      const claims = yield* claimed(host, someTime + 1)
      const [first, second] = yield* exactly(
        "the claims",
        2,
        yield* Effect.forEach(tests, ({ id }) => claimOf(claims, id)),
      )
      yield* settleAll(host, [failure(first), success(second)])
      yield* equal("the endpoint", yield* endpointOn(host, endpoint), endpoint)
      const statuses = (yield* logOf(host, endpoint)).map(({ attempts, status }) => [status, attempts.length])
      yield* equal("the log", statuses, [
        ["succeeded", 1],
        ["failed", 1],
      ])
    }),
  },
  {
    id: "settle.health",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue],
    title: "MUST store exactly the health that `advance` returns for exactly the stored health",
    requirements: ["§3-6", "D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint({ consecutiveFailures: 2 })
      const claims = yield* claimsOf(both[0], endpoint, 3)
      const healths: ReadonlyArray<Health.Health> = [
        { status: "switched_off", consecutiveFailures: 20, switchedOffAt: someTime + 1, proven: false, troubled: true },
        { status: "switched_off", consecutiveFailures: 21, switchedOffAt: someTime + 2, proven: true, troubled: false },
        { status: "active", consecutiveFailures: 4, switchedOffAt: null, proven: false, troubled: true },
      ]
      let before: Health.Health = { ...Health.healthy, consecutiveFailures: 2 }
      for (const [index, after] of healths.entries()) {
        let seen: Health.Health | undefined
        const settlements = claims.slice(index, index + 1).map((claim) => failure(claim))
        yield* settleAll(turnOf(both, index), settlements, (health) => {
          seen = Health.of(health)
          return after
        })
        yield* equal("the health passed to advance", seen, before)
        for (const host of both) yield* equal("kept", yield* endpointOn(host, endpoint), { ...endpoint, ...after })
        before = after
      }
    }),
  },
  {
    id: "settle.empty",
    title: "MUST return one result per settlement, none for none, and hundreds at once",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      yield* equal("none", yield* host.queue.settle([], advance), [])
      const endpoint = yield* newEndpoint()
      const claims = yield* claimsOf(host, endpoint, 300)
      const settlements = claims.map((claim, index) =>
        settlement(claim, makeAttempt(claim, someTime + index, { responseStart: `${index} of many`, statusCode: 200 })),
      )
      yield* settleAll(host, settlements)
      const log = yield* logOf(host, endpoint)
      yield* equal(
        "the attempts, newest first",
        log.flatMap(({ attempts }) => attempts),
        settlements.map(({ attempt }) => attempt).toReversed(),
      )
    }),
  },
])
