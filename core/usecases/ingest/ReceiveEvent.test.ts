import { describe, expect, it } from "@effect/vitest"
import { Effect, Metric, Option } from "effect"
import { TestClock } from "effect/testing"
import { ring, ringInput } from "../../../conformance/suites/service/Samples.ts"
import {
  minute as at,
  worldDomain as domain,
  eventOf,
  lineWith as line,
  receive,
  shopifyWith as shopify,
  statusOf,
} from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { shopifyDataRequest, shopifyRedaction } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceDeletion, wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { defaultSettings } from "../../model/ingest/PlatformSettings.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { Inbox } from "../../ports/Inbox.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { readOrder } from "../orders/ReadOrders.ts"
import { getShop } from "../shops/ManageShops.ts"
import { applyEvent, applyWaiting } from "./ApplyEvent.ts"
import { ServiceSettings } from "./Connections.ts"
import { receiveEvent } from "./ReceiveEvent.ts"

const ordersIn = (world: World) => world.events.map(({ event }) => event).filter((event) => event !== "design.created")

describe("An event of a platform (D57)", () => {
  it.effect("MUST be counted once each time it is tried, by what became of it", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      for (const id of ["event-1", "event-1"]) yield* receive(world, "orders/create", shopify(["a"]), id)
      for (const id of ["event-2", "event-2"]) yield* receive(world, "orders/create", shopify(["b"], { id: 2 }), id)
      yield* receive(world, "carts/create", {}, "event-3")
      yield* receive(world, "orders/create", { id: 4 }, "event-4")
      const counted = (yield* Metric.snapshot).filter(({ id }) => id === "designwire_platform_events_total")
      const times = (outcome: string, count: number) => ({
        attributes: { source: "shopify", outcome },
        state: { count, incremental: true },
      })
      expect(counted.map(({ attributes, state }) => ({ attributes, state }))).toEqual([
        times("applied", 1),
        times("waiting", 2),
        times("ignored", 1),
        times("failed", 1),
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.effect("MUST place the order that it is about, and be kept without its body (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const design of ["a", "b"]) yield* world.save(design)
      expect(yield* receive(world, "orders/create", shopify(["a", "b"]), "event-1")).toMatchObject({
        id: expect.stringMatching(/^inb_[0-9A-Za-z]{22}$/),
        source: "shopify",
        topic: "orders/create",
        eventId: "event-1",
        orderId: "1",
        state: "applied",
        reason: null,
      })
      const { value } = yield* world.run(readOrder(world.shop, "1"))
      expect(value).toMatchObject({ name: "#1", orderedAt: "2026-10-05T14:48:00.000+00:00", currency: "EUR" })
      expect(value.designs.map(({ order }) => order?.lineItemId)).toEqual(["1", "2"])
    }),
  )

  it.effect("MUST be applied once, however often it comes (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const first = yield* receive(world, "orders/create", shopify(["a"]), "event-1")
      expect(yield* receive(world, "orders/create", shopify(["a"], { updatedAt: at(1) }), "event-1")).toEqual(first)
      expect(yield* receive(world, "orders/paid", shopify(["a"]), "event-2")).toEqual(first)
      expect(yield* receive(world, "orders/paid", shopify(["a"]))).toEqual(first)
      expect(yield* receive(world, "orders/updated", shopify(["a"], { updatedAt: at(1) }), "event-3")).toMatchObject({
        state: "applied",
      })
      expect(ordersIn(world)).toEqual(["design.ordered"])
    }),
  )

  it.effect("MUST place a new order together with itself, without being kept before (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const design of ["a", "b"]) yield* world.save(design)
      const inbox = yield* Inbox.pipe(Effect.provideContext(world.ports))
      const unused = Inbox.of({ ...inbox, put: () => Effect.die("put"), apply: () => Effect.die("applied") })
      const placing = receiveEvent(world.shop, eventOf("orders/create", shopify(["a"]), { eventId: "event-1" }))
      const placed = yield* world.run(Effect.provideService(placing, Inbox, unused))
      expect(placed).toMatchObject({ state: "applied", reason: null, designId: null, eventId: "event-1" })
      expect(yield* inbox.find(world.shop, placed?.id ?? "")).toEqual(Option.some(placed))
      expect(yield* statusOf(world)).toBe("ordered a")
      // One with the id of another order's event brings no order.
      expect(yield* receive(world, "orders/create", shopify(["b"], { id: 2 }), "event-1")).toEqual(placed)
      expect(yield* statusOf(world, "2")).toBe("none")
    }),
  )

  it.effect("MUST add lines to its order, and change nothing if a newer state came before (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const design of ["a", "b", "c"]) yield* world.save(design)
      yield* receive(world, "orders/create", shopify(["a"]))
      yield* receive(world, "orders/updated", shopify(["a", "b"], { updatedAt: at(2) }))
      expect(yield* receive(world, "orders/updated", shopify(["a", "c"], { updatedAt: at(1) }))).toMatchObject({
        state: "ignored",
        reason: 'A newer state of the order "1" came before',
      })
      expect(yield* statusOf(world)).toBe("ordered a b")
    }),
  )

  it.effect("MUST be ignored if no line has a design", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const none = { state: "ignored", reason: 'No line has the property "_designwire_id"' }
      const lines = [{ id: 1, properties: { Engraving: "Ada" } }]
      expect(yield* receive(world, "orders/create", shopify([], { lines }))).toMatchObject(none)
      const cancelled = shopify([], { lines, cancelledAt: at(1) })
      expect(yield* receive(world, "orders/cancelled", cancelled)).toMatchObject(none)
      expect(yield* receive(world, "products/update", { id: 1 })).toMatchObject({ state: "ignored" })
      expect(yield* statusOf(world)).toBe("none")
    }),
  )

  it.effect("MUST wait for its design, and be applied once that exists (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const waiting = yield* receive(world, "orders/create", shopify(["a", "b"]))
      const reason = 'The shop has no design "b": its line is placed once it has'
      expect(waiting).toMatchObject({ state: "waiting", reason, designId: "b" })
      yield* world.run(applyWaiting())
      expect(yield* statusOf(world)).toBe("ordered a")
      yield* world.save("b")
      yield* world.run(applyWaiting())
      expect(yield* statusOf(world)).toBe("ordered a b")
      expect(yield* world.run(applyEvent(world.shop, waiting?.id ?? ""))).toMatchObject({ state: "applied" })
    }),
  )

  it.effect(
    "MUST say why it can't be applied, and be applied when it is tried again after that has changed (D57)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        yield* world.save("a")
        yield* world.order("2", ["b"])
        const settings = { ...defaultSettings, copies: false }
        const taken = yield* receive(world, "orders/create", shopify(["b"])).pipe(
          Effect.provideService(ServiceSettings, settings),
        )
        expect(taken).toMatchObject({
          state: "failed",
          reason: 'The design "b" belongs to the order "2", and a setting refuses copies',
        })
        const unreadable = { ...shopify(["a"]), line_items: null }
        expect(yield* receive(world, "orders/create", unreadable)).toMatchObject({
          state: "failed",
          reason: expect.stringContaining("line_items"),
        })
        const apply = applyEvent(world.shop, taken?.id ?? "")
        const again = yield* world.run(Effect.provideService(apply, ServiceSettings, settings))
        expect(again).toMatchObject({ state: "failed", reason: taken?.reason })
        expect(yield* world.run(apply)).toMatchObject({ state: "applied" })
        expect((yield* Effect.flip(world.run(applyEvent(world.shop, "inb_none"))))._tag).toBe("NotFound")
      }),
  )

  it.effect.each(["not JSON", "[]", '"text"', "null", "", '\ufeff{"id":1}'])(
    "MUST be refused with the body %j, and not kept",
    (body) =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        // The whole body: its path is empty.
        expect(yield* Effect.flip(receive(world, "orders/create", body))).toMatchObject({
          ...{ _tag: "InvalidInput", problems: [{ path: "" }] },
        })
        const list = Inbox.use((inbox) => inbox.list({ shop: world.shop, state: null, after: null, limit: 10 }))
        expect(yield* list.pipe(Effect.provideContext(world.ports))).toEqual([])
      }),
  )
})

describe("A cancellation of a platform (D57)", () => {
  it.effect("MUST cancel its order, whatever came before or comes after (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const design of ["a", "b"]) yield* world.save(design)
      yield* receive(world, "orders/create", shopify(["a"]))
      const cancelledAt = at(1)
      yield* receive(world, "orders/cancelled", shopify(["a"], { cancelledAt, updatedAt: at(1) }))
      expect(yield* statusOf(world)).toBe("cancelled a")
      expect(yield* receive(world, "orders/updated", shopify(["a", "b"], { updatedAt: at(0) }))).toMatchObject({
        state: "ignored",
      })
      expect(yield* receive(world, "orders/updated", shopify(["a", "b"], { updatedAt: at(2) }))).toMatchObject({
        state: "failed",
        reason: 'The order "1" was cancelled, which is final, and its platform has opened it again',
      })
      expect(ordersIn(world)).toEqual(["design.ordered", "order.cancelled"])
    }),
  )

  it.effect(
    "MUST hold if it comes before its order, also after more than a day, but for a newer state (D57, D80)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        yield* world.save("a")
        const fields = { cancelledAt: at(1), updatedAt: at(1) }
        expect(yield* receive(world, "orders/cancelled", shopify(["a"], fields))).toMatchObject({
          state: "applied",
          reason: expect.stringContaining('The shop has no order "1" yet'),
        })
        yield* TestClock.adjust("3 days")
        expect(yield* receive(world, "orders/create", shopify(["a"]))).toMatchObject({
          state: "ignored",
          reason: 'The order "1" was cancelled before it came',
        })
        expect(yield* statusOf(world)).toBe("none")
        expect(yield* receive(world, "orders/updated", shopify(["a"], { updatedAt: at(2) }))).toMatchObject({
          state: "applied",
        })
        expect(yield* statusOf(world)).toBe("ordered a")
        expect(ordersIn(world)).toEqual(["design.ordered"])
      }),
  )

  it.effect("of WooCommerce MUST be its status, or the deletion of the order", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const design of ["a", "b"]) yield* world.save(design)
      const order = (id: number, design: string) => ({ id, lines: [line(id, design)] })
      yield* receive(world, "order.created", wooCommerceOrder(order(1, "a")))
      yield* receive(world, "order.created", wooCommerceOrder(order(2, "b")))
      // Within the same second.
      yield* receive(world, "order.updated", wooCommerceOrder({ ...order(1, "a"), status: "cancelled" }))
      yield* receive(world, "order.deleted", wooCommerceDeletion(2))
      expect([yield* statusOf(world), yield* statusOf(world, "2")]).toEqual(["cancelled a", "cancelled b"])
    }),
  )
})

describe("A platform's request for privacy (D57)", () => {
  it.effect("MUST redact the named orders of a buyer, and what the inbox has of them (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const selection = { ...ring, engrave: "text", line: { text: "To Ada" }, font: "serif" }
      yield* world.run(saveDesign(world.shop, "a", { ...ringInput, selection }))
      yield* receive(world, "orders/create", shopify(["a"]))
      const kept = yield* receive(world, "orders/create", shopify(["none"], { id: 2 }))
      expect(yield* receive(world, "customers/redact", shopifyRedaction([1, 2, 3], domain))).toMatchObject({
        state: "applied",
        reason: 'Redacted the orders "1"',
      })
      const { text } = yield* world.run(readOrder(world.shop, "1"))
      expect(text).toContain("[redacted]")
      expect(text).not.toContain("To Ada")
      expect(yield* world.run(applyEvent(world.shop, kept?.id ?? ""))).toMatchObject({
        state: "ignored",
        reason: "The buyer's data was redacted",
      })
      expect(yield* receive(world, "customers/redact", shopifyRedaction([9], domain))).toMatchObject({
        state: "ignored",
      })
    }),
  )

  it.effect("MUST redact each of a buyer's orders, wherever it stands among thousands", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const ids = Array.from({ length: 10_002 }, (_, index) => index + 1)
      // The first, the last, and those around the ends of batches.
      const stored = [1, 2, 4_999, 5_000, 5_001, 7_500, 10_000, 10_001, 10_002]
      for (const id of stored) {
        const selection = { ...ring, engrave: "text", line: { text: "To Ada" }, font: "serif" }
        yield* world.run(saveDesign(world.shop, `a-${id}`, { ...ringInput, selection }))
        yield* receive(world, "orders/create", shopify([`a-${id}`], { id }))
      }
      expect(yield* receive(world, "customers/redact", shopifyRedaction(ids, domain))).toMatchObject({
        state: "applied",
        reason: `Redacted the orders ${stored.map((id) => `"${id}"`).join(", ")}`,
      })
      for (const id of stored) {
        const { text } = yield* world.run(readOrder(world.shop, String(id)))
        expect([id, text.includes("[redacted]"), text.includes("To Ada")]).toEqual([id, true, false])
      }
      const store = yield* EventStore.pipe(Effect.provideContext(world.ports))
      const designIds = stored.map((id) => `a-${id}`)
      const events = yield* store.ofDesigns({ shop: world.shop, designIds, after: null, limit: 1_000 })
      expect(events.map(({ body }) => [body.includes("[redacted]"), body.includes("To Ada")])).toEqual(
        Array(2 * stored.length).fill([true, false]),
      )
    }),
  )

  it.effect("MUST name the orders that a buyer asks about", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["a"])
      expect(yield* receive(world, "customers/data_request", shopifyDataRequest([1, 2], domain))).toMatchObject({
        state: "applied",
        reason: 'The buyer asks for the data of the orders "1"',
      })
    }),
  )

  it.effect("MUST remove the shop that it names by its domain, and be done if it is gone (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { domain } = yield* world.run(getShop(world.shop))
      const removal = { shop_id: 954_881, shop_domain: domain.toUpperCase() }
      for (const _ of ["first", "again"]) expect(yield* receive(world, "shop/redact", removal)).toBeUndefined()
      expect((yield* Effect.flip(world.run(getShop(world.shop))))._tag).toBe("NotFound")
      expect((yield* Effect.flip(receive(world, "orders/create", shopify(["a"]))))._tag).toBe("NotFound")
    }),
  )

  it.effect("MUST be kept with the reason if it is to remove another shop, or names none (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { domain } = yield* world.run(getShop(world.shop))
      const but = `, but the domain of "${world.shop}" is "${domain}": if it is this shop, delete it`
      const other = yield* receive(world, "shop/redact", { shop_id: 954_881, shop_domain: "other.myshopify.com" })
      const reason = `The request to remove a shop is for "other.myshopify.com"${but}`
      expect(other).toMatchObject({ state: "failed", reason })
      expect(yield* receive(world, "shop/redact", { shop_id: 1 })).toMatchObject({
        state: "failed",
        reason: `The request to remove a shop names no shop${but}`,
      })
      expect(yield* world.run(applyEvent(world.shop, other?.id ?? ""))).toMatchObject({ state: "failed", reason })
      expect((yield* world.run(getShop(world.shop))).id).toBe(world.shop)
    }),
  )
})

describe("An event that can't be applied at once (D57)", () => {
  it.effect("MUST be kept if the store fails meanwhile, and be applied later (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const inbox = yield* Inbox.pipe(Effect.provideContext(world.ports))
      const orders = yield* OrderStore.pipe(Effect.provideContext(world.ports))
      const receiving = world.run(
        receiveEvent(world.shop, eventOf("orders/create", shopify(["a"]))).pipe(
          Effect.provideService(Inbox, Inbox.of({ ...inbox, apply: () => Effect.never })),
          Effect.provideService(OrderStore, OrderStore.of({ ...orders, commit: () => Effect.never })),
        ),
      )
      const [entry] = yield* Effect.all([receiving, TestClock.adjust("3 seconds")], { concurrency: 2 })
      expect(entry).toMatchObject({ state: "waiting" })
      expect(yield* statusOf(world)).toBe("none")
      yield* world.run(applyWaiting())
      expect(yield* statusOf(world)).toBe("ordered a")
      const kept = yield* inbox.find(world.shop, entry?.id ?? "")
      expect(Option.getOrThrow(kept).state).toBe("applied")
    }),
  )
})
