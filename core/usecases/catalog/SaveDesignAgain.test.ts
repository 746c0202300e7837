/** A draft that is saved again (§3, D4, D7, D46). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import { format } from "../../model/Instant.ts"
import { maximumDesign } from "../../model/json/JsonSize.ts"
import { putShop } from "../shops/ManageShops.ts"
import { publishCustomizer } from "./PublishCustomizer.ts"
import { saveDesign } from "./SaveDesign.ts"

const ring = { customizerId: 101, selection: { metal: "silver", size: "s54", engrave: "no" }, basePrice: 12_900 }

describe("A draft that is saved again", () => {
  it.effect("MUST keep its time unless another one is given (D4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const save = (fields: { readonly createdAt?: string } = {}) =>
        Effect.map(
          world.run(saveDesign(world.shop, "a", { ...ring, ...fields })),
          ({ created, design }) => [created, design.value.createdAt] as const,
        )
      expect(yield* save()).toEqual([true, format(someTime)])
      yield* TestClock.adjust("1 hour")
      expect(yield* save()).toEqual([false, format(someTime)])
      expect(yield* save({ createdAt: "2026-01-02T03:04:05Z" })).toEqual([false, "2026-01-02T03:04:05.000+00:00"])
      expect(yield* save()).toEqual([false, "2026-01-02T03:04:05.000+00:00"])
      expect(world.events.map(({ event }) => event)).toEqual(["design.created"])
    }),
  )

  it.effect("MUST keep the addresses of its pictures when the shop's addresses change (D7)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const { value: before } = (yield* world.save("a")).design
      yield* world.run(
        putShop(world.shop, { domain: "shop.example.com", currency: "EUR", imageBase: "https://new.example.com" }),
      )
      const { value: after } = (yield* world.save("a")).design
      expect([after.images, after.thumbnail]).toEqual([before.images, before.thumbnail])
      const { value: another } = (yield* world.save("b")).design
      expect(another.thumbnail).toMatch(/^https:\/\/new\.example\.com\//)
    }),
  )
})

describe("A design", () => {
  it.effect("MUST have at most 256 KiB of wire form, counted in bytes (D46)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const definition = (title: string): Definition => ({
        schemaVersion: 1,
        steps: [{ id: "s", title: "S", view: "front" }],
        questions: [
          {
            id: "one",
            step: "s",
            type: "single",
            title: "One",
            answers: [{ id: "a", title: "A", orderValue: title, productionCode: "A" }],
          },
        ],
        rules: [],
      })
      const save = (title: string, id: string) =>
        Effect.andThen(
          world.run(publishCustomizer(world.shop, 101, { definition: definition(title) })),
          world.run(saveDesign(world.shop, id, { customizerId: 101, selection: { one: "a" }, basePrice: 1 })),
        )
      const bytes = (text: string) => new TextEncoder().encode(text).length
      const around = bytes((yield* save("é", "d")).design.text) - bytes("é")
      const room = maximumDesign - around
      const fits = `${"é".repeat(Math.floor(room / 2))}${"x".repeat(room % 2)}`
      expect(bytes((yield* save(fits, "d")).design.text)).toBe(maximumDesign)
      expect(yield* Effect.flip(save(`${fits}x`, "d"))).toMatchObject({
        _tag: "TooLarge",
        message: expect.stringContaining("at most 256 KiB"),
      })
    }),
  )
})
