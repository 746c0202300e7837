/** What a page has to cope with: a busy shop with years behind it, among many others. */
import { type Context, Effect } from "effect"
import { healthy } from "../../../core/model/Health.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { makeDesign, makeOrder, makeShop, makeToken, unique } from "../../suites/storage/support/Fixtures.ts"
import { inTurn } from "../../suites/storage/support/TurnQueue.ts"
import { makeEvent } from "../../suites/storage/support/Webhooks.ts"
import type { Send } from "../hosts/TestHost.ts"
import { type BusyShop, busyShop, type Filling } from "./BusyShop.ts"

/** How much there is of everything. */
const amounts = { orders: 5_000, finished: 20_400, pending: 2_346, tokens: 200, stores: 2_000 }

const hour = 3_600_000

const monthHours = 30 * 24

/** Records at a time. */
const chunk = 500

const inChunks = (count: number): ReadonlyArray<ReadonlyArray<number>> =>
  Array.from({ length: Math.ceil(count / chunk) }, (_, index) =>
    Array.from({ length: Math.min(chunk, count - index * chunk) }, (_, place) => index * chunk + place),
  )

/** A text of a real wire form, with another id. */
const likeIt = (wire: string, id: string): string => JSON.stringify({ ...(JSON.parse(wire) as object), id })

const addOrders = Effect.fnUntraced(function* (shop: string, wire: string, now: number) {
  const orders = yield* OrderStore
  for (let index = 0; index < amounts.orders; index++) {
    const order = makeOrder(shop, `gid://shop/Order/${1_000_000 + index}`, { orderedAt: now - (index + 200) * hour })
    const id = `dsn_${unique(22)}`
    const design = makeDesign(shop, id, { status: "ordered", orderId: order.id, wire: likeIt(wire, id) })
    yield* orders.commit({ shop, designs: [design], order, events: [] })
  }
})

/** Makes events that endpoints receive, so many that this endpoint gets `count` deliveries. */
const addEvents = Effect.fnUntraced(function* (shop: string, count: number, at: (index: number) => number) {
  const orders = yield* OrderStore
  for (const indices of inChunks(count)) {
    const events = indices.map((index) => makeEvent(shop, { event: "design.created", createdAt: at(index) }))
    yield* orders.commit({ shop, designs: [], order: null, events })
  }
})

/** Attempts in every hour of a month, so that the figures of a month have as many rows as they can have. */
const settleAll = Effect.fnUntraced(function* (now: number) {
  const queue = yield* DeliveryQueue
  const settled = new Map<string, number>()
  const all = { limit: chunk, troubled: chunk, perEndpoint: chunk }
  for (;;) {
    const claims = yield* inTurn(queue).claim({
      ...{ now, limit: chunk, perShop: chunk, perEndpoint: chunk, probation: all, busy: [] },
      ...{ leaseUntil: now + hour, token: unique() },
    })
    if (claims.length === 0) return
    yield* queue.settle(
      claims.map((claim) => {
        const count = settled.get(claim.endpointId) ?? 0
        settled.set(claim.endpointId, count + 1)
        const [at, durationMs] = [now - (count % monthHours) * hour, 20 + (count % 50) * 20]
        return {
          claim,
          attempt: { number: 1, at, statusCode: 200, responseStart: "", error: null, durationMs },
          status: "succeeded",
          nextAttemptAt: null,
        }
      }),
      (before) => ({ ...before, ...healthy }),
    )
  }
})

/** Makes a {@link busyShop} with {@link amounts}. No worker may be running. */
export const busiestShop = Effect.fnUntraced(function* (
  send: Send,
  ports: Context.Context<StoragePorts>,
  filling: Filling,
): Effect.fn.Return<BusyShop, unknown> {
  const made = yield* busyShop(send, ports, filling)
  const { id: shop } = made
  const now = Date.now()
  const fill = Effect.gen(function* () {
    const { orders } = yield* OrderStore.use((store) =>
      store.readOrders({ shop, limit: 1, bytes: 2 ** 20, after: null, orderedAfter: null }),
    )
    const [design] = (JSON.parse(orders[0]?.wire ?? "{}") as { designs: ReadonlyArray<object> }).designs
    yield* addOrders(shop, JSON.stringify(design), now)
    yield* addEvents(shop, amounts.finished / 2, (index) => now - (index % 700) * hour - 1)
    yield* settleAll(now)
    yield* addEvents(shop, amounts.pending / 2, (index) => now + hour + index)
    for (let index = 0; index < amounts.tokens; index++) {
      const token = makeToken(shop, { name: `System ${index} ${"ä".repeat(240)}`, createdAt: now - index * hour })
      yield* TokenStore.use((tokens) => tokens.add(token, 1_000))
    }
    for (let index = 0; index < amounts.stores; index++) {
      const id = `store-${String(index).padStart(4, "0")}`
      const domain = `${id}.${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example.com`
      yield* ShopStore.use((shops) => shops.put(makeShop({ id, domain })))
    }
  })
  yield* Effect.provideContext(fill, ports)
  return made
})
