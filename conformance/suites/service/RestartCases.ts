import { Effect } from "effect"
import { equal, holds } from "../Assertion.ts"
import { ask, idsOf, readPage } from "./Asking.ts"
import { newShop, saveDesign, sell, sellSome } from "./Filling.ts"
import { addHook, deliveries } from "./Hooks.ts"
import { Driver, Restart, restarting } from "./ServiceCase.ts"

/** State that a service keeps over a crash. */
export const restartCases = restarting([
  {
    id: "restart.kept",
    title: "MUST answer after a restart as before it: the same tokens, bytes, tags and cursors",
    requirements: ["D14", "D17", "D18"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* sellSome(shop, 3)
      yield* driver.cancelOrder({ shop: shop.id, id: "o-0" })
      yield* saveDesign(shop, "draft")
      const paths = ["/orders", "/orders/o-0", "/designs/d-1", "/designs/draft", "/customizers/101"]
      const answers = Effect.forEach(paths, (path) => ask(shop.token, path))
      const before = yield* answers
      const { nextCursor } = yield* readPage(shop.token, "?limit=1")
      yield* yield* Restart
      for (const [index, { headers, status, text }] of (yield* answers).entries()) {
        yield* equal(`${paths[index]}: status`, status, 200)
        yield* equal(`${paths[index]}: body`, text, before[index]?.text ?? "")
        yield* equal(`${paths[index]}: ETag`, headers["etag"], before[index]?.headers["etag"])
      }
      const rest = yield* readPage(shop.token, `?cursor=${nextCursor}`)
      yield* equal("the page after the cursor", idsOf(rest.orders), ["o-1", "o-0"])
    }),
  },
  {
    id: "restart.retries",
    title: "MUST retry after a restart what had failed before it: the same delivery with the same body",
    requirements: ["§6-13", "§6-20", "D21", "D22"],
    needs: ["receiver", "schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      let isBack = false
      const hook = yield* addHook(shop, { reply: () => (isBack ? 200 : 500) })
      yield* sell(shop, "1", ["a"])
      yield* hook.until(1)
      isBack = true
      const before = hook.received.length
      yield* yield* Restart
      const received = yield* deliveries(hook, before + 1)
      const told = received.map(({ deliveryId, id, text }) => JSON.stringify([deliveryId, id, text]))
      yield* equal("different deliveries, events or bodies", new Set(told).size, 1)
    }),
  },
  {
    id: "restart.committed",
    title: "MUST deliver after a restart the events of every change acknowledged before it",
    requirements: ["D23"],
    needs: ["receiver", "schedule"],
    timeoutMs: 120_000,
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      const hook = yield* addHook(shop)
      for (let index = 0; index < 20; index++) yield* saveDesign(shop, `d-${index}`)
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => index),
        (index) => sell(shop, `o-${index}`, [`d-${index}`]),
        { concurrency: 5 },
      )
      yield* yield* Restart
      // An attempt whose end was not stored is repeated: an event may arrive twice, but must not be lost.
      const events = new Set<string>()
      for (let count = 20; events.size < 20; count++) {
        for (const { id } of yield* deliveries(hook, count)) events.add(id)
      }
      yield* holds(`at most each event twice: ${hook.received.length} requests`, hook.received.length <= 40)
    }),
  },
])
