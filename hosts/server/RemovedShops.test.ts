/** What calls under way store of a shop that is removed meanwhile (D43). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { place, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inProcess, keyRing, manage, memory, newShop } from "../../conformance/testkit/hosts/TestHost.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import * as Worker from "../worker/index.ts"

/** A store, and calls on it. */
const opened = Effect.gen(function* () {
  const store = yield* memory.open
  const ports = yield* Layer.build(store.ports)
  const run = Effect.provideContext(ports)
  return {
    shared: Layer.succeedContext(ports),
    /** Places an order of a shop, as a call that was under way when it was removed. */
    placeLate: (shop: string) => run(place(shop, "late", someTime)),
    remove: (shop: string) => run(ShopStore.use((shops) => shops.remove({ shop, now: someTime, limit: 1_000 }))),
    placed: (shop: string) =>
      run(OrderStore.use((orders) => Effect.map(orders.order(shop, "late"), ({ _tag }) => _tag))),
  }
})

describe("What a call under way stores of a removed shop", () => {
  it.effect("MUST be gone within a minute on a server without a worker (D43)", () =>
    Effect.gen(function* () {
      const { placeLate, placed, shared } = yield* opened
      const send = yield* inProcess(shared)
      const { id } = yield* newShop(send)
      expect((yield* manage(send, "DELETE", `/shops/${id}`)).status).toBe(204)
      for (const wait of ["1 minute", "20 minutes"] as const) {
        yield* TestClock.adjust(wait)
        yield* placeLate(id)
        expect(yield* placed(id)).toBe("Some")
        yield* TestClock.adjust("1 minute")
        expect(yield* placed(id)).toBe("None")
      }
    }),
  )

  it.effect("MUST be gone within a minute on a worker without a server (D43)", () =>
    Effect.gen(function* () {
      const { placeLate, placed, remove, shared } = yield* opened
      const server = yield* Effect.scoped(Effect.flatMap(inProcess(shared), newShop))
      yield* remove(server.id)
      yield* Layer.build(Layer.provide(Worker.layer({ keyRing }), shared))
      yield* placeLate(server.id)
      yield* TestClock.adjust("1 minute")
      expect(yield* placed(server.id)).toBe("None")
    }),
  )
})
