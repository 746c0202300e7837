import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { layer as memory } from "../../../adapters/memory/index.ts"
import { makeDesign } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { publishCustomizer } from "../catalog/PublishCustomizer.ts"
import { putCustomizer } from "../catalog/PutCustomizer.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { putShop } from "../shops/ManageShops.ts"
import { placeOrder } from "./PlaceOrder.ts"

describe("placeOrder", () => {
  it.effect("MUST refuse more than 32 MiB of designs before it has read them all, and store nothing (D46)", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(Layer.merge(memory, NodeCrypto.layer))
      const orders = Context.get(stores, OrderStore)
      let read = 0
      const long = "x".repeat(256 * 1024)
      const full = OrderStore.of({
        ...orders,
        designs: (shop, ids) => {
          read += ids.length
          return Effect.succeed(ids.map((id) => ({ ...makeDesign(shop, id), wire: long })))
        },
        commit: () => Effect.die("The change must not be stored"),
      })
      const run = Effect.provideContext(Context.add(stores, OrderStore, full))
      yield* run(putShop("s", { domain: "a.example", currency: "EUR", imageBase: "https://i.example" }))
      const lines = Array.from({ length: 1_000 }, (_, line) => ({ designId: `d-${line}`, lineItemId: `${line}` }))
      const error = yield* Effect.flip(
        run(placeOrder("s", "1001", { name: "#1001", orderedAt: "2026-10-05T14:48:00Z", lines })),
      )
      expect(error).toMatchObject({ _tag: "TooLarge", message: expect.stringContaining("at most 32 MiB") })
      expect(read).toBeLessThanOrEqual(192)
    }),
  )

  it.effect("MUST change nothing if the same order is placed between reading the order and its designs (D6)", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(Layer.merge(memory, NodeCrypto.layer))
      const orders = Context.get(stores, OrderStore)
      let early = 0
      const late = OrderStore.of({
        ...orders,
        // The state before the other call.
        order: (shop, id) => Effect.suspend(() => (early-- > 0 ? Effect.succeedNone : orders.order(shop, id))),
      })
      const run = Effect.provideContext(Context.add(stores, OrderStore, late))
      yield* run(putShop("s", { domain: "a.example", currency: "EUR", imageBase: "https://i.example" }))
      const product = { title: "T", platformProductId: "gid://p/Product/1", assetBase: "https://a.example" }
      yield* run(putCustomizer("s", 7, product))
      yield* run(
        publishCustomizer("s", 7, {
          definition: {
            schemaVersion: 1,
            steps: [{ id: "s", title: "S", view: "front" }],
            questions: [],
            rules: [],
          },
        }),
      )
      yield* run(saveDesign("s", "d", { customizerId: 7, selection: {}, basePrice: 100 }))
      const place = run(
        placeOrder("s", "1001", {
          name: "#1001",
          orderedAt: "2026-10-05T14:48:00Z",
          lines: [{ designId: "d", lineItemId: "1" }],
        }),
      )
      const first = yield* place
      early = 1
      const second = yield* Effect.forkChild(place)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(second)).toEqual(first)
      expect(Option.getOrThrow(yield* orders.order("s", "1001")).order.revision).toBe(1)
    }),
  )

  it.effect("MUST report an unknown shop before any other error", () =>
    Effect.gen(function* () {
      const stores = yield* Layer.build(Layer.merge(memory, NodeCrypto.layer))
      const down = new StorageError({ message: "down", cause: undefined, isRetryable: true })
      const failing = OrderStore.of({
        ...Context.get(stores, OrderStore),
        order: () => Effect.fail(down),
        designs: () => Effect.fail(down),
      })
      const good = { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: [{ designId: "d", lineItemId: "1" }] }
      for (const [shop, input] of [
        ["gone", good],
        ["gone", { ...good, lines: [] }],
        ["gone", { ...good, orderedAt: "soon" }],
        ["gone", { ...good, lines: [...good.lines, ...good.lines] }],
        ["no id\u0000", good],
      ] as const) {
        const error = yield* Effect.flip(placeOrder(shop, "1", input)).pipe(
          Effect.provideContext(Context.add(stores, OrderStore, failing)),
        )
        expect(error).toMatchObject({ _tag: "NotFound", message: `There is no shop ${JSON.stringify(shop)}` })
      }
    }),
  )
})
