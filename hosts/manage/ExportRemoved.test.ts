/** An export whose shop is removed while it is read must not look whole (D75). */
import { expect } from "@effect/vitest"
import { Context, Effect } from "effect"
import {
  manage,
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

onHosts("An export whose shop is removed meanwhile", [memory, postgres], (it) => {
  it.effect("MUST end with a broken connection, and in a program with an error (D75)", () =>
    Effect.gen(function* () {
      const { ports, send } = yield* TestHost
      const shop = yield* newShop(send)
      for (const id of ["d-1", "d-2"]) yield* newDesign(send, shop, id)
      yield* newOrder(send, shop, "1001", ["d-1"])
      const store = Context.get(ports, OrderStore)
      const remove = Effect.asVoid(manage(send, "DELETE", `/shops/${shop.id}`))
      // The shop is gone after the first page.
      const removing = Context.add(ports, OrderStore, {
        ...store,
        readDesigns: (query) => Effect.tap(store.readDesigns({ ...query, limit: 1 }), () => remove),
      })
      const port = yield* serve(removing)
      const read = Effect.promise(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/manage/v1/shops/${shop.id}/export?kind=designs`, {
          headers: { authorization: `Bearer ${manageKey}` },
        })
        return {
          status: answer.status,
          ended: await answer.text().then(
            () => "whole",
            () => "broken off",
          ),
        }
      })
      expect(yield* read).toEqual({ status: 200, ended: "broken off" })
    }),
  )
})
