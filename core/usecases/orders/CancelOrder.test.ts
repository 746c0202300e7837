import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { readDesign } from "../catalog/ReadDesign.ts"
import { cancelOrder } from "./CancelOrder.ts"
import { placeOrder } from "./PlaceOrder.ts"
import { readOrder } from "./ReadOrders.ts"

describe("Cancelling an order (§3, D3)", () => {
  it.effect("MUST cancel it and its designs in one change, with tags of the new bytes, and change nothing else", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["a", "b"])
      const { value: placed } = yield* world.run(readOrder(world.shop, "1"))
      const before = yield* world.run(readDesign(world.shop, "a"))
      const cancelled = yield* world.cancel("1")
      expect(cancelled.value).toEqual({
        ...placed,
        status: "cancelled",
        designs: placed.designs.map((design) => ({ ...design, status: "cancelled" })),
      })
      expect(cancelled.etag).toBe(yield* world.run(etagOf(cancelled.text)))
      expect(yield* world.run(readOrder(world.shop, "1"))).toEqual(cancelled)
      const after = yield* world.run(readDesign(world.shop, "a"))
      expect(after.value).toEqual({ ...before.value, status: "cancelled" })
      expect(after.etag).toBe(yield* world.run(etagOf(after.text)))
      const kept = yield* world.run(
        OrderStore.use((orders) => orders.order(world.shop, "1")).pipe(Effect.flatMap(Effect.fromOption)),
      )
      expect([kept.order.revision, ...kept.designs.map(({ revision, status }) => `${status} ${revision}`)]).toEqual([
        2,
        "cancelled 3",
        "cancelled 3",
      ])
    }),
  )

  it.effect("MUST be one event with the cancelled order, once (§6)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["a"])
      const before = world.events.length
      yield* TestClock.adjust(5)
      const cancelled = yield* world.cancel("1")
      yield* TestClock.adjust(5)
      expect(yield* world.cancel("1")).toEqual(cancelled)
      expect(world.events.slice(before)).toEqual([
        {
          shop: world.shop,
          id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
          event: "order.cancelled",
          subject: { order: "1", design: null },
          trace: null,
          test: false,
          createdAt: someTime + 5,
          body: expect.stringContaining(`"data":{"order":${cancelled.text}},"test":false}`),
        },
      ])
    }),
  )
})

describe("Cancelling an order that has not come (D50)", () => {
  const kindsOf = (world: { readonly events: ReadonlyArray<{ readonly event: string }> }) =>
    world.events.map(({ event }) => event).filter((event) => event !== "design.created")

  it.effect("MUST be kept for 24 hours and applied in the change that places it, with both events in order (D50)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const keptUntil = "2096-10-06T14:48:00.123+00:00"
      expect(yield* world.run(cancelOrder(world.shop, "1"))).toEqual({
        message:
          `The shop has no order "1" yet: the cancellation is kept until ${keptUntil}, ` +
          "and applied if the order comes before",
        keptUntil,
      })
      expect((yield* Effect.flip(world.run(readOrder(world.shop, "1"))))._tag).toBe("NotFound")
      yield* TestClock.adjust("1 day")
      yield* TestClock.adjust(-1)
      const order = yield* world.order("1", ["a", "b"])
      expect(order?.value).toMatchObject({
        status: "cancelled",
        designs: [{ status: "cancelled" }, { status: "cancelled" }],
      })
      expect(order?.etag).toBe(yield* world.run(etagOf(order?.text ?? "")))
      expect(yield* world.run(readOrder(world.shop, "1"))).toEqual(order)
      expect(kindsOf(world)).toEqual(["design.ordered", "design.ordered", "order.cancelled"])
      expect(world.events.at(-2)?.body).toContain('"status":"ordered"')
      expect(world.events.at(-1)?.body).toContain(`"data":{"order":${order?.text}}`)
      // Both are final: placed and cancelled again, nothing changes.
      const lines = ["a", "b"].map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))
      const again = { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines }
      expect(yield* world.run(placeOrder(world.shop, "1", again))).toEqual(order)
      expect(yield* world.cancel("1")).toEqual(order)
      expect(kindsOf(world)).toHaveLength(3)
    }),
  )

  it.effect(
    "MUST be nothing for 24 hours if the order came without custom items, and still be applied to later ones (D50)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const cancel = (id: string) => world.run(cancelOrder(world.shop, id))
        const empty = (id: string) =>
          world.run(placeOrder(world.shop, id, { name: `#${id}`, orderedAt: "2026-10-05T14:48:00Z", lines: [] }))
        expect([yield* empty("1"), yield* cancel("1"), yield* cancel("1")]).toEqual([undefined, undefined, undefined])
        expect(yield* cancel("2")).toHaveProperty("keptUntil")
        expect([yield* empty("2"), yield* cancel("2")]).toEqual([undefined, undefined])
        yield* empty("3")
        for (const id of ["1", "2"]) expect((yield* world.order(id, [id]))?.value.status).toBe("cancelled")
        expect((yield* world.order("3", ["3"]))?.value.status).toBe("ordered")
        yield* empty("4")
        yield* TestClock.adjust("24 hours")
        expect(yield* cancel("4")).toHaveProperty("keptUntil")
      }),
  )

  it.effect("MUST NOT be applied after 24 hours, counted from the last cancellation (D50)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.run(cancelOrder(world.shop, "1"))
      yield* world.run(cancelOrder(world.shop, "2"))
      yield* TestClock.adjust("12 hours")
      yield* world.run(cancelOrder(world.shop, "2"))
      yield* TestClock.adjust("12 hours")
      expect((yield* world.order("1", ["a"]))?.value.status).toBe("ordered")
      expect((yield* world.order("2", ["b"]))?.value.status).toBe("cancelled")
      // Nothing is left of the one that ended.
      expect((yield* world.cancel("1")).value.status).toBe("cancelled")
      expect(kindsOf(world)).toEqual(["design.ordered", "design.ordered", "order.cancelled", "order.cancelled"])
    }),
  )
})
