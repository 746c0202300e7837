/** An export whose shop is removed while it is read must not look whole (D75). */
import { expect } from "@effect/vitest"
import { Context, Effect } from "effect"
import {
  manageKey,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  serve,
  TestHost,
} from "../../conformance/testkit/hosts/TestHost.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"

const page = { limit: 1, bytes: 1_000, after: null, orderedAfter: null }

const removals = ["is gone", "has its row left"] as const

onHosts("An export whose shop is removed meanwhile", [memory, postgres], (it) => {
  for (const kind of ["designs", "orders"]) {
    for (const removal of removals) {
      it.effect(`MUST end with a broken connection if the shop ${removal} after a page of ${kind} (D75)`, () =>
        Effect.gen(function* () {
          const { ports, send } = yield* TestHost
          const shop = yield* newShop(send)
          for (const id of ["d-1", "d-2"]) {
            yield* newDesign(send, shop, id)
            yield* newOrder(send, shop, id, [id])
          }
          const store = Context.get(ports, OrderStore)
          const shops = Context.get(ports, ShopStore)
          const step = Effect.gen(function* () {
            const isGone = yield* shops.remove({ shop: shop.id, now: 0, limit: 1 })
            const left = yield* store.readOrders({ ...page, shop: shop.id })
            return isGone || (removal === "has its row left" && left.total === 0)
          })
          const remove = Effect.repeat(step, { until: (is) => is })
          const removing = Context.add(ports, OrderStore, {
            ...store,
            readDesigns: (query) => Effect.tap(store.readDesigns({ ...query, limit: 1 }), () => remove),
            readOrders: (query) => Effect.tap(store.readOrders({ ...query, limit: 1 }), () => remove),
          })
          const port = yield* serve(removing)
          const ended = yield* Effect.promise(() =>
            fetch(`http://127.0.0.1:${port}/manage/v1/shops/${shop.id}/export?kind=${kind}`, {
              headers: { authorization: `Bearer ${manageKey}` },
            })
              .then((answer) => answer.text())
              .then(
                (text) => `whole: ${text}`,
                () => "broken off",
              ),
          )
          expect(ended).toBe("broken off")
        }),
      )
    }
  }
})
