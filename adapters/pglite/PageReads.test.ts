/** Pages of the embedded database, whose one connection all reads share. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import {
  makeOrder,
  makeOrdered,
  newShop,
  someTime,
  wholePage,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { layer } from "./index.ts"

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-pglite-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

it.live("pages that are interrupted MUST give the connection back, and other reads and pages continue (D46)", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryDirectory, "data")
    yield* Effect.gen(function* () {
      const orders = yield* OrderStore
      const shop = yield* newShop
      const order = makeOrder(shop, "1", { orderedAt: someTime })
      yield* orders.commit({ shop, designs: [makeOrdered(order, "d", 0)], order, events: [] })
      const page = orders.readOrders({ shop, ...wholePage })
      for (let times = 0; times < 10; times++) {
        const left = yield* Effect.forkChild(page)
        for (let turns = 0; turns < 20 * times; turns++) yield* Effect.yieldNow
        const stays = yield* Effect.forkChild(page)
        const design = yield* Effect.forkChild(orders.readDesign(shop, "d"))
        yield* Fiber.interrupt(left)
        expect((yield* Fiber.join(stays)).orders).toHaveLength(1)
        expect(Option.isSome(yield* Fiber.join(design))).toBe(true)
      }
    }).pipe(Effect.provide(layer({ directory }), { local: true }))
  }).pipe(Effect.scoped),
)
