import { Effect, Option } from "effect"
import type { EventRecord } from "../../../../core/model/events/Event.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, failsWith, none, tagOf } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import {
  changed,
  hostileTexts,
  makeDesign,
  makeOrder,
  makeOrdered,
  retrying,
  someTime,
  unique,
} from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import {
  bothHosts,
  createEndpoint,
  firstDelivery,
  firstDeliveryId,
  type Host,
  happen,
  logOf,
  makeEndpoint,
  makeEvent,
  newEndpoint,
  newWebhookShop,
  sentOf,
  switchedOff,
  turnOf,
} from "../support/Webhooks.ts"

/** The number of stored events of a shop, by what a new endpoint of every kind could still recover. */
const eventsKept = Effect.fnUntraced(function* (host: Host, shop: string) {
  const probe = makeEndpoint(shop, { kinds: ["design.ordered", "order.cancelled", "design.created"] })
  yield* host.endpoints.add(probe, 1_000)
  const kept = yield* host.queue.recover({ shop, endpointId: probe.id, since: 0, now: someTime, run: unique() })
  yield* host.endpoints.remove(shop, probe.id)
  return kept
})

const change = (shop: string, events: ReadonlyArray<EventRecord>) => ({ shop, designs: [], order: null, events })

/** The contract of `OrderStore.commit` for events. */
export const eventCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "events.commit.deliveries",
    title:
      "MUST create one pending delivery of an event, due at once, for exactly the active endpoints that take its kind",
    requirements: ["§6-1", "§6-2", "§6-3", "§6-6", "D22", "D23", "D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      const kindsOf = [
        ["design.ordered"],
        ["order.cancelled"],
        ["design.created"],
        ["design.created", "design.ordered"],
        ["order.cancelled", "design.created", "design.ordered"],
      ] as const
      const endpoints = yield* Effect.forEach(kindsOf, (kinds, createdAt) => createEndpoint(shop, { kinds, createdAt }))
      const off = yield* createEndpoint(shop, { ...switchedOff, kinds: ["design.ordered", "design.created"] })
      const events = (["design.ordered", "order.cancelled", "design.created", "design.ordered"] as const).map(
        (event, index) => makeEvent(shop, { event, createdAt: someTime + index * 1_001 }),
      )
      for (const [index, event] of events.entries()) yield* turnOf(both, index).orders.commit(change(shop, [event]))
      for (const host of both) {
        for (const endpoint of endpoints) {
          const taken = events.filter(({ event }) => endpoint.kinds.some((kind) => kind === event)).toReversed()
          const expected = taken.map((event) => firstDelivery(event, endpoint))
          yield* equal(`deliveries of ${endpoint.kinds}`, yield* logOf(host, endpoint), expected)
          for (const event of taken) {
            const found = yield* host.log.find(shop, endpoint.id, firstDeliveryId(event, endpoint))
            yield* equal(
              "found",
              Option.map(found, sentOf),
              Option.some({ delivery: firstDelivery(event, endpoint), body: event.body }),
            )
          }
        }
        yield* equal("deliveries of a switched-off endpoint", yield* logOf(host, off), [])
      }
      yield* equal("events kept", yield* eventsKept(both[0], shop), 4)
    }),
  },
  {
    id: "events.commit.many",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryLog],
    title: "MUST store every event of a change with its own deliveries, together with the designs and the order",
    requirements: ["D23"],
    run: Effect.gen(function* () {
      const [{ orders }, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const order = makeOrder(shop, "1001")
      const designs = [0, 1, 2].map((at) => makeOrdered(order, `design ${at}`, at))
      const events = designs.map((_, at) => makeEvent(shop, { createdAt: someTime + at }))
      yield* orders.commit({ shop, designs, order, events })
      const expected = events.toReversed().map((event) => firstDelivery(event, endpoint))
      yield* equal("the deliveries", yield* logOf(other, endpoint), expected)
      yield* equal("the order", yield* other.orders.order(shop, "1001"), Option.some({ order, designs }))
    }),
  },
  {
    id: "events.commit.quiet",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryLog, DeliveryQueue],
    title: "MUST store the events of a quiet change in the feed, with no delivery, and others after it as ever",
    requirements: ["D75"],
    run: Effect.gen(function* () {
      const [{ orders }, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const order = makeOrder(shop, "1001")
      const designs = [makeOrdered(order, "design", 0)]
      const [first, second, third] = [0, 1, 2].map((at) => makeEvent(shop, { createdAt: someTime + at })) as [
        ...[EventRecord, EventRecord, EventRecord],
      ]
      yield* orders.commit({ shop, designs, order, events: [first], isQuiet: true })
      const next = { order: makeOrder(shop, "1002"), designs: [], events: [second], isQuiet: true }
      yield* orders.commitOrders(shop, [next])
      yield* equal("no deliveries", yield* logOf(other, endpoint), [])
      yield* orders.commit(change(shop, [third]))
      yield* equal("the one that is not quiet", yield* logOf(other, endpoint), [firstDelivery(third, endpoint)])
      yield* equal("events kept", yield* eventsKept(other, shop), 3)
    }),
  },
  {
    id: "events.orders.together",
    title: "MUST store the events of several new orders with their deliveries, and none of them if an order is stale",
    requirements: ["D75", "D23"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const placing = (id: string, createdAt: number) => {
        const order = makeOrder(shop, id)
        const designs = [makeOrdered(order, `design of ${id}`, 0)]
        return { order, designs, events: [makeEvent(shop, { createdAt })] }
      }
      const [first, second] = [placing("1", someTime), placing("2", someTime + 1)]
      yield* both[0].orders.commitOrders(shop, [first, second])
      const expected = [...second.events, ...first.events].map((event) => firstDelivery(event, endpoint))
      const stale = [placing("3", someTime), placing("1", someTime)]
      yield* failsWith("the commit", "StaleRevision", both[1].orders.commitOrders(shop, stale))
      for (const host of both) yield* equal("the deliveries", yield* logOf(host, endpoint), expected)
      yield* equal("events kept", yield* eventsKept(both[0], shop), 2)
    }),
  },
  {
    id: "events.commit.body",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryLog],
    title: "MUST store a body byte for byte: control characters, astral characters, 300 kilobytes",
    requirements: ["D10", "D21"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      for (const [index, body] of [...hostileTexts, ""].entries()) {
        const host = turnOf(both, index)
        const event = makeEvent(endpoint.shop, { body })
        yield* host.orders.commit(change(endpoint.shop, [event]))
        for (const { log } of both) {
          const found = yield* log.find(endpoint.shop, endpoint.id, firstDeliveryId(event, endpoint))
          yield* equal(
            "the body",
            Option.map(found, (kept) => kept.body),
            Option.some(body),
          )
        }
      }
    }),
  },
  {
    id: "events.commit.stale",
    title: "MUST store neither event nor delivery of a stale change",
    requirements: ["D23"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const order = makeOrder(shop, "1001")
      const [draft, events] = [makeDesign(shop, "draft"), [makeEvent(shop), makeEvent(shop)]]
      yield* both[0].orders.commit({ shop, designs: [draft], order, events: [] })
      const stale = [
        { shop, designs: [makeDesign(shop, "new"), draft], order: null, events },
        { shop, designs: [changed(changed(draft))], order: null, events },
        { shop, designs: [], order, events },
        { shop, designs: [changed(draft)], order: { ...order, revision: 3 }, events },
      ]
      for (const [index, one] of stale.entries()) {
        yield* failsWith("the commit", "StaleRevision", turnOf(both, index).orders.commit(one))
        for (const host of both) {
          yield* equal("the deliveries", yield* logOf(host, endpoint), [])
          yield* equal("events kept", yield* eventsKept(host, shop), 0)
        }
      }
      yield* both[0].orders.commit({ shop, designs: [changed(draft)], order: null, events })
      yield* equal("the deliveries of an accepted change", (yield* logOf(both[1], endpoint)).length, 2)
    }),
  },
  {
    id: "events.commit.race",
    rounds: 5,
    title: "MUST store the event of exactly one of many concurrent changes of one revision: it is sent once",
    requirements: ["§3-4", "§6-1", "D23"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const draft = makeDesign(shop, "draft")
      yield* both[0].orders.commit({ shop, designs: [draft], order: null, events: [] })
      const changes = Array.from({ length: 12 }, () => ({
        shop,
        designs: [changed(draft)],
        order: null,
        events: [makeEvent(shop)],
      }))
      const stored = yield* Effect.forEach(
        changes,
        (one, index) =>
          retrying(turnOf(both, index).orders.commit(one)).pipe(
            Effect.as(one.events),
            Effect.catchIf(
              (error) => tagOf(error) === "StaleRevision",
              () => Effect.succeed([]),
            ),
          ),
        { concurrency: "unbounded" },
      )
      const expected = stored.flat().map((event) => firstDelivery(event, endpoint))
      yield* equal("stored changes", expected.length, 1)
      for (const host of both) yield* equal("the deliveries", yield* logOf(host, endpoint), expected)
      yield* equal("events kept", yield* eventsKept(both[0], shop), 1)
    }),
  },
  {
    id: "events.commit.free",
    title: "MUST store an event of a shop whose plan has no webhooks, without deliveries",
    requirements: ["§1-6", "D8"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = yield* newWebhookShop()
      const endpoint = yield* createEndpoint(shop.id)
      for (const [plan, made, kept] of [
        ["free", 0, 1],
        ["plus", 1, 2],
        ["free", 1, 3],
        ["pro", 2, 4],
      ] as const) {
        yield* both[0].shops.put({ ...shop, plan })
        yield* happen(shop.id, [kept])
        for (const host of both) yield* equal(`deliveries after ${plan}`, (yield* logOf(host, endpoint)).length, made)
        yield* equal(`events after ${plan}`, yield* eventsKept(both[1], shop.id), kept)
      }
    }),
  },
  {
    id: "events.commit.endpoints-now",
    title: "MUST use the endpoints as they are when the event happens",
    requirements: ["D23", "D28", "D31"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const shop = (yield* newWebhookShop()).id
      yield* happen(shop)
      yield* equal("an event without endpoints is kept", yield* eventsKept(host, shop), 1)
      const endpoint = yield* createEndpoint(shop, { kinds: ["order.cancelled"] })
      yield* happen(shop, [1])
      yield* equal("before it takes the kind", yield* logOf(host, endpoint), [])
      yield* other.endpoints.update(shop, endpoint.id, changing({ kinds: ["design.ordered"] }))
      const taken = yield* happen(shop, [2])
      yield* other.endpoints.update(shop, endpoint.id, changing({ kinds: ["design.created"] }))
      yield* happen(shop, [3])
      // D31: not sent any more, but in the log.
      const dropped = { status: "dropped", nextAttemptAt: null } as const
      const expected = taken.map((event) => ({ ...firstDelivery(event, endpoint), ...dropped }))
      yield* equal("events while it took the kind", yield* logOf(host, endpoint), expected)
      yield* other.endpoints.remove(shop, endpoint.id)
      yield* happen(shop, [4])
      yield* host.endpoints.add({ ...endpoint, kinds: ["design.ordered"] }, 5)
      yield* equal("events before it was added", yield* logOf(host, endpoint), [])
    }),
  },
  {
    id: "events.commit.shops",
    title: "MUST keep events of two shops separate, even with equal ids of events and endpoints",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const mine = yield* newEndpoint()
      const theirs = yield* newEndpoint({ id: mine.id })
      const [event] = yield* happen(mine.shop)
      yield* equal("their deliveries", yield* logOf(host, theirs), [])
      yield* equal("their events", yield* eventsKept(host, theirs.shop), 0)
      const other = { ...event, shop: theirs.shop, body: "theirs", createdAt: someTime + 1 }
      yield* host.orders.commit(change(theirs.shop, [other]))
      for (const [endpoint, its] of [
        [mine, event],
        [theirs, other],
      ] as const) {
        const delivery = firstDelivery(its, endpoint)
        yield* equal("the deliveries", yield* logOf(host, endpoint), [delivery])
        const found = yield* host.log.find(endpoint.shop, endpoint.id, delivery.id)
        yield* equal("the body", Option.map(found, sentOf), Option.some({ delivery, body: its.body }))
      }
    }),
  },
  {
    id: "events.transaction.kept",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryLog],
    title: "MUST make events and deliveries part of an outer transaction: visible elsewhere only after it has ended",
    requirements: ["D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [, other] = yield* bothHosts
      const transaction = yield* outerTransaction
      const endpoint = yield* newEndpoint()
      const event = makeEvent(endpoint.shop)
      yield* transaction.run(
        Effect.gen(function* () {
          yield* (yield* OrderStore).commit(change(endpoint.shop, [event]))
          yield* equal("elsewhere", yield* logOf(other, endpoint), [])
        }),
      )
      yield* equal("afterwards", yield* logOf(other, endpoint), [firstDelivery(event, endpoint)])
    }),
  },
  {
    id: "events.transaction.undone",
    title: "MUST store neither event nor delivery of an outer transaction that is rolled back",
    requirements: ["D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const transaction = yield* outerTransaction
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const undone = Effect.gen(function* () {
        const events = [makeEvent(shop), makeEvent(shop)]
        yield* (yield* OrderStore).commit({ shop, designs: [makeDesign(shop, "draft")], order: null, events })
        return yield* Effect.fail("given up")
      })
      yield* equal("the failure", yield* Effect.flip(transaction.run(undone)), "given up")
      for (const host of both) {
        yield* equal("the deliveries", yield* logOf(host, endpoint), [])
        yield* equal("events kept", yield* eventsKept(host, shop), 0)
        yield* none("the design", yield* host.orders.readDesign(shop, "draft"))
      }
    }),
  },
])
