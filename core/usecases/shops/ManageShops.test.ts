import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { ShopStore } from "../../ports/ShopStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { Upkeep } from "../../ports/Upkeep.ts"
import { deleteShop, getShop, keepRemovedShopsEmpty, listShops, putShop } from "./ManageShops.ts"

const settings = { domain: "a.example.com", currency: "EUR", imageBase: "https://i.example.com" }

describe("Shops (D8, D43)", () => {
  it.effect("MUST have the plan pro and whole cents by default, and return the stored shop", () =>
    Effect.gen(function* () {
      const { run } = yield* makeWorld()
      const byDefault = { id: "b-1", ...settings, plan: "pro", roundingStep: 1 }
      expect(yield* run(putShop("b-1", settings))).toEqual(byDefault)
      const said = { ...settings, plan: "free", roundingStep: 5 } as const
      expect(yield* run(putShop("a-1", said))).toEqual({ id: "a-1", ...said })
      expect(yield* run(getShop("a-1"))).toEqual({ id: "a-1", ...said })
      expect((yield* run(listShops)).filter(({ id }) => id.endsWith("-1"))).toEqual([{ id: "a-1", ...said }, byDefault])
      expect(yield* run(putShop("a-1", settings))).toEqual({ ...byDefault, id: "a-1" })
    }),
  )

  it.effect("MUST be refused with the name of the invalid field, even the id, and stay as they were", () =>
    Effect.gen(function* () {
      const { run } = yield* makeWorld()
      for (const [id, input, path] of [
        ["c-1", { ...settings, domain: "No" }, "domain"],
        ["c-1", { ...settings, roundingStep: 0 }, "roundingStep"],
        ["C", settings, "id"],
      ] as const) {
        expect(yield* Effect.flip(run(putShop(id, input)))).toMatchObject({
          _tag: "InvalidInput",
          problems: [{ path }],
        })
      }
      expect((yield* Effect.flip(run(getShop("c-1"))))._tag).toBe("NotFound")
    }),
  )

  it.effect("MUST be removed in steps, all as of one instant, until the store reports that they are gone", () =>
    Effect.gen(function* () {
      const { ports, run, shop } = yield* makeWorld()
      const steps: Array<unknown> = []
      const stepwise = ShopStore.of({
        ...Context.get(ports, ShopStore),
        remove: (step) => Effect.sync(() => steps.push(step) === 3),
      })
      yield* run(Effect.provideService(deleteShop(shop), ShopStore, stepwise))
      expect(steps).toEqual(Array(3).fill({ shop, now: someTime, limit: 1000 }))
    }),
  )

  it.effect(
    "MUST be purged in steps until nothing is left, of those removed within a day, and again after a failure",
    () =>
      Effect.gen(function* () {
        const { ports, run } = yield* makeWorld()
        const steps: Array<unknown> = []
        const lines: Array<string> = []
        let isDown = true
        const upkeep = Upkeep.of({
          ...Context.get(ports, Upkeep),
          purgeRemoved: (step) =>
            Effect.suspend(() => {
              if (isDown) return Effect.fail(new StorageError({ message: "down", cause: undefined, isRetryable: true }))
              return Effect.succeed(steps.push(step) % 3 === 0)
            }),
        })
        const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))
        yield* run(Effect.provideService(keepRemovedShopsEmpty, Upkeep, upkeep)).pipe(
          Effect.provide(Logger.layer([logger])),
          Effect.forkChild,
        )
        yield* TestClock.adjust("95 seconds")
        expect(lines).toEqual([expect.stringContaining("Could not clear removed shops")])
        expect(steps).toEqual([])
        isDown = false
        yield* TestClock.adjust("30 seconds")
        const since = someTime + 120_000 - 24 * 60 * 60 * 1000
        expect(steps).toEqual(Array(3).fill({ since, limit: 1000 }))
        yield* TestClock.adjust("30 seconds")
        expect(steps).toHaveLength(6)
      }),
  )
})
