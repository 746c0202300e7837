/** Orders are found although their webhook never came (D88). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { accessKeys, shopifyWorld, wooCommerceWorld } from "../../../conformance/testkit/platforms/PlatformWorld.ts"
import { lineWith, receive, shopifyWith, statusOf } from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { wooCommerceOrder } from "../../../hosts/ingest/samples/WooCommerceOrder.ts"
import { format } from "../../model/Instant.ts"
import { NoticeStore } from "../../ports/NoticeStore.ts"
import { cancelOrder } from "../orders/CancelOrder.ts"
import { readOrder } from "../orders/ReadOrders.ts"
import { placeByHand } from "./ApplyEvent.ts"
import { listInbox } from "./ReadInbox.ts"
import { reconcileDue, reconcileNow } from "./Reconcile.ts"

const hour = 3_600_000

/** A time after the world began, as Shopify writes it in webhooks, and as WooCommerce does. */
const at = (milliseconds: number) => `${format(someTime + milliseconds).slice(0, 19)}+00:00`
const gmt = (milliseconds: number) => format(someTime + milliseconds).slice(0, 19)

const noticesOf = ({ world }: Pick<Effect.Success<ReturnType<typeof shopifyWorld>>, "world">) =>
  NoticeStore.use((notices) => notices.list(world.shop, 100, Number.MAX_SAFE_INTEGER)).pipe(
    Effect.map((records) => records.map(({ body }) => JSON.parse(body))),
    Effect.provideContext(world.ports),
  )

const paths = (server: { readonly requests: ReadonlyArray<{ readonly path: string }> }) =>
  server.requests.map(({ path }) => path)

describe("An order whose webhook never came", () => {
  it.effect("MUST be found within the hour, at Shopify, and be marked so (D88)", () =>
    Effect.gen(function* () {
      const { due, inbox, server, world } = yield* shopifyWorld()
      yield* due
      yield* world.save("a")
      server.orders.set(1, shopifyWith(["a"], { updatedAt: at(60_000) }))
      yield* TestClock.setTime(someTime + 49 * 60_000)
      yield* due
      expect(yield* inbox).toEqual([])
      yield* TestClock.setTime(someTime + hour)
      yield* due
      expect(yield* statusOf(world)).toBe("ordered a")
      expect(yield* inbox).toEqual(["orders/found 1 applied"])
      yield* TestClock.setTime(someTime + 2 * hour)
      yield* due
      expect(yield* inbox).toHaveLength(1)
    }),
  )

  it.effect("MUST be found within the hour, at WooCommerce (D88)", () =>
    Effect.gen(function* () {
      const { due, inbox, server, world } = yield* wooCommerceWorld()
      yield* due
      yield* world.save("a")
      server.orders.set(7, wooCommerceOrder({ id: 7, lines: [lineWith(1, "a")], modifiedAt: gmt(60_000) }))
      yield* TestClock.setTime(someTime + hour)
      yield* due
      expect(yield* inbox).toEqual(["order.found 7 applied"])
      expect(yield* statusOf(world, "7")).toBe("ordered a")
    }),
  )

  it.effect("MUST be found once: what has come in that state adds nothing (D88)", () =>
    Effect.gen(function* () {
      const { due, inbox, server, world } = yield* shopifyWorld()
      yield* world.save("a")
      const order = {
        ...shopifyWith(["a"], { createdAt: "2026-10-05T10:48:00-04:00", updatedAt: at(1_000) }),
        fulfillment_status: "partial",
        fulfillments: [{ status: "success", line_items: [{ id: 1, quantity: 1 }] }],
      }
      server.orders.set(1, order)
      yield* receive(world, "orders/updated", order, { eventId: "e-1", triggeredAt: at(1_500) })
      const before = yield* inbox
      yield* due
      expect(yield* inbox).toEqual(before)
      server.orders.set(1, { ...order, updated_at: at(2_000), financial_status: "refunded" })
      yield* TestClock.setTime(someTime + hour)
      yield* due
      expect((yield* inbox).slice(1)).toEqual(before)
    }),
  )

  it.effect("MUST keep its lines beyond the first 250, and ask no query that is too dear (D81, D88)", () =>
    Effect.gen(function* () {
      const { due, server, world } = yield* shopifyWorld()
      const lines = Array.from({ length: 270 }, (_, index) =>
        index === 269 ? lineWith(270, "last") : { id: index + 1, properties: { note: "none" } },
      )
      yield* world.save("last")
      server.orders.set(1, shopifyOrder({ id: 1, lines, updatedAt: at(0) }))
      for (let id = 2; id < 50; id++) server.orders.set(id, shopifyOrder({ id, lines: [{ id: 1 }], updatedAt: at(id) }))
      yield* due
      expect(yield* statusOf(world)).toBe("ordered last")
      // 3 pages of orders, 2 of lines, the look for orders that are gone, and webhooks.
      expect(server.requests).toHaveLength(7)
    }),
  )

  it.effect("MUST be read whole at WooCommerce, however many were modified in one second (D88)", () =>
    Effect.gen(function* () {
      const { due, inbox, server, world } = yield* wooCommerceWorld()
      for (let id = 1; id <= 350; id++) {
        const lines = id % 50 === 0 ? [lineWith(1, `d-${id}`)] : [{ id: 1 }]
        if (id % 50 === 0) yield* world.save(`d-${id}`)
        const modifiedAt = gmt(id < 120 ? id * 10 : 5_000)
        server.orders.set(id, wooCommerceOrder({ id, lines, modifiedAt }))
      }
      yield* due
      expect(yield* inbox).toHaveLength(7)
    }),
  )

  it.effect("MUST count what was shipped and came back, and lose what was removed (D82, D88)", () =>
    Effect.gen(function* () {
      const { due, server, world } = yield* shopifyWorld()
      for (const design of ["back", "removed", "kept"]) yield* world.save(design)
      yield* receive(world, "orders/create", shopifyWith(["back", "removed", "kept"], { updatedAt: at(0) }))
      const order = shopifyWith(["back", "removed", "kept"], { updatedAt: at(1_000) })
      server.orders.set(1, {
        ...order,
        line_items: order.line_items.map((line) => ({ ...line, current_quantity: line.id === 3 ? 1 : 0 })),
        fulfillments: [{ status: "success", line_items: [{ id: 1, quantity: 1 }] }],
        refunds: [
          {
            refund_line_items: [
              { line_item_id: 1, quantity: 1, restock_type: "return" },
              { line_item_id: 2, quantity: 1, restock_type: "cancel" },
            ],
          },
        ],
      })
      yield* due
      const designs = yield* world.run(statusesOf(world.shop))
      expect(designs).toEqual({ back: "ordered", removed: "cancelled", kept: "ordered" })
    }),
  )

  it.effect("MUST only be reported by a look that stores nothing (D88)", () =>
    Effect.gen(function* () {
      const { connection, inbox, server, world } = yield* shopifyWorld()
      yield* world.save("a")
      server.orders.set(1, shopifyWith(["a"], { updatedAt: at(0) }))
      server.orders.set(2, shopifyOrder({ id: 2, lines: [{ id: 1 }], updatedAt: at(0) }))
      const before = yield* connection
      const [dry] = yield* world.run(reconcileNow({ shop: world.shop, isDry: true }))
      expect(dry?.result).toMatchObject({ success: { changed: 2, found: [{ order: "1", state: null }], gone: [] } })
      expect([yield* inbox, yield* connection]).toEqual([[], before])
      expect(yield* statusOf(world)).toBe("none")
      const since = someTime + 1
      const [none] = yield* world.run(reconcileNow({ shop: world.shop, isDry: false, since }))
      expect(none?.result).toMatchObject({ success: { changed: 2 } })
      expect(yield* statusOf(world)).toBe("ordered a")
      expect(
        yield* Effect.flip(world.run(reconcileNow({ shop: world.shop, platform: "woocommerce", isDry: true }))),
      ).toMatchObject({
        _tag: "NotFound",
      })
    }),
  )
})

/** The statuses of the designs of order 1. */
const statusesOf = (shop: string) =>
  Effect.map(readOrder(shop, "1"), ({ value }) =>
    Object.fromEntries(value.designs.map(({ id, status }) => [id, status])),
  )

describe("An order that the platform no longer has", () => {
  it.effect("MUST be reported once, be cancelled only by a person, and stay if a person says so (D88)", () =>
    Effect.gen(function* () {
      const { due, inbox, server, world } = yield* shopifyWorld()
      for (const design of ["a", "b", "c"]) yield* world.save(design)
      for (const id of [1, 2, 3]) {
        const order = shopifyOrder({ id, lines: [lineWith(1, ["a", "b", "c"][id - 1] ?? "")], createdAt: at(0) })
        yield* receive(world, "orders/create", order)
        if (id === 3) server.orders.set(id, order)
      }
      yield* due
      const reported = Effect.map(inbox, (events) => events.filter((event) => event.includes("missing")).toSorted())
      expect(yield* reported).toEqual(["orders/missing 1 failed", "orders/missing 2 failed"])
      expect([yield* statusOf(world, "1"), yield* statusOf(world, "3")]).toEqual(["ordered a", "ordered c"])
      yield* TestClock.setTime(someTime + hour)
      yield* due
      expect(yield* inbox).toHaveLength(5)
      const { data } = yield* world.run(listInbox(world.shop, { state: "failed" }))
      const second = data.find(({ orderId }) => orderId === "2")
      expect(second?.reason).toContain('no longer has the order "2"')
      yield* world.run(placeByHand(world.shop, second?.id ?? ""))
      yield* world.run(cancelOrder(world.shop, "1"))
      yield* TestClock.setTime(someTime + 2 * hour)
      yield* due
      expect(yield* reported).toEqual(["orders/missing 1 failed", "orders/missing 2 ignored"])
      expect(yield* statusOf(world, "2")).toBe("ordered b")
    }),
  )

  it.effect("MUST be cancelled at WooCommerce if it is in the trash, and reported if it is deleted (D80, D88)", () =>
    Effect.gen(function* () {
      const { due, inbox, server, world } = yield* wooCommerceWorld()
      for (const [id, design] of [
        [1, "a"],
        [2, "b"],
      ] as const) {
        yield* world.save(design)
        const order = wooCommerceOrder({ id, lines: [lineWith(1, design)], createdAt: gmt(0) })
        yield* receive(world, "order.created", order)
        if (id === 1) server.orders.set(1, { ...order, status: "trash", date_modified_gmt: gmt(1_000) })
      }
      yield* due
      expect(yield* inbox).toEqual(expect.arrayContaining(["order.missing 2 failed", "order.found 1 applied"]))
      expect([yield* statusOf(world, "1"), yield* statusOf(world, "2")]).toEqual(["cancelled a", "ordered b"])
    }),
  )
})

describe("A platform that does not answer as it should", () => {
  it.effect("MUST be asked again after the wait that it asks for (D88)", () =>
    Effect.gen(function* () {
      for (const make of [shopifyWorld, wooCommerceWorld]) {
        const { connection, due, server } = yield* make()
        server.faults.throttled = 2
        yield* due
        expect((yield* connection).reconciling).toMatchObject({ trouble: null, askedAt: someTime })
        expect(server.faults.throttled).toBe(0)
      }
    }),
  )

  it.effect("MUST be left alone if it refuses the key, with a notice, and be asked with another one (D85, D88)", () =>
    Effect.gen(function* () {
      const made = yield* shopifyWorld()
      const { connect, connection, due, server } = made
      yield* connect("shpat_a-key-that-is-lost")
      yield* due
      yield* TestClock.setTime(someTime + 49 * 60_000)
      yield* due
      expect(server.requests).toHaveLength(1)
      expect((yield* connection).reconciling.trouble).toMatchObject({ kind: "key", since: expect.any(Number) })
      yield* TestClock.setTime(someTime + hour)
      yield* due
      expect(server.requests).toHaveLength(2)
      expect(yield* noticesOf(made)).toMatchObject([
        { notice: "platform.disconnected", platform: { name: "shopify", reason: expect.stringContaining("(401)") } },
      ])
      yield* connect(accessKeys.shopify)
      yield* due
      expect((yield* connection).reconciling).toMatchObject({ trouble: null, run: null })
    }),
  )

  it.effect.each([
    ["is away", { deadFrom: 1 }],
    ["fails", { status: 503 }],
    ["leads elsewhere", { status: 301 }],
    ["answers half", { isCut: true }],
  ] as const)("MUST be asked again later if it %s, and then lose nothing (D88)", ([, fault]) =>
    Effect.gen(function* () {
      const { connection, due, inbox, server, world } = yield* wooCommerceWorld()
      yield* world.save("a")
      server.orders.set(1, wooCommerceOrder({ id: 1, lines: [lineWith(1, "a")], modifiedAt: gmt(0) }))
      Object.assign(server.faults, fault)
      yield* Fiber.join(yield* Effect.tap(due, () => TestClock.adjust("1 minute")))
      expect((yield* connection).reconciling).toMatchObject({ askedAt: null, trouble: { kind: "outage" } })
      expect(yield* inbox).toEqual([])
      const asked = server.requests.length
      yield* TestClock.setTime(someTime + 5 * 60_000)
      yield* due
      expect(server.requests).toHaveLength(asked)
      for (const name of Object.keys(fault)) Reflect.deleteProperty(server.faults, name)
      yield* TestClock.setTime(someTime + 20 * 60_000)
      yield* due
      expect(yield* inbox).toEqual(["order.found 1 applied"])
      expect((yield* connection).reconciling).toMatchObject({ trouble: null })
    }),
  )

  it.effect("MUST not be asked at an address that endpoints may not have (D34, D88)", () =>
    Effect.gen(function* () {
      const { connection, due, server, world } = yield* shopifyWorld()
      world.outside.lookup = () => Effect.succeed(["10.0.0.1"])
      yield* due
      expect(server.requests).toEqual([])
      expect((yield* connection).reconciling.trouble?.reason).toContain("refused")
    }),
  )
})

describe("Workers that look at platforms", () => {
  it.effect("MUST ask once if two do at the same time (D88)", () =>
    Effect.gen(function* () {
      const { server, world } = yield* shopifyWorld()
      const both = [world.run(reconcileDue({})), world.run(reconcileDue({}))]
      yield* Effect.all(both, { concurrency: "unbounded" })
      expect(paths(server)).toHaveLength(2)
    }),
  )

  it.effect("MUST continue where one was interrupted, and have a platform to themselves until then (D88)", () =>
    Effect.gen(function* () {
      const { connection, due, inbox, server, world } = yield* shopifyWorld()
      for (let id = 1; id <= 60; id++) {
        const design = `d-${id}`
        yield* world.save(design)
        server.orders.set(id, shopifyOrder({ id, lines: [lineWith(1, design)], updatedAt: at(id * 1_000) }))
      }
      server.faults.deadFrom = 3
      const first = yield* due
      expect(server.requests).toHaveLength(3)
      yield* due
      expect(server.requests).toHaveLength(3)
      expect((yield* connection).dueAt).toBeGreaterThan(someTime + 9 * 60_000)
      yield* Fiber.interrupt(first)
      expect(yield* inbox).toHaveLength(40)
      expect((yield* connection).reconciling.run).toMatchObject({
        startedAt: someTime,
        from: Math.floor((someTime + 40_000) / 1_000) * 1_000,
      })
      server.faults.deadFrom = undefined
      server.requests.length = 0
      yield* due
      expect(yield* inbox).toHaveLength(60)
      // Neither the first page nor the second was asked for again.
      expect(JSON.parse(server.requests[0]?.body ?? "").variables.query).toContain(gmt(40_000))
      expect((yield* connection).reconciling).toMatchObject({ run: null, askedAt: someTime })
    }),
  )
})

describe("Webhooks that are gone", () => {
  it.effect("MUST be noticed once they were seen, told once, and be seen again (D85, D88)", () =>
    Effect.gen(function* () {
      const made = yield* wooCommerceWorld()
      const { connection, due, server } = made
      const delivery_url = "https://designs.example.com/ingest/woocommerce/acme"
      yield* due
      expect((yield* connection).reconciling).toMatchObject({ webhooks: [], missing: [] })
      for (const topic of ["order.created", "order.updated"]) {
        const webhook = { id: server.webhooks.length + 1, status: "active", topic, secret: "" }
        server.webhooks.push({ ...webhook, delivery_url: delivery_url.replace("acme", made.world.shop) })
      }
      server.webhooks.push({
        id: 9,
        status: "active",
        topic: "order.deleted",
        secret: "",
        delivery_url: "https://x.example",
      })
      yield* TestClock.setTime(someTime + hour)
      yield* due
      expect((yield* connection).reconciling).toMatchObject({
        webhooks: ["order.created", "order.updated"],
        missing: [],
      })
      for (const webhook of server.webhooks) webhook.status = "disabled"
      for (const hours of [2, 3]) {
        yield* TestClock.setTime(someTime + hours * hour)
        yield* due
      }
      expect((yield* connection).reconciling.missing).toEqual(["order.created", "order.updated"])
      expect(yield* noticesOf(made)).toMatchObject([
        {
          notice: "platform.disconnected",
          platform: { reason: expect.stringContaining("order.created, order.updated") },
        },
      ])
      for (const webhook of server.webhooks) webhook.status = "active"
      yield* TestClock.setTime(someTime + 4 * hour)
      yield* due
      expect((yield* connection).reconciling.missing).toEqual([])
    }),
  )
})
