import { Effect } from "effect"
import * as Health from "../../../../core/model/Health.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, exactly } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  advance,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  deliveryOn,
  endpointOn,
  failure,
  firstDelivery,
  firstDeliveryId,
  happen,
  hour,
  logOf,
  makeAttempt,
  makeDelivery,
  makeEvent,
  minute,
  newEndpoint,
  request,
  settleAll,
  settlement,
  success,
  switchedOff,
  switchOff,
} from "../support/Webhooks.ts"

/**
 * The contract of `DeliveryQueue.settle` for calls that mix settlements of different kinds, or endpoints of different
 * health.
 */
export const settleBesideCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "settle.stale.beside",
    title: "MUST store a success alongside one with an outdated claim, and return which of them took effect",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [lost, kept] = yield* happen(endpoint.shop, [0, 1])
      const old = yield* claimOf(yield* claimed(both[0], someTime), firstDeliveryId(lost, endpoint))
      const later = someTime + minute
      const claims = yield* claimed(both[1], later)
      const current = yield* claimOf(claims, firstDeliveryId(lost, endpoint))
      const good = yield* claimOf(claims, firstDeliveryId(kept, endpoint))
      const effects = yield* both[0].queue.settle([success(old, later), success(good, later)], advance)
      yield* equal("which took effect", effects, [false, true])
      const expected = [firstDelivery(kept, endpoint), firstDelivery(lost, endpoint)]
      for (const host of both) {
        const log = yield* logOf(host, endpoint)
        yield* equal("the log", log, [
          { ...expected[0], status: "succeeded", nextAttemptAt: null, attempts: [success(good, later).attempt] },
          expected[1],
        ] as typeof log)
      }
      yield* settleAll(both[1], [success(current, later + 1)])
      yield* equal("its attempts", (yield* deliveryOn(both[0], firstDelivery(lost, endpoint))).attempts, [
        success(current, later + 1).attempt,
      ])
    }),
  },
  {
    id: "settle.twice.success",
    title: "MUST store a success once that appears twice in a call, and return that the second changed nothing",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const claim = yield* claimOf(yield* claimed(host), firstDeliveryId(event, endpoint))
      const [first, second] = [success(claim, someTime + 1), success(claim, someTime + 2)]
      yield* equal("which took effect", yield* host.queue.settle([first, second], advance), [true, false])
      const [delivery] = yield* logOf(host, endpoint)
      yield* equal("the attempts", delivery?.attempts, [first.attempt])
    }),
  },
  {
    id: "settle.lease.ends",
    title: "MUST return the next attempt when it is due, even if the previous lease would still run",
    requirements: ["§6-20", "D25"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const [claim] = yield* exactly(
        "the claim",
        1,
        yield* both[0].queue.claim(request({ leaseUntil: someTime + hour })),
      )
      yield* settleAll(both[0], [failure(claim, someTime + 1)])
      const due = someTime + 1 + minute
      yield* equal("before it is due", (yield* claimed(both[1], due - 1)).size, 0)
      yield* claimOf(yield* claimed(both[1], due), firstDeliveryId(event, endpoint))
    }),
  },
  {
    id: "settle.health.beside",
    title: "MUST give each endpoint of a call the health that `advance` returns, whatever the health of the others",
    requirements: ["§3-6", "D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const good = yield* newEndpoint()
      const failing = yield* createEndpoint(good.shop, { consecutiveFailures: 7 })
      const off = yield* createEndpoint(good.shop)
      const [event] = yield* happen(good.shop)
      const claims = yield* claimed(both[0])
      const [ofGood, ofFailing, ofOff] = yield* exactly(
        "the claims",
        3,
        yield* Effect.forEach([good, failing, off], (endpoint) => claimOf(claims, firstDeliveryId(event, endpoint))),
      )
      // Switched off by another attempt while this one is under way.
      const [again] = yield* happen(good.shop, [1])
      const more = yield* claimed(both[1], someTime + 1)
      yield* settleAll(both[1], [failure(yield* claimOf(more, firstDeliveryId(again, off)))], switchOff)
      yield* settleAll(both[0], [success(ofGood), success(ofFailing)])
      yield* settleAll(both[0], [success(yield* claimOf(more, firstDeliveryId(again, good))), success(ofOff)])
      for (const host of both) {
        yield* equal("in good health", yield* endpointOn(host, good), good)
        yield* equal("failing before", yield* endpointOn(host, failing), { ...failing, consecutiveFailures: 0 })
        yield* equal("switched off", yield* endpointOn(host, off), { ...off, ...switchedOff })
      }
    }),
  },
  {
    id: "settle.health.kept",
    title: "MUST call `advance` with the stored health, whatever it is, even if it leaves a healthy endpoint unchanged",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const kept = [
        { status: "switched_off", consecutiveFailures: 0, switchedOffAt: null, proven: true, troubled: false },
        { status: "active", consecutiveFailures: 1, switchedOffAt: null, proven: true, troubled: false },
        { status: "active", consecutiveFailures: 0, switchedOffAt: someTime, proven: true, troubled: false },
        { status: "active", consecutiveFailures: 0, switchedOffAt: null, proven: false, troubled: false },
        { status: "active", consecutiveFailures: 0, switchedOffAt: null, proven: true, troubled: true },
      ] as const
      for (const health of kept) {
        const endpoint = yield* newEndpoint(health)
        const test = makeEvent(endpoint.shop, { event: "ping", test: true })
        const delivery = makeDelivery(test, endpoint)
        yield* both[0].queue.add(delivery, test)
        const claim = yield* claimOf(yield* claimed(both[0]), delivery.id)
        yield* settleAll(both[1], [success(claim)], () => Health.healthy)
        yield* equal(JSON.stringify(health), yield* endpointOn(both[0], endpoint), { ...endpoint, ...Health.healthy })
      }
    }),
  },
  {
    id: "settle.retry.healthy",
    title: "MUST keep a delivery to be retried pending until its time, even if `advance` leaves its endpoint healthy",
    requirements: ["§6-20", "D27"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const delivery = firstDelivery(event, endpoint)
      const claim = yield* claimOf(yield* claimed(host), delivery.id)
      const again = settlement(claim, makeAttempt(claim, someTime + 5))
      yield* settleAll(host, [again], (health) => health)
      const due = someTime + 5 + minute
      yield* equal("the delivery", yield* deliveryOn(other, delivery), {
        ...delivery,
        nextAttemptAt: due,
        attempts: [again.attempt],
      })
      yield* equal("before it is due", (yield* claimed(other, due - 1)).size, 0)
      yield* claimOf(yield* claimed(other, due), delivery.id)
    }),
  },
])
