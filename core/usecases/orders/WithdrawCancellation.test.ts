import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { minute, receive, shopifyWith, statusOf } from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { listAudit } from "../audit/ReadAudit.ts"
import { cancelOrder } from "./CancelOrder.ts"
import { withdrawCancellation } from "./WithdrawCancellation.ts"

const withdraw = (world: World, id = "1") => world.run(withdrawCancellation(world.shop, id))

describe("A kept cancellation that is taken back (D50)", () => {
  it.effect("MUST cancel the order no more when it comes, and have one entry (D50)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.run(cancelOrder(world.shop, "1"))
      expect([yield* withdraw(world), yield* withdraw(world)]).toEqual([true, false])
      yield* world.order("1", ["a"])
      expect(yield* statusOf(world)).toBe("ordered a")
      const { data } = yield* world.run(listAudit(world.shop))
      const found = data.filter(({ action }) => action === "order.cancellation_withdrawn")
      expect(found).toMatchObject([{ subject: { type: "order", id: "1" } }])
    }),
  )

  it.effect("MUST hold for a cancellation of the platform too, which has no end (D50)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const cancelled = shopifyWith(["a"], { cancelledAt: minute(1), updatedAt: minute(1) })
      yield* receive(world, "orders/cancelled", cancelled)
      yield* TestClock.adjust("3 days")
      expect(yield* withdraw(world)).toBe(true)
      // Sent again, it is known.
      yield* receive(world, "orders/cancelled", cancelled)
      expect(yield* receive(world, "orders/create", shopifyWith(["a"]))).toMatchObject({ state: "applied" })
      expect(yield* statusOf(world)).toBe("ordered a")
    }),
  )

  it.effect("MUST NOT be taken back once the order was cancelled, and be none if the order is placed (D50)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["a"])
      expect(yield* withdraw(world)).toBe(false)
      yield* world.cancel("1")
      expect(yield* Effect.flip(withdraw(world))).toMatchObject({ _tag: "Conflict" })
      expect(yield* withdraw(world, "2")).toBe(false)
      expect((yield* Effect.flip(withdraw(world, "\0")))._tag).toBe("NotFound")
      expect((yield* Effect.flip(world.run(withdrawCancellation("nobody", "1"))))._tag).toBe("NotFound")
    }),
  )
})
