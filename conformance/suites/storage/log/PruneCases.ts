import { Effect } from "effect"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, exactly, holds, none } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { day, retrying, someTime, unique } from "../support/Fixtures.ts"
import { meanwhile, outerTransaction } from "../support/OuterTransactions.ts"
import {
  addDelivery,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  deliveryPorts,
  failure,
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
  prune,
  settleAll,
  success,
  switchOff,
  turnOf,
} from "../support/Webhooks.ts"

const times = [0, 1, 2, 3, 4, 5, 6, 7]

/** The contract of `Upkeep.prune`. */
export const pruneCases = calling(...deliveryPorts)([
  {
    id: "prune.log",
    title: "MUST drop finished deliveries beyond each endpoint's newest, and remember that they were received",
    requirements: ["§8-7", "D28", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const quiet = yield* newEndpoint({ kinds: ["order.cancelled"] })
      const events = yield* happen(endpoint.shop, times)
      yield* happen(quiet.shop, [-5, -4, -3], { event: "order.cancelled" })
      const claims = yield* claimed(both[0], someTime + 10)
      yield* settleAll(
        both[0],
        [...claims.values()].map((claim) => success(claim)),
      )
      const before = yield* logOf(both[0], endpoint)
      const quietly = yield* logOf(both[0], quiet)
      for (const [index, keep] of [8, 3, 3].entries()) {
        yield* prune([turnOf(both, index)], { keep, eventsBefore: 0 })
        for (const host of both) {
          yield* equal(`the log with ${keep} kept`, yield* logOf(host, endpoint), before.slice(0, keep))
          yield* equal("the log of an endpoint with fewer", yield* logOf(host, quiet), quietly)
        }
      }
      const [dropped] = events
      if (dropped !== undefined) {
        yield* none(
          "what was dropped",
          yield* both[0].log.find(endpoint.shop, endpoint.id, firstDeliveryId(dropped, endpoint)),
        )
      }
      yield* equal("missed events", yield* missed(both[0], endpoint), 0)
      const beside = yield* createEndpoint(endpoint.shop)
      yield* equal("missed events of another endpoint", yield* missed(both[1], beside), 8)
    }),
  },
  {
    id: "prune.received",
    title:
      "MUST forget that an event was received once it is dropped, and not before, even for a later event of its id",
    requirements: ["D28", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host, other] = both
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      const [old, kept] = yield* happen(shop, [-20 * day, -10 * day])
      yield* happen(shop, [0])
      const claims = [...(yield* claimed(host, someTime + 10)).values()].filter((claim) => claim.shop === shop)
      yield* settleAll(
        host,
        claims.map((claim) => success(claim)),
      )
      yield* prune(both, { keep: 1, eventsBefore: someTime - 30 * day })
      for (const one of both) yield* equal("missed while they are kept", yield* one.log.missed(shop, id, 0), 0)
      yield* prune(both, { keep: 1, eventsBefore: someTime - 15 * day })
      // The endpoint does not take the kind while the event happens, so that there is no delivery of it.
      yield* other.endpoints.update(shop, id, changing({ kinds: ["order.cancelled"] }))
      yield* happen(shop, [1], { id: old.id })
      yield* other.endpoints.update(shop, id, changing({ kinds: ["design.ordered"] }))
      for (const one of both) yield* equal("missed: the later event", yield* one.log.missed(shop, id, 0), 1)
      const recovery = { shop, endpointId: id, since: 0, now: someTime + 20, run: unique(22) }
      yield* equal("recovered", yield* host.queue.recover(recovery), 1)
      const sent = [...(yield* claimed(host, someTime + 20)).values()].filter((claim) => claim.shop === shop)
      yield* equal(
        "what is sent, and not the event that is kept",
        sent.map(({ eventId }) => eventId),
        [old.id],
      )
      yield* holds("they differ", old.id !== kept.id)
    }),
  },
  {
    id: "prune.log.time",
    title:
      "MUST keep the finished deliveries since a time alongside the newest, over endpoints and steps of any number",
    requirements: ["§8-7", "D32", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const [endpoint, other] = [yield* newEndpoint(), yield* newEndpoint()]
      const beside = yield* createEndpoint(endpoint.shop)
      const all = [endpoint, beside, other]
      // Of each endpoint: two old ones and a pending one, one at the time, and four after it.
      const old = [-9, -8, 0, 1, 2, 3, 4]
      for (const { shop } of [endpoint, other]) yield* happen(shop, old)
      const claims = yield* claimed(host, someTime + 10)
      yield* settleAll(
        host,
        [...claims.values()].map((claim) => success(claim)),
      )
      for (const { shop } of [endpoint, other]) yield* happen(shop, [-7])
      const kept = (steps: { readonly keep: number; readonly keepSince: number | null; readonly limit: number }) =>
        Effect.andThen(
          prune(both, { ...steps, eventsBefore: 0 }),
          Effect.forEach(all, (one) =>
            Effect.map(logOf(host, one), (log) => log.map(({ createdAt }) => createdAt - someTime)),
          ),
        )
      const same = (times: Array<number>) => all.map(() => times)
      for (const limit of [4, 1_000]) {
        const first = yield* kept({ keep: 1, keepSince: someTime - 9, limit })
        yield* equal(`all, ${limit} a step`, first, same([4, 3, 2, 1, 0, -7, -8, -9]))
      }
      const second = yield* kept({ keep: 7, keepSince: someTime, limit: 5 })
      yield* equal("the newest 7", second, same([4, 3, 2, 1, 0, -7, -8]))
      for (const limit of [4, 1_000]) {
        const third = yield* kept({ keep: 2, keepSince: someTime, limit })
        yield* equal(`since the time, ${limit} a step`, third, same([4, 3, 2, 1, 0, -7]))
      }
      yield* equal("without a time", yield* kept({ keep: 2, keepSince: null, limit: 6 }), same([4, 3, -7]))
      yield* equal("missed events", yield* missed(host, endpoint), 0)
    }),
  },
  {
    id: "prune.log.failed",
    title: "MUST also drop permanently failed deliveries from the log, and still count them as missed",
    requirements: ["D28", "D32"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, times)
      const claims = [...(yield* claimed(host, someTime + 10)).values()]
      yield* settleAll(
        host,
        claims.map((claim, index) =>
          index % 2 === 0 ? success(claim) : { ...failure(claim), status: "failed", nextAttemptAt: null },
        ),
      )
      const before = yield* logOf(host, endpoint)
      yield* prune([host], { keep: 2, eventsBefore: 0 })
      yield* equal("the log", yield* logOf(host, endpoint), before.slice(0, 2))
      yield* equal("missed events", yield* missed(host, endpoint), 4)
    }),
  },
  {
    id: "prune.log.ties",
    title: "MUST use the order of the log for the newest: of deliveries created at one instant the greatest ids",
    requirements: ["D32"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, [0, 0, 0, 0, 0, 0])
      const claims = yield* claimed(host)
      yield* settleAll(
        host,
        [...claims.values()].map((claim) => success(claim)),
      )
      const ids = [...claims.keys()].toSorted().toReversed()
      const idsOfLog = Effect.map(logOf(host, endpoint), (log) => log.map(({ id }) => id))
      yield* equal("the log", yield* idsOfLog, ids)
      yield* prune([host], { keep: 4, eventsBefore: 0 })
      yield* equal("the log of four", yield* idsOfLog, ids.slice(0, 4))
    }),
  },
  {
    id: "prune.steps",
    title: "MUST drop the same in steps of any size on any host, and keep what must be kept in each step",
    requirements: ["D32", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      // Rows left by other cases would make many small steps.
      yield* prune(both, { keep: 50, eventsBefore: someTime + hour })
      for (const limit of [1, 7]) {
        const shop = (yield* newWebhookShop()).id
        yield* happen(shop, [-3, -2, -1])
        const endpoints = yield* Effect.forEach([1, 2, 3], (createdAt) => createEndpoint(shop, { createdAt }))
        const events = yield* happen(shop, times)
        const claims = [...(yield* claimed(both[0], someTime + 10)).values()]
        // One delivery per endpoint stays pending: the oldest of the first, the newest of the last.
        const pending = new Set(
          endpoints.map((endpoint, index) => firstDeliveryId(events[3 * index] ?? makeEvent(shop), endpoint)),
        )
        yield* settleAll(
          both[0],
          claims.map((claim) => (pending.has(claim.deliveryId) ? failure(claim) : success(claim))),
        )
        const before = yield* Effect.forEach(endpoints, (endpoint) => logOf(both[0], endpoint))
        yield* prune(both, { keep: 2, eventsBefore: someTime + 5, limit })
        for (const [index, endpoint] of endpoints.entries()) {
          const kept = before[index]?.filter(({ id }, at) => at < 2 || pending.has(id)) ?? []
          yield* equal(`the log of endpoint ${index} in steps of ${limit}`, yield* logOf(both[1], endpoint), kept)
          yield* equal("missed events", yield* missed(both[0], endpoint), 0)
        }
        // The deliveries of 5, 6 and 7 are recent; the deliveries of 0 and 3 are pending.
        const beside = yield* createEndpoint(shop)
        yield* equal(`remaining events in steps of ${limit}`, yield* missed(both[0], beside), 5)
      }
    }),
  },
  {
    id: "prune.one",
    title: "MUST do nothing, without waiting, while another host is running a step",
    requirements: ["D32"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const transaction = yield* outerTransaction
      const endpoint = yield* newEndpoint()
      yield* happen(endpoint.shop, times)
      const claims = yield* claimed(host, someTime + 10)
      yield* settleAll(
        host,
        [...claims.values()].map((claim) => success(claim)),
      )
      const step = { keep: 3, eventsBefore: 0, now: 0, limit: 1_000, after: null }
      yield* transaction.run(
        Effect.gen(function* () {
          yield* host.upkeep.prune(step)
          yield* equal("where the other continues", yield* other.upkeep.prune(step), null)
        }),
      )
      yield* prune([other], step)
      yield* equal("the log", (yield* logOf(host, endpoint)).length, 3)
    }),
  },
  {
    id: "prune.pending",
    title: "MUST drop nothing of a pending delivery, however old: scheduled, suspended or under way",
    requirements: ["D32", "D33"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const off = yield* newEndpoint()
      const events = yield* happen(endpoint.shop, [-40, -30, -20, -10, 0])
      yield* happen(off.shop, [-50, -49, hour])
      const claims = yield* claimed(host)
      const [retried, done, held] = yield* exactly(
        "the claims",
        5,
        yield* Effect.forEach(events, (event) => claimOf(claims, firstDeliveryId(event, endpoint))),
      )
      const ofOff = [...claims.values()].filter(({ endpointId }) => endpointId === off.id)
      yield* settleAll(host, [failure(retried), success(done)])
      yield* settleAll(
        host,
        ofOff.map((claim) => failure(claim)),
        switchOff,
      )
      const before = [yield* logOf(host, endpoint), yield* logOf(host, off)] as const
      yield* prune([host], { keep: 1, eventsBefore: someTime + hour })
      yield* equal(
        "the log",
        yield* logOf(host, endpoint),
        before[0].filter(({ status }) => status === "pending"),
      )
      yield* equal("the log of the switched-off endpoint", yield* logOf(host, off), before[1])
      yield* settleAll(host, [success(held)])
      const again = yield* claimed(host, someTime + hour)
      yield* equal("the body of a retry", (yield* claimOf(again, retried.deliveryId)).body, retried.body)
    }),
  },
  {
    id: "prune.events",
    title: "MUST drop events before the bound that no log shows, with their deliveries, but none at the bound",
    requirements: ["D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const unsent = yield* happen(shop, [-2, -1, 0, 1])
      const endpoint = yield* createEndpoint(shop)
      const events = yield* happen(shop, times)
      const claims = yield* claimed(both[0], someTime + 10)
      yield* settleAll(
        both[0],
        [...claims.values()].map((claim) => success(claim)),
      )
      const before = yield* logOf(both[0], endpoint)
      yield* prune([both[1]], { keep: 2, eventsBefore: someTime + 3 })
      for (const host of both) {
        yield* equal("the log", yield* logOf(host, endpoint), before.slice(0, 2))
        for (const event of events.slice(0, 6)) {
          yield* none("a dropped one", yield* host.log.find(shop, endpoint.id, firstDeliveryId(event, endpoint)))
        }
      }
      const probe = yield* createEndpoint(shop)
      yield* equal("remaining events", yield* missed(both[0], probe), events.length - 3)
      yield* equal("events without deliveries", unsent.length, 4)
      yield* equal("events of these missed by the endpoint", yield* missed(both[1], endpoint), 0)
    }),
  },
  {
    id: "prune.events.bound",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, Upkeep],
    title: "MUST keep events without deliveries until the bound has passed them",
    requirements: ["D33"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* happen(shop, times)
      for (const [bound, left] of [
        [someTime, 8],
        [someTime + 1, 7],
        [someTime + 5, 3],
        [someTime + 8, 0],
      ] as const) {
        yield* prune([host], { keep: 50, eventsBefore: bound })
        const probe = yield* createEndpoint(shop)
        const kept = yield* missed(host, probe)
        yield* host.endpoints.remove(shop, probe.id)
        yield* equal("remaining events", kept, left)
      }
    }),
  },
  {
    id: "prune.events.shown",
    title: "MUST keep an event, however old, while any endpoint's log shows a delivery of it",
    requirements: ["D21", "D33"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const busy = yield* newEndpoint()
      const quiet = yield* createEndpoint(busy.shop, { kinds: ["order.cancelled"] })
      const [old] = yield* happen(busy.shop, [0], { event: "order.cancelled" })
      yield* happen(busy.shop, [1, 2, 3])
      const claims = yield* claimed(host, someTime + 10)
      yield* settleAll(
        host,
        [...claims.values()].map((claim) => success(claim)),
      )
      const before = yield* logOf(host, quiet)
      yield* prune([host], { keep: 2, eventsBefore: someTime + hour })
      yield* equal("the log of the quiet one", yield* logOf(host, quiet), before)
      const redelivery = makeDelivery(old, quiet, { createdAt: someTime + 20, nextAttemptAt: someTime + 20 })
      yield* addDelivery(host, redelivery)
      const claim = yield* claimOf(yield* claimed(host, someTime + 20), redelivery.id)
      yield* equal("the body of a redelivery", claim.body, old.body)
    }),
  },
  {
    id: "prune.add.gone",
    title: "MUST add nothing of a dropped event, and return false: no delivery in a log, none due",
    requirements: ["D29", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [event] = yield* happen(endpoint.shop)
      if (event === undefined) return
      const claims = yield* claimed(both[0])
      yield* settleAll(
        both[0],
        [...claims.values()].map((claim) => success(claim)),
      )
      yield* happen(endpoint.shop, [hour])
      yield* prune([both[0]], { keep: 1, eventsBefore: someTime + 1 })
      const log = yield* logOf(both[0], endpoint)
      for (const host of both) {
        const added = yield* host.queue.add(makeDelivery(event, endpoint), null)
        yield* equal("whether it was added", added, false)
        yield* equal("the log", yield* logOf(host, endpoint), log)
        yield* equal("claimable deliveries", (yield* claimed(host, someTime + minute)).size, 0)
        yield* nothing("until the other one is due", host, someTime + hour - 1)
      }
    }),
  },
  {
    id: "prune.add.open",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, Upkeep],
    title: "MUST keep an event to which an open outer transaction has added a delivery",
    requirements: ["D23", "D33"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const transaction = yield* outerTransaction
      const shop = (yield* newWebhookShop()).id
      const [redelivered, recovered, unused] = yield* happen(shop, [0, 1, 2])
      if (redelivered === undefined || recovered === undefined || unused === undefined) return
      const endpoint = yield* createEndpoint(shop)
      const late = yield* createEndpoint(shop)
      const delivery = makeDelivery(redelivered, endpoint)
      const recovery = { shop, endpointId: late.id, since: recovered.createdAt, now: someTime, run: unique(22) }
      yield* transaction.run(
        Effect.gen(function* () {
          yield* addDelivery(host, delivery)
          yield* prune([other], { keep: 1, eventsBefore: someTime + 1 })
        }),
      )
      yield* transaction.run(
        Effect.gen(function* () {
          yield* equal("recovered deliveries", yield* host.queue.recover(recovery), 2)
          yield* prune([other], { keep: 1, eventsBefore: someTime + hour })
        }),
      )
      const claims = yield* claimed(other, someTime + minute)
      yield* equal("the body of the redelivery", (yield* claimOf(claims, delivery.id)).body, redelivered.body)
      yield* equal("claimable deliveries", claims.size, 3)
    }),
  },
  {
    id: "prune.add.waits",
    title: "MUST NOT add a delivery of an event that a step still running has dropped",
    requirements: ["D33"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const [event] = yield* happen(shop)
      if (event === undefined) return
      const endpoint = yield* createEndpoint(shop)
      yield* meanwhile(
        prune([host], { keep: 1, eventsBefore: someTime + 1 }),
        Effect.flatMap(other.queue.add(makeDelivery(event, endpoint), null), (added) =>
          equal("whether it was added", added, false),
        ),
      )
      yield* equal("the log", yield* logOf(host, endpoint), [])
      yield* nothing("later", host, someTime + 2 * hour)
    }),
  },
  {
    id: "prune.add.race",
    title: "MUST either add a delivery and keep its event, or add none, while the event may be dropped at that moment",
    requirements: ["D29", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const dropping = (host: Host, after: string | null) =>
        host.upkeep.prune({ keep: 1, eventsBefore: someTime + hour, limit: 1_000, now: 0, after })
      const before = yield* positionBefore(shop, dropping)
      for (const round of times) {
        const events = yield* happen(shop, times)
        // It takes other kinds, so that events happen without deliveries to the endpoints of earlier rounds.
        const endpoint = yield* createEndpoint(shop, { kinds: ["order.cancelled"] })
        const [, added] = yield* Effect.all(
          [
            dropping(turnOf(both, round), before),
            Effect.forEach(
              events,
              (event, index) => retrying(turnOf(both, round + index).queue.add(makeDelivery(event, endpoint), null)),
              // From one after the other to all at once: some come before the step, some after it.
              { concurrency: round + 1 },
            ),
          ],
          { concurrency: "unbounded" },
        )
        const expected = added.filter((one) => one).length
        yield* equal("claimable deliveries", (yield* claimed(both[0], someTime + hour)).size, expected)
        yield* equal("deliveries in the log", (yield* logOf(both[1], endpoint)).length, expected)
      }
    }),
  },
])

/**
 * The position before the step that drops a shop's events. A walk from the beginning passes everything that other cases
 * have left: what is added meanwhile would always be there first.
 */
const positionBefore = Effect.fnUntraced(function* (
  shop: string,
  step: (host: Host, after: string | null) => ReturnType<Host["upkeep"]["prune"]>,
) {
  const [host] = yield* bothHosts
  yield* happen(shop, times)
  const finder = yield* createEndpoint(shop)
  let before: string | null = null
  for (;;) {
    const after: string | null = yield* step(host, before)
    if ((yield* host.log.missed(shop, finder.id, 0)) < times.length) break
    yield* holds("pruning drops the events of a shop", after !== null)
    before = after
  }
  yield* host.endpoints.remove(shop, finder.id)
  return before
})

/** The number of events that an endpoint has missed; recovers them. */
const missed = (host: Host, { id, shop }: EndpointRecord) =>
  host.queue.recover({ shop, endpointId: id, since: 0, now: someTime, run: unique(22) })
