/** An export whose shop is removed while it is read must not look whole (D75). */
import { connect } from "node:net"
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

/** How an answer to HTTP/1.0 ends, which has no length: as proxies ask a server unless they are told otherwise. */
const endOfOldRequest = (port: number, path: string) =>
  new Promise<string>((resolve) => {
    let text = ""
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${manageKey}\r\n\r\n`),
    )
    socket.setEncoding("utf8")
    socket.on("data", (part: string) => (text += part))
    socket.on("error", () => resolve("broken off"))
    socket.on("end", () => resolve(`whole: ${text}`))
  })

const removals = ["is gone", "has its row left"] as const

onHosts("An export whose shop is removed meanwhile", [memory, postgres], (it) => {
  for (const kind of ["designs", "orders"]) {
    for (const removal of removals) {
      it.effect(`MUST end with a broken connection if the shop ${removal} after a page of ${kind} (D75)`, () =>
        Effect.gen(function* () {
          const { ports, send } = yield* TestHost
          const [shop, other] = [yield* newShop(send), yield* newShop(send)]
          for (const id of ["d-1", "d-2"]) {
            for (const each of [shop, other]) {
              yield* newDesign(send, each, id)
              yield* newOrder(send, each, id, [id])
            }
          }
          const store = Context.get(ports, OrderStore)
          const shops = Context.get(ports, ShopStore)
          const step = Effect.fnUntraced(function* (id: string) {
            const isGone = yield* shops.remove({ shop: id, now: 0, limit: 1 })
            const left = yield* store.readOrders({ ...page, shop: id })
            return isGone || (removal === "has its row left" && left.total === 0)
          })
          const remove = (id: string) => Effect.repeat(step(id), { until: (is) => is })
          const removing = Context.add(ports, OrderStore, {
            ...store,
            readDesigns: (query) => Effect.tap(store.readDesigns({ ...query, limit: 1 }), () => remove(query.shop)),
            readOrders: (query) => Effect.tap(store.readOrders({ ...query, limit: 1 }), () => remove(query.shop)),
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
          const path = `/manage/v1/shops/${other.id}/export?kind=${kind}`
          expect(yield* Effect.promise(() => endOfOldRequest(port, path))).toBe("broken off")
        }),
      )
    }
  }
})
