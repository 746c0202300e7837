import { NodeCrypto } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { layer as memory } from "../../../adapters/memory/index.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { publishCustomizer } from "../customizers/PublishCustomizer.ts"
import { putCustomizer } from "../customizers/PutCustomizer.ts"
import { saveDesign } from "../designs/SaveDesign.ts"
import { putShop } from "../ManageShops.ts"
import { placeOrder } from "./PlaceOrder.ts"

describe("placeOrder", () => {
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
