import { Effect } from "effect"
import { equal, exactly, holds } from "../Assertion.ts"
import { ask, hasKeys, objectOf, textOf } from "./Asking.ts"
import { isRefused, lineOf, newShop, placeOrder, saveDesign, sell, someTime } from "./Filling.ts"
import { addHook, deliveries, logUntil, nothingMore } from "./Hooks.ts"
import { shopInput } from "./Samples.ts"
import { Driver, receiving } from "./ServiceCase.ts"

const isSucceeded = (statuses: ReadonlyArray<string>): boolean =>
  statuses.length > 0 && statuses.every((status) => status === "succeeded")

/** Long enough for a clock to advance: the newer of two deliveries in one millisecond is undefined. */
const aMoment = Effect.sleep("5 millis")

/** Deliveries and their form. */
export const deliveryCases = receiving([
  {
    id: "deliveries.ordered",
    title: "MUST send design.ordered once for each design that an order links, signed, with the bytes of the REST API",
    requirements: [
      ...[
        "§2.5-1",
        "§2.5-2",
        "§2.5-3",
        "§2.5-4",
        "§2.5-5",
        "§2.5-6",
        "§2.5-7",
        "§3-4",
        "§4-11",
        "§5-7",
        "§6-1",
        "§6-5",
      ],
      ...["§6-7", "§6-8", "§6-9", "§6-10", "§6-11", "§6-12", "§9-2", "D10", "D20", "D20a", "D21"],
    ],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      for (const id of ["a", "b"]) yield* saveDesign(shop, id)
      yield* placeOrder(shop, "1001", ["a", "b"])
      const received = yield* deliveries(hook, 2)
      const designs = new Map<string, string>()
      for (const { data, envelope, event, text } of received) {
        yield* equal(
          "event, shop and test",
          [event, envelope["shop"], envelope["test"]],
          ["design.ordered", shopInput.domain, false],
        )
        yield* hasKeys("data", data, ["design"])
        const design = yield* objectOf("data.design", data["design"])
        const id = yield* textOf("id of the design", design["id"])
        const bytes = (yield* ask(shop.token, `/designs/${id}`)).text
        yield* holds(`the delivery has the bytes of /designs/${id}`, text.includes(`"data":{"design":${bytes}}`))
        designs.set(id, text)
      }
      yield* equal("designs", [...designs.keys()].toSorted(), ["a", "b"])
      yield* equal("different events", new Set(received.map(({ id }) => id)).size, 2)
      yield* equal("different deliveries", new Set(received.map(({ deliveryId }) => deliveryId)).size, 2)
      // Platforms report an order again and again.
      yield* placeOrder(shop, "1001", ["a", "b"])
      yield* nothingMore(hook, 2)
    }),
  },
  {
    id: "deliveries.once",
    title: "MUST NOT send again what succeeded, a few seconds later either",
    requirements: ["§6-14", "D26"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* sell(shop, "1001", ["a"])
      yield* deliveries(hook, 1)
      yield* Effect.sleep("5 seconds")
      yield* nothingMore(hook, 1)
    }),
  },
  {
    id: "deliveries.cancelled",
    title:
      "MUST send order.cancelled once with the cancelled order, after earlier events, with the bytes of the REST API",
    requirements: ["§3-5", "§6-2", "§6-5", "D3", "D10"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* sell(shop, "1001", ["a"])
      const [ordered] = yield* deliveries(hook, 1)
      yield* driver.cancelOrder({ shop: shop.id, id: "1001" })
      const [, cancelled] = yield* deliveries(hook, 2)
      yield* equal("the second event", cancelled?.event, "order.cancelled")
      const bytes = (yield* ask(shop.token, "/orders/1001")).text
      yield* holds(
        "the delivery has the bytes of /orders/1001",
        cancelled?.text.includes(`"data":{"order":${bytes}}`) === true,
      )
      const order = yield* objectOf("data.order", cancelled?.data["order"])
      yield* equal("its status", order["status"], "cancelled")
      const [before, after] = [ordered, cancelled].map((each) => Date.parse(String(each?.envelope["createdAt"])))
      yield* holds("the cancellation is not older than the order", (after ?? 0) >= (before ?? 0))
      yield* driver.cancelOrder({ shop: shop.id, id: "1001" })
      yield* nothingMore(hook, 2)
    }),
  },
  {
    id: "deliveries.created",
    title: "MUST send design.created only to endpoints that selected it, once for each design",
    requirements: ["§3-3", "§6-3", "§6-6", "D4", "D31"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const usual = yield* addHook(shop)
      const chosen = yield* addHook(shop, { events: ["design.created"] })
      yield* saveDesign(shop, "a")
      const [created] = yield* deliveries(chosen, 1)
      yield* equal("event", created?.event, "design.created")
      const design = yield* objectOf("data.design", created?.data["design"])
      yield* equal("the design", [design["id"], design["status"]], ["a", "draft"])
      yield* saveDesign(shop, "a", { basePrice: 1 })
      yield* placeOrder(shop, "1", ["a"])
      yield* deliveries(usual, 1)
      yield* nothingMore(chosen, 1)
      yield* equal("deliveries to the endpoint without a selection", usual.received.length, 1)
    }),
  },
  {
    id: "deliveries.endpoints",
    title: "MUST deliver an event to each endpoint of its shop that takes it, with separate deliveries and signatures",
    requirements: ["§5-6", "§6-6", "D22"],
    run: Effect.gen(function* () {
      const [shop, neighbour] = [yield* newShop(), yield* newShop()]
      const [one, two] = [yield* addHook(shop), yield* addHook(shop, { events: ["design.ordered"] })]
      const cancellations = yield* addHook(shop, { events: ["order.cancelled"] })
      const others = yield* addHook(neighbour)
      yield* sell(shop, "1", ["a"])
      const [first] = yield* deliveries(one, 1)
      const [second] = yield* deliveries(two, 1)
      yield* equal("the events", second?.id, first?.id)
      yield* equal("the bodies", second?.text, first?.text)
      yield* holds("the deliveries differ", second?.deliveryId !== first?.deliveryId)
      yield* nothingMore(one, 1)
      yield* equal("deliveries to the others", [cancellations.received.length, others.received.length], [0, 0])
    }),
  },
  {
    id: "deliveries.refused",
    title: "MUST send nothing for a refused change",
    requirements: ["D6", "D23"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* saveDesign(shop, "a")
      const input = { name: "#1", orderedAt: someTime, lines: [lineOf("a"), lineOf("nobodys")] }
      yield* isRefused("the order", driver.putOrder({ shop: shop.id, id: "1", input }), 404)
      yield* nothingMore(hook, 0)
    }),
  },
  {
    id: "deliveries.plan",
    title: "MUST send nothing for a shop outside the plans pro and plus",
    requirements: ["§1-6", "D8"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* saveDesign(shop, "a")
      yield* driver.putShop({ shop: shop.id, input: { ...shopInput, plan: "free" } })
      yield* placeOrder(shop, "1", ["a"])
      yield* nothingMore(hook, 0)
    }),
  },
  {
    id: "deliveries.redeliver",
    title: "MUST redeliver with the same body and event id and a new delivery id, even after a success",
    requirements: ["§6-13", "§6-18", "§2.5-1", "D21", "D22", "D29"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      yield* sell(shop, "1", ["a"])
      yield* hook.until(1)
      const [logged] = yield* exactly("the log", 1, yield* logUntil(shop, hook, isSucceeded))
      const { id } = yield* driver.redeliver({ shop: shop.id, endpoint: hook.id, delivery: logged.id })
      const [first, second] = yield* deliveries(hook, 2)
      yield* equal("the event and the body", [second?.id, second?.text], [first?.id, first?.text])
      yield* equal("the ids of the deliveries", [first?.deliveryId, second?.deliveryId], [logged.id, id])
      yield* holds("they differ", id !== logged.id)
    }),
  },
  {
    id: "deliveries.test.ping",
    title: "MUST send a ping with a message as a test if no design was ever ordered",
    requirements: ["§6-4", "§6-16", "§2.5-7", "D30"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop, { events: ["order.cancelled"] })
      yield* saveDesign(shop, "draft")
      yield* driver.test({ shop: shop.id, endpoint: hook.id })
      const [ping] = yield* deliveries(hook, 1)
      yield* equal("event and test", [ping?.event, ping?.envelope["test"]], ["ping", true])
      yield* hasKeys("data", ping?.data ?? {}, ["message"])
      yield* textOf("data.message", ping?.data["message"])
    }),
  },
  {
    id: "deliveries.test.sample",
    title: "MUST send the last ordered design that is not cancelled as a test, as design.ordered with a new event id",
    requirements: ["§6-16", "§2.5-7", "D30"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      // The order placed last is not the newest.
      yield* sell(shop, "newest", ["a"], "2026-10-07T00:00:00Z")
      yield* sell(shop, "cancelled", ["b"], "2026-10-08T00:00:00Z")
      yield* driver.cancelOrder({ shop: shop.id, id: "cancelled" })
      yield* sell(shop, "older", ["c"], "2026-10-06T00:00:00Z")
      const hook = yield* addHook(shop, { events: ["order.cancelled"] })
      for (let index = 0; index < 2; index++) yield* driver.test({ shop: shop.id, endpoint: hook.id })
      const tests = yield* deliveries(hook, 2)
      for (const { data, envelope, event } of tests) {
        yield* equal("event and test", [event, envelope["test"]], ["design.ordered", true])
        yield* equal("the design", (yield* objectOf("data.design", data["design"]))["id"], "a")
      }
      yield* equal("different events", new Set(tests.map(({ id }) => id)).size, 2)
    }),
  },
  {
    id: "deliveries.log",
    title:
      "MUST log every attempt with its status, duration and the first 1,024 bytes of the response, newest delivery first",
    requirements: ["§8-7", "D26", "D32"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop, {
        reply: (index) => (index === 0 ? { status: 202, body: "x".repeat(2_000) } : { status: 200, body: "thanks" }),
      })
      yield* sell(shop, "1", ["a"])
      yield* hook.until(1)
      yield* aMoment
      yield* sell(shop, "2", ["b"])
      const received = yield* deliveries(hook, 2)
      const log = yield* exactly(
        "the log",
        2,
        yield* logUntil(shop, hook, (all) => all.length === 2 && isSucceeded(all)),
      )
      yield* equal(
        "ids, newest first",
        log.map(({ eventId, id }) => [eventId, id]),
        received.map(({ deliveryId, id }) => [id, deliveryId]).reverse(),
      )
      const [second, first] = log
      for (const [{ attempts }, statusCode, responseStart] of [
        [first, 202, "x".repeat(1_024)],
        [second, 200, "thanks"],
      ] as const) {
        const [attempt] = yield* exactly("its attempts", 1, attempts)
        yield* equal(
          "the attempt",
          { statusCode: attempt.statusCode, responseStart: attempt.responseStart },
          { statusCode, responseStart },
        )
        yield* holds(
          `it took whole milliseconds: ${attempt.durationMs}`,
          Number.isInteger(attempt.durationMs) && attempt.durationMs >= 0,
        )
      }
    }),
  },
  {
    id: "deliveries.log.length",
    title: "MUST keep the newest 50 deliveries of an endpoint in its log",
    requirements: ["§8-7", "D32"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      for (let index = 0; index < 52; index++) {
        yield* driver.test({ shop: shop.id, endpoint: hook.id })
        // One after the other, so that the oldest is known.
        yield* hook.until(index + 1)
        yield* aMoment
      }
      const log = yield* logUntil(shop, hook, (all) => all.length === 50 && isSucceeded(all))
      const received = yield* deliveries(hook, 52)
      yield* equal(
        "the log",
        log.map(({ id }) => id),
        received
          .map(({ deliveryId }) => deliveryId)
          .reverse()
          .slice(0, 50),
      )
    }),
  },
])
