import { Effect, Option } from "effect"
import { Mac } from "effect/crypto"
import { NotFound } from "../../model/Errors.ts"
import * as Order from "../../model/orders/Order.ts"
import { maximumPage, type OrderPage, type Position } from "../../model/Page.ts"
import type { OrdersInput } from "../../model/queries/Inputs.ts"
import { ordersQuery } from "../../model/queries/Queries.ts"
import { invalidParameter, queryReader } from "../../model/queries/Query.ts"
import { WireForm } from "../../model/WireForm.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import * as Cursor from "../../rules/Cursor.ts"
import { derivedKeys } from "../../support/DerivedKeys.ts"
import { etagOf } from "../../support/Etag.ts"
import { findOrder } from "../../support/ShopRecords.ts"

const read = queryReader(ordersQuery)

const utf8 = new TextEncoder()

/**
 * Bytes for the pagination, whose cursor has an order's id of up to 255 characters, and the commas in a page's body.
 */
const aroundOrders = 4 * 1024

/** Reads an order of the shop with its designs (§2.2, §4). Fails with `NotFound`. */
export const readOrder = Effect.fnUntraced(function* (shop: string, id: string) {
  const found = yield* findOrder(shop, id)
  if (Option.isNone(found)) return yield* new NotFound({ message: "There is no such order" })
  const { designs, order } = found.value
  return new WireForm<Order.Order>(Order.wire(order, designs), order.etag)
})

/**
 * Reads a page of the shop's orders, newest first, and the cursor of the next page, `null` on the last (§2.4, §4, D14).
 * A page of very large orders ends early (D46).
 *
 * Fails with `InvalidInput`, which names the parameter that breaks D12 to D14.
 */
export const listOrders = Effect.fnUntraced(function* (shop: string, input: OrdersInput = {}) {
  const query = yield* Effect.fromResult(read(input))
  const cursor = query.cursor === undefined ? undefined : yield* openCursor(shop, query.cursor)
  const filter = query.orderedAfter ?? cursor?.orderedAfter ?? null
  if (cursor !== undefined && cursor.orderedAfter !== filter) return yield* invalidCursor
  const found = yield* OrderStore.use((orders) =>
    orders.readOrders({
      shop,
      limit: query.limit,
      bytes: maximumPage - aroundOrders,
      after: cursor?.after ?? null,
      orderedAfter: filter,
    }),
  )
  const nextCursor = found.next === null ? null : yield* makeCursor(shop, found.next, filter)
  const pagination = JSON.stringify({ total: found.total, limit: query.limit, nextCursor })
  const orders = found.orders.flatMap((order, index) => (index === 0 ? [order.wire] : [",", order.wire]))
  const pieces = ['{"data":[', ...orders, '],"pagination":', pagination, "}"]
  // The orders' tags represent their bytes, so that a page's tag does not need to read the page.
  const etag = yield* etagOf(`${found.orders.map((order) => order.etag).join(" ")}\n${pagination}`)
  return { page: new WireForm<OrderPage>(pieces, etag), nextCursor }
})

const invalidCursor = Effect.suspend(() => invalidParameter("cursor", ordersQuery.cursor.form))

/** Keys in the form that the MAC needs, made once: the MAC recognizes them, which is faster. */
const macKeysOf = new WeakMap<object, ReadonlyArray<Mac.Key>>()

const macKeys = Effect.gen(function* () {
  const keys = yield* derivedKeys("cursors")
  const known = macKeysOf.get(keys)
  if (known !== undefined) return known
  // Keys of 32 bytes are never empty.
  const made = yield* Effect.orDie(Effect.forEach(keys, (key) => Mac.key(Mac.hmacSha256, key)))
  macKeysOf.set(keys, made)
  return made
})

const makeCursor = Effect.fnUntraced(function* (shop: string, after: Position, orderedAfter: number | null) {
  const [newest] = yield* macKeys
  const payload = Cursor.encode({ after, orderedAfter })
  const signed = utf8.encode(Cursor.signed(shop, payload))
  const mac = yield* Mac.Mac.use((mac) => mac.sign(newest as Mac.Key, signed))
  return Cursor.join(payload, mac)
}, Effect.orDie)

const openCursor = Effect.fnUntraced(function* (shop: string, text: string) {
  const parts = Cursor.split(text)
  if (parts === undefined) return yield* invalidCursor
  const service = yield* Mac.Mac
  const data = utf8.encode(Cursor.signed(shop, parts.payload))
  for (const key of yield* macKeys) {
    if (yield* Effect.orDie(service.verify(key, parts.mac, data))) {
      const cursor = Cursor.decode(parts.payload)
      if (cursor !== undefined) return cursor
    }
  }
  return yield* invalidCursor
})
