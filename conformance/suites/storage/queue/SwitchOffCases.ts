import { Effect } from "effect"
import { type Health, newHealth } from "../../../../core/model/Health.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { pausing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, exactly, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { retrying, someTime } from "../support/Fixtures.ts"
import { meanwhile } from "../support/OuterTransactions.ts"
import {
  addTest,
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
  type Host,
  happen,
  hour,
  logOf,
  makeDelivery,
  makeEvent,
  minute,
  newEndpoint,
  newWebhookShop,
  nothing,
  request,
  settleAll,
  success,
  switchedOff,
  switchOff,
  turnOf,
} from "../support/Webhooks.ts"

/** Claims the delivery of a new event of an endpoint, the longest due of all; its failure switches the endpoint off. */
const lastStraw = Effect.fnUntraced(function* (host: Host, endpoint: EndpointRecord) {
  const [event] = yield* happen(endpoint.shop, [-hour])
  const [claim] = yield* host.queue.claim(request({ now: someTime - hour, limit: 1 }))
  yield* equal("what was claimed", claim?.deliveryId, event === undefined ? "" : firstDeliveryId(event, endpoint))
  return claim === undefined ? [] : [claim]
})

/** Switches an endpoint off as its twentieth failure does. */
const turnOff = Effect.fnUntraced(function* (host: Host, endpoint: EndpointRecord) {
  const claims = yield* lastStraw(host, endpoint)
  yield* settleAll(
    host,
    claims.map((claim) => ({ ...failure(claim), status: "failed" as const, nextAttemptAt: null })),
    switchOff,
  )
})

const turnOn = (host: Host, { id, shop }: EndpointRecord) =>
  Effect.flatMap(host.endpoints.update(shop, id, turningOn), (found) => some("the endpoint", found))

const keys = (claims: ReadonlyMap<string, unknown>): ReadonlyArray<string> => [...claims.keys()].toSorted()

/** The contract of `DeliveryQueue`, `EndpointStore` and `DeliveryLog` for switched-off endpoints. */
export const switchOffCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "hold.pending",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST suspend an endpoint's pending deliveries when it is switched off, except tests",
    requirements: ["§3-6", "D28", "D30"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 1, minute])
      const test = yield* addTest(endpoint)
      yield* turnOff(both[0], endpoint)
      const beside = yield* createEndpoint(endpoint.shop)
      const others = yield* happen(endpoint.shop, [2])
      for (const host of both) {
        for (const event of events) {
          const held = firstDelivery(event, endpoint)
          yield* equal("a held delivery", yield* deliveryOn(host, held), held)
        }
      }
      const claims = yield* claimed(both[1], someTime + hour)
      const ids = [test.id, ...others.map((event) => firstDeliveryId(event, beside))]
      yield* equal("claimable deliveries", keys(claims), ids.toSorted())
    }),
  },
  {
    id: "hold.pause",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title:
      "MUST suspend what is pending and make no deliveries while an endpoint is paused, and resume when it is turned on",
    requirements: ["D51", "D28", "D30"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host, other] = both
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const events = yield* happen(endpoint.shop, [0, 1, minute])
      const [held] = [...(yield* claimed(host)).values()].filter(({ endpointId }) => endpointId === endpoint.id)
      yield* equal("what a worker has", held?.deliveryId, firstDeliveryId(events[0], endpoint))
      const test = yield* addTest(endpoint)
      const at = someTime + 5
      const paused = { ...endpoint, status: "paused", switchedOffAt: at } as const
      const pause = (by: Host, when: number) =>
        Effect.flatMap(by.endpoints.update(endpoint.shop, endpoint.id, pausing(when)), (found) =>
          some("the endpoint", found),
        )
      yield* equal("the endpoint", yield* pause(host, at), paused)
      yield* equal("once more", yield* pause(other, at + 1), paused)
      yield* equal("on the other host", yield* endpointOn(other, endpoint), paused)
      const [missed] = yield* happen(endpoint.shop, [2])
      // An attempt that is under way changes nothing about the endpoint, and its retry is held as well.
      if (held !== undefined) yield* settleAll(other, [failure(held)])
      yield* equal("after the attempt", yield* endpointOn(host, endpoint), paused)
      const claims = yield* claimed(host, someTime + hour)
      const own = [...claims.values()].filter(({ endpointId }) => endpointId === endpoint.id)
      yield* equal(
        "claimable while it is paused",
        own.map(({ deliveryId }) => deliveryId),
        [test.id],
      )
      yield* equal("at another endpoint", claims.has(firstDeliveryId(missed, beside)), true)
      yield* equal("missed", yield* host.log.missed(endpoint.shop, endpoint.id, at - 5), 1)
      yield* equal("turned on", yield* turnOn(other, endpoint), { ...endpoint, ...newHealth })
      const resumed = yield* claimed(host, someTime + hour)
      const ids = events.map((event) => firstDeliveryId(event, endpoint)).toSorted()
      const all = [...resumed.values()].filter(({ endpointId }) => endpointId === endpoint.id)
      yield* equal("resumed", all.map(({ deliveryId }) => deliveryId).toSorted(), ids)
      const off = yield* createEndpoint(endpoint.shop, switchedOff)
      const stays = yield* some("it", yield* host.endpoints.update(off.shop, off.id, pausing(at)))
      yield* equal("one that was switched off", stays, off)
    }),
  },
  {
    id: "hold.turn-on",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST resume suspended deliveries when the endpoint is turned on: overdue ones at once, others when due",
    requirements: ["§3-7", "D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 1_000, hour, hour + 1])
      yield* turnOff(both[0], endpoint)
      yield* equal("before it is turned on", (yield* claimed(both[1], someTime + 2 * hour)).size, 0)
      const now = someTime + minute
      const on = yield* turnOn(both[1], endpoint)
      yield* equal("the endpoint", on, { ...endpoint, ...newHealth })
      for (const event of events) {
        const delivery = firstDelivery(event, endpoint)
        yield* equal("when it is due", yield* deliveryOn(both[0], delivery), delivery)
      }
      const ids = events.map((event) => firstDeliveryId(event, endpoint))
      yield* equal("overdue", keys(yield* claimed(both[0], now)), ids.slice(0, 2).toSorted())
      yield* equal(
        "not yet due",
        keys(yield* claimed(both[0], someTime + hour - 1)).filter((id) => ids.indexOf(id) > 1),
        [],
      )
      yield* equal(
        "due",
        keys(yield* claimed(both[1], someTime + hour)).filter((id) => ids.indexOf(id) > 1),
        ids.slice(2, 3),
      )
      yield* equal(
        "due",
        keys(yield* claimed(both[1], someTime + hour + 1)).filter((id) => ids.indexOf(id) > 2),
        ids.slice(3),
      )
    }),
  },
  {
    id: "hold.again",
    title: "MUST suspend and resume each time the endpoint is switched off and turned on",
    requirements: ["§3-6", "§3-7", "D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      const id = firstDeliveryId(event, endpoint)
      for (const round of [0, 1, 2]) {
        const [host, other] = [turnOf(both, round), turnOf(both, round + 1)]
        yield* turnOff(host, endpoint)
        yield* equal("while it is switched off", (yield* claimed(other)).size, 0)
        for (const _ of [1, 2]) yield* turnOn(other, endpoint)
        const claim = yield* claimOf(yield* claimed(host), id)
        yield* turnOn(other, endpoint)
        yield* equal("while the lease runs", (yield* claimed(other)).size, 0)
        yield* host.queue.release([claim])
      }
    }),
  },
  {
    id: "hold.flight",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST store attempts under way at the switch-off, with that health for `advance`, and suspend their retries",
    requirements: ["D27", "D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 0, 0])
      const claims = yield* claimed(host)
      const [first, second, third] = yield* exactly(
        "the claims",
        3,
        yield* Effect.forEach(events, (event) => claimOf(claims, firstDeliveryId(event, endpoint))),
      )
      yield* settleAll(host, [failure(first, someTime + 1)], switchOff)
      const seen: Array<Health["status"]> = []
      const late = [failure(second, someTime + 2), success(third, someTime + 3)]
      yield* settleAll(other, late, (health, settlement) => {
        seen.push(health.status)
        return advance(health, settlement)
      })
      yield* equal("the health passed to advance", seen.slice(-2), ["switched_off", "switched_off"])
      const off = { ...endpoint, ...switchedOff }
      yield* equal("the endpoint", yield* endpointOn(host, endpoint), off)
      const log = new Map((yield* logOf(host, endpoint)).map((delivery) => [delivery.id, delivery]))
      for (const { attempt, claim, nextAttemptAt, status } of late) {
        const kept = log.get(claim.deliveryId)
        yield* equal("the delivery", [kept?.status, kept?.nextAttemptAt], [status, nextAttemptAt])
        yield* equal("its attempts", kept?.attempts, [attempt])
      }
      yield* equal("while it is switched off", (yield* claimed(host, someTime + hour)).size, 0)
      yield* turnOn(host, endpoint)
      yield* equal("before the retries are due", (yield* claimed(host, someTime + minute)).size, 0)
      const retries = yield* claimed(host, someTime + minute + 2)
      yield* equal("the retries", keys(retries), [first.deliveryId, second.deliveryId].toSorted())
      yield* equal(
        "their attempt",
        [...retries.values()].map(({ attempt }) => attempt),
        [2, 2],
      )
    }),
  },
  {
    id: "hold.flight.lost",
    title: "MUST suspend deliveries under way at the switch-off that were never settled, even after the lease",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [0, 0])
      const claims = yield* claimed(host)
      const [failing, lost] = yield* exactly(
        "the claims",
        2,
        yield* Effect.forEach(events, (event) => claimOf(claims, firstDeliveryId(event, endpoint))),
      )
      yield* settleAll(host, [{ ...failure(failing), status: "failed", nextAttemptAt: null }], switchOff)
      for (const now of [someTime, someTime + minute, someTime + hour]) {
        yield* equal("while it is switched off", (yield* claimed(other, now)).size, 0)
      }
      yield* turnOn(other, endpoint)
      yield* equal("while the lease runs", (yield* claimed(other, someTime + minute - 1)).size, 0)
      const again = yield* claimOf(yield* claimed(other, someTime + minute), lost.deliveryId)
      yield* equal("the number of the attempt", again.attempt, 1)
      yield* equal("the lost one", yield* host.queue.settle([success(lost)], advance), [false])
      yield* settleAll(other, [success(again)])
    }),
  },
  {
    id: "hold.same-call",
    title:
      "MUST suspend the retries of all attempts in the call that switched it off, before and after the one that did",
    requirements: ["D27", "D28"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint({ consecutiveFailures: 18 })
      const other = yield* newEndpoint()
      yield* happen(endpoint.shop, [0, 1, 2, 3])
      yield* happen(other.shop, [0])
      const claims = yield* host.queue.claim(request({ now: someTime + 10 }))
      yield* settleAll(
        host,
        claims.map((claim) => failure(claim)),
      )
      yield* equal("the status", (yield* endpointOn(host, endpoint)).status, "switched_off")
      const later = [...(yield* claimed(host, someTime + hour)).values()]
      yield* equal(
        "claimable deliveries",
        later.map(({ endpointId }) => endpointId),
        [other.id],
      )
      yield* turnOn(host, endpoint)
      yield* equal("after it was turned on", (yield* claimed(host, someTime + minute)).size, 4)
    }),
  },
  {
    id: "hold.new",
    title: "MUST create no delivery of events while it is switched off, and do so again once it is turned on",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* turnOff(host, endpoint)
      yield* happen(endpoint.shop, [0])
      yield* turnOn(other, endpoint)
      const [event] = yield* happen(endpoint.shop, [1])
      const ids = event === undefined ? [] : [firstDeliveryId(event, endpoint)]
      yield* equal("claimable deliveries", keys(yield* claimed(host, someTime + hour)), ids)
    }),
  },
  {
    id: "hold.added",
    title: "MUST suspend redeliveries and recovered deliveries while it is switched off, and resume them with the rest",
    requirements: ["D28", "D29", "D30"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint(switchedOff)
      const event = makeEvent(endpoint.shop)
      const redelivery = makeDelivery(event, endpoint)
      yield* host.queue.add(redelivery, event)
      yield* happen(endpoint.shop, [1])
      yield* equal(
        "recovered",
        yield* host.queue.recover({
          shop: endpoint.shop,
          endpointId: endpoint.id,
          since: 0,
          now: someTime + 5,
          run: "run",
        }),
        1,
      )
      const test = yield* addTest(endpoint)
      yield* equal("while it is switched off", keys(yield* claimed(other, someTime + 5)), [test.id])
      yield* turnOn(other, endpoint)
      const claims = yield* claimed(host, someTime + 5)
      yield* equal("after it was turned on", claims.size, 2)
      yield* claimOf(claims, redelivery.id)
    }),
  },
  {
    id: "hold.shops",
    title: "MUST suspend and resume nothing of an endpoint with the same id in another shop",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      yield* happen(mine.shop)
      yield* turnOff(host, mine)
      yield* happen(theirs.shop)
      const claims = yield* host.queue.claim(request())
      yield* equal(
        "claimable deliveries",
        claims.map(({ shop }) => shop),
        [theirs.shop],
      )
      yield* host.queue.release(claims)
      yield* turnOn(host, theirs)
      const again = yield* host.queue.claim(request())
      yield* equal(
        "after theirs was turned on",
        again.map(({ shop }) => shop),
        [theirs.shop],
      )
    }),
  },
  {
    id: "hold.race.commit",
    rounds: 5,
    title: "MUST suspend or not create deliveries of events at the moment of the switch-off",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const round of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const endpoint = yield* newEndpoint()
        const claims = yield* lastStraw(both[0], endpoint)
        const settlements = claims.map((claim) => failure(claim))
        const events = [0, 1, 2, 3].map((time) => makeEvent(endpoint.shop, { createdAt: someTime + time }))
        yield* Effect.all(
          [
            retrying(turnOf(both, round).queue.settle(settlements, switchOff)),
            ...events.map((event, index) =>
              retrying(
                turnOf(both, index).orders.commit({
                  shop: endpoint.shop,
                  designs: [],
                  order: null,
                  events: [event],
                }),
              ),
            ),
          ],
          { concurrency: "unbounded" },
        )
        const left = yield* claimed(both[0], someTime + hour)
        yield* equal("its claimable deliveries", left.size, 0)
      }
    }),
  },
  {
    id: "hold.race.turn-on",
    rounds: 5,
    ports: [ShopStore, EndpointStore, DeliveryQueue],
    title: "MUST resume deliveries added at the moment when it is turned on",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const round of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const endpoint = yield* newEndpoint(switchedOff)
        const events = [0, 1, 2, 3].map(() => makeEvent(endpoint.shop))
        yield* Effect.all(
          [
            retrying(turnOf(both, round).endpoints.update(endpoint.shop, endpoint.id, turningOn)),
            ...events.map((event, index) =>
              retrying(turnOf(both, index).queue.add(makeDelivery(event, endpoint), event)),
            ),
          ],
          { concurrency: "unbounded" },
        )
        yield* equal("its claimable deliveries", (yield* claimed(both[0])).size, 4)
      }
    }),
  },
  {
    id: "hold.transaction.switch-off",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST suspend what an outer transaction adds that is still open when the endpoint is switched off",
    requirements: ["D23", "D28"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const claims = yield* lastStraw(host, endpoint)
      const lost = claims.map((claim) => ({ ...failure(claim), status: "failed" as const, nextAttemptAt: null }))
      const event = makeEvent(endpoint.shop)
      yield* meanwhile(
        host.orders.commit({ shop: endpoint.shop, designs: [], order: null, events: [event] }),
        settleAll(other, lost, switchOff),
      )
      const kept = (yield* logOf(host, endpoint)).filter(({ eventId }) => eventId === event.id)
      yield* equal("while it is switched off", (yield* claimed(host, someTime + hour)).size, 0)
      yield* nothing("later", host, someTime + 2 * hour)
      yield* turnOn(other, endpoint)
      yield* equal("after it was turned on", (yield* claimed(host, someTime + hour)).size, kept.length)
    }),
  },
  {
    id: "hold.transaction.plan",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST suspend what an outer transaction adds that is still open when its shop's plan loses webhooks",
    requirements: ["D8", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const shop = yield* newWebhookShop()
      const endpoint = yield* createEndpoint(shop.id)
      const event = makeEvent(shop.id)
      yield* meanwhile(
        host.orders.commit({ shop: shop.id, designs: [], order: null, events: [event] }),
        other.shops.put({ ...shop, plan: "free" }),
      )
      for (const by of [host, other]) {
        yield* equal("while the plan is free", (yield* claimed(by, someTime + hour)).size, 0)
        yield* nothing("later", by, someTime + 2 * hour)
      }
      const kept = (yield* host.log.list(shop.id, endpoint.id, 10)).length
      yield* host.shops.put(shop)
      yield* equal("when it has them again", (yield* claimed(other, someTime + hour)).size, kept)
    }),
  },
  {
    id: "hold.transaction.turn-on",
    ports: [ShopStore, EndpointStore, DeliveryQueue],
    title: "MUST resume what an outer transaction adds that is still open when the endpoint is turned on",
    requirements: ["D23", "D28"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint(switchedOff)
      const event = makeEvent(endpoint.shop)
      const delivery = makeDelivery(event, endpoint)
      yield* meanwhile(host.queue.add(delivery, event), turnOn(other, endpoint))
      yield* equal("after it was turned on", keys(yield* claimed(host)), [delivery.id])
    }),
  },
  {
    id: "hold.transaction.remove",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog],
    title: "MUST leave nothing of an endpoint that is removed while an open outer transaction adds to it",
    requirements: ["D23", "D31"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const event = makeEvent(endpoint.shop)
      yield* meanwhile(
        host.orders.commit({ shop: endpoint.shop, designs: [], order: null, events: [event] }),
        other.endpoints.remove(endpoint.shop, endpoint.id),
      )
      yield* equal("its log", yield* logOf(host, endpoint), [])
      yield* equal("claimable deliveries", (yield* claimed(host, someTime + hour)).size, 0)
      yield* nothing("later", host, someTime + 2 * hour)
    }),
  },
])
