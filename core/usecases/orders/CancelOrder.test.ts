import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { readDesign } from "../designs/ReadDesign.ts"
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
          test: false,
          createdAt: someTime + 5,
          body: expect.stringContaining(`"data":{"order":${cancelled.text}},"test":false}`),
        },
      ])
    }),
  )
})
