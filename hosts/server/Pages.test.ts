/** Pages of orders and events: how many are read at once. */
import { expect } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import {
  bodyOf,
  inProcess,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  read,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"

/** Lets every fiber go as far as it can without an answer of the store. */
const settled = Effect.forEach(Array.from({ length: 200 }), () => Effect.yieldNow, { discard: true })

onHosts("Pages under way", [memory], (it) => {
  it.effect("MUST be at most two of one shop, and other reads continue (D45, D46)", () =>
    Effect.gen(function* () {
      const { ports } = yield* memory.open
      const goOn = yield* Deferred.make<void>()
      let held = ""
      let reading = 0
      const slow = Layer.effectContext(
        Effect.map(Layer.build(ports), (context) => {
          const orders = Context.get(context, OrderStore)
          return Context.add(context, OrderStore, {
            ...orders,
            readOrders: (page) => {
              if (page.shop !== held) return orders.readOrders(page)
              reading += 1
              return Effect.andThen(Deferred.await(goOn), orders.readOrders(page))
            },
          })
        }),
      )
      const send = yield* inProcess(slow)
      const greedy = yield* newShop(send)
      const other = yield* newShop(send)
      for (const shop of [greedy, other]) {
        yield* newDesign(send, shop, "d")
        yield* newOrder(send, shop, "1", ["d"])
      }
      held = greedy.id
      const pages = yield* Effect.forEach(Array.from({ length: 40 }), () =>
        Effect.forkChild(read(send, greedy.token, "/orders")),
      )
      yield* settled
      expect(reading).toBe(2)
      yield* bodyOf(200, yield* read(send, other.token, "/designs/d"))
      yield* bodyOf(200, yield* read(send, other.token, "/orders"))
      yield* bodyOf(200, yield* read(send, greedy.token, "/designs/d"))
      expect(reading).toBe(2)
      yield* Deferred.succeed(goOn, undefined)
      for (const answer of yield* Fiber.joinAll(pages)) yield* bodyOf(200, answer)
      expect(reading).toBe(40)
    }),
  )
})
