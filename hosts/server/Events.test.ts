/** `GET /events`: D39. The service suite has the rules for any service. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { embedded } from "../../conformance/testkit/hosts/Embedded.ts"
import {
  type Answer,
  bodyOf,
  type Json,
  manage,
  memory,
  newDesign,
  newOrder,
  newShop,
  onHosts,
  postgres,
  read,
  type Send,
  TestHost,
  type TestShop,
} from "../../conformance/testkit/hosts/TestHost.ts"

const pagination = (page: Json) => page["pagination"] as Json
/** Two designs, an order of both, and its cancellation: five events. */
const happenings = Effect.fnUntraced(function* (send: Send, shop: TestShop, order = "1001") {
  yield* newDesign(send, shop, `${order}-a`)
  yield* newDesign(send, shop, `${order}-b`)
  yield* newOrder(send, shop, order, [`${order}-a`, `${order}-b`])
  yield* bodyOf(200, yield* manage(send, "POST", `/shops/${shop.id}/orders/${order}/cancel`))
})

const page = (answer: Answer) => bodyOf(200, answer)

onHosts("GET /events", [memory, embedded, postgres], (it) => {
  it.effect("MUST link to the next page if there is one, and answer 304 to a client that has the page (D17)", () =>
    Effect.gen(function* () {
      const { send } = yield* TestHost
      const shop = yield* newShop(send)
      yield* happenings(send, shop)
      const first = yield* read(send, shop.token, "/events?limit=3&types=design.created,design.ordered")
      const cursor = pagination(yield* page(first))["nextCursor"]
      expect(first.headers["link"]).toBe(
        `<?limit=3&types=design.created%2Cdesign.ordered&after=${encodeURIComponent(String(cursor))}>; rel="next"`,
      )
      const last = yield* read(send, shop.token, `/events?after=${cursor}`)
      expect(last.headers["link"]).toBeUndefined()
      const again = yield* send("GET", `/api/v1/events?after=${cursor}`, {
        headers: { authorization: `Bearer ${shop.token}`, "if-none-match": last.headers["etag"] ?? "" },
      })
      expect([again.status, again.text]).toEqual([304, ""])
    }),
  )
})
