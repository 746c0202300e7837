import { Effect } from "effect"
import { compareIds } from "../../../../core/model/Ids.ts"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { OrderRecord } from "../../../../core/model/orders/Order.ts"
import type { Position } from "../../../../core/model/Page.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, failsWith, holds, some } from "../../Assertion.ts"
import { calling, type ListedCase, onOtherHost } from "../StorageCase.ts"
import {
  cancelled,
  day,
  hostileIds,
  makeOrder,
  makeOrdered,
  newShop,
  place,
  readOrder,
  someTime,
  unique,
  wholePage,
} from "../support/Fixtures.ts"
import { turnOf } from "../support/Webhooks.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

interface Placed {
  readonly id: string
  readonly orderedAt: Instant
}

/** The order of D14. */
const newestFirst = (left: Placed, right: Placed) => right.orderedAt - left.orderedAt || compareIds(right.id, left.id)

/** Commits orders at these positions, all in one shop. */
const placeAll = Effect.fnUntraced(function* (shop: string, places: ReadonlyArray<Placed>) {
  yield* Effect.forEach(places, ({ id, orderedAt }) => place(shop, id, orderedAt), { concurrency: 4, discard: true })
})

/** A page with ids instead of wire forms. */
const page = Effect.fnUntraced(function* (
  shop: string,
  query: { readonly limit?: number; readonly after?: Position | null; readonly orderedAfter?: Instant | null },
) {
  const store = yield* OrderStore
  const { orders, total, next } = yield* store.readOrders({
    shop,
    ...wholePage,
    ...query,
  })
  return { ids: orders.map(({ wire }) => (JSON.parse(wire) as OrderRecord).id), total, next }
})

/** The page required by the definition. */
const definedPage = (
  all: ReadonlyArray<Placed>,
  limit: number,
  after: Position | null,
  orderedAfter: Instant | null,
) => {
  const matching = all.filter(({ orderedAt }) => orderedAfter === null || orderedAt >= orderedAfter).sort(newestFirst)
  const behind = matching.filter((order) => after === null || newestFirst(after, order) < 0)
  const last = behind[limit - 1]
  return {
    ids: behind.slice(0, limit).map(({ id }) => id),
    total: matching.length,
    next: behind.length > limit && last !== undefined ? { orderedAt: last.orderedAt, id: last.id } : null,
  }
}

/** A case with orders at these instants, and every relevant bound and position among them. */
const definedEverywhere = (id: string, title: string, instants: ReadonlyArray<Instant>): ListedCase => ({
  id,
  title,
  requirements: ["D13", "D14"],
  run: Effect.gen(function* () {
    const shop = yield* newShop
    const all = instants.map((orderedAt, index) => ({ id: `${(index * 7) % instants.length}`, orderedAt }))
    yield* placeAll(shop, all)
    const bounds = [...new Set(instants.flatMap((instant) => [instant - 1, instant, instant + 1]))]
    for (const orderedAfter of [null, ...bounds.filter((bound) => bound >= earliest && bound <= latest)]) {
      const expected = definedPage(all, 100, null, orderedAfter)
      yield* equal(`all after ${orderedAfter}`, yield* page(shop, { orderedAfter }), expected)
      let after: Position | null = null
      do {
        const defined = definedPage(all, 3, after, orderedAfter)
        const at = `from ${JSON.stringify(after)}, after ${orderedAfter}`
        yield* equal(at, yield* page(shop, { limit: 3, after, orderedAfter }), defined)
        after = defined.next
      } while (after !== null)
    }
  }),
})

/** The first and the last possible instant: of the years 1 and 9999. */
const earliest: Instant = -62_135_596_800_000
const latest: Instant = 253_402_300_799_999

const midnight = Date.UTC(2026, 9, 5)

/** The contract of `OrderStore.readOrders`. */
export const orderPageCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.page.empty",
    title: "MUST return an empty page for a shop without orders, and if none matches",
    requirements: ["§2.4-1"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const empty = { ids: [], total: 0, next: null }
      yield* equal("no orders", yield* page(shop, {}), empty)
      yield* equal("no orders, with a bound", yield* page(shop, { orderedAfter: someTime }), empty)
      yield* equal("no orders, with a position", yield* page(shop, { after: { orderedAt: someTime, id: "a" } }), empty)
      yield* place(shop, "b", someTime)
      yield* equal("none after the bound", yield* page(shop, { orderedAfter: someTime + 1 }), empty)
      const behindAll = yield* page(shop, { after: { orderedAt: someTime, id: "b" } })
      yield* equal("none after the position", behindAll, { ...empty, total: 1 })
      const neither = yield* page(shop, { after: { orderedAt: someTime, id: "a" }, orderedAfter: someTime + 1 })
      yield* equal("the position is before the bound", neither, empty)
    }),
  },
  {
    id: "resources.page.wire",
    title: "MUST return each order on a page with the wire form and tag that it has alone, on every host",
    requirements: ["§2.2-7", "D10"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      for (let index = 0; index < 12; index++) {
        const order = makeOrder(shop, `${index}`, { orderedAt: someTime - index })
        const designs = Array.from({ length: (index % 3) + 1 }, (_, at) => makeOrdered(order, `${unique()}`, at))
        yield* store.commit({ shop, designs: designs.toReversed(), order, events: [] })
      }
      for (const host of [store, otherStore]) {
        const { orders } = yield* host.readOrders({ shop, ...wholePage })
        const alone = yield* Effect.forEach(Array.from({ length: 12 }).keys(), (index) =>
          Effect.flatMap(readOrder(store, shop, `${index}`), (order) => some("the order alone", order)),
        )
        yield* equal("the orders", orders, alone)
      }
    }),
  },
  {
    id: "resources.page.order",
    title: "MUST return the newest order first, to the millisecond, whatever the order of storage",
    requirements: ["§4-2", "D14"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const ages = [0, 1, 2, 999, 1_000, 1_001, day - 1, day, day + 1, 400 * day]
      for (const at of [4, 0, 9, 2, 7, 1, 8, 3, 6, 5]) yield* place(shop, `${at}`, someTime - (ages[at] ?? 0))
      yield* equal("the page", yield* page(shop, {}), {
        ids: ages.map((_, index) => `${index}`),
        total: 10,
        next: null,
      })
    }),
  },
  {
    id: "resources.page.ties",
    title: "MUST sort orders of one instant by id, descending by code point, not by UTF-16 unit or any collation",
    requirements: ["D14"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const ids = [
        ...["", " ", "-", "0", "00", "1", "10", "9", "A", "AB", "Aa", "B", "Z", "_", "a", "aB", "aa", "b", "z", "~"],
        ...["\u00c4", "\u00e4", "\u00e9", "\u0301", "\u03b1", "\u5b57", "\ud7ff", "\ue000", "\ufffd", "\uffff"],
        ...["\u{10000}", "\u{1f600}", "\u{1f600}a", "\u{1f601}", "\u{10ffff}"],
      ].map((tail) => `x${tail}`)
      yield* placeAll(
        shop,
        ids.toReversed().map((id) => ({ id, orderedAt: someTime })),
      )
      const expected = { ids: ids.toReversed(), total: ids.length, next: null }
      yield* equal("the page", yield* page(shop, {}), expected)
      for (const [index, id] of ids.entries()) {
        const behind = yield* page(shop, { after: { orderedAt: someTime, id } })
        yield* equal(`behind ${id}`, behind.ids, ids.slice(0, index).toReversed())
      }
    }),
  },
  {
    id: "resources.page.ids",
    title: "MUST page through orders with any ids, one by one, and show each once",
    requirements: ["D9", "D14"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const all = hostileIds.map((id) => ({ id, orderedAt: someTime }))
      yield* placeAll(shop, all)
      const seen: Array<string> = []
      let after: Position | null = null
      do {
        const { ids, next }: { readonly ids: ReadonlyArray<string>; readonly next: Position | null } = yield* page(
          shop,
          {
            limit: 1,
            after,
          },
        )
        seen.push(...ids)
        if (next !== null) yield* equal("next", next, { orderedAt: someTime, id: ids[0] ?? "" })
        after = next
      } while (after !== null)
      yield* equal(
        "the ids",
        seen,
        all.toSorted(newestFirst).map(({ id }) => id),
      )
    }),
  },
  {
    id: "resources.page.next",
    title: "MUST return the last order's position if more orders follow, and null on the last page, full or not",
    requirements: ["§2.4-3"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const all = Array.from({ length: 101 }, (_, index) => ({
        id: `${1000 - index}`,
        orderedAt: someTime - Math.floor(index / 3),
      }))
      yield* placeAll(shop, all)
      for (const limit of [1, 2, 3, 25, 50, 99, 100]) {
        for (const left of [limit - 1, limit, limit + 1]) {
          const after = all[all.length - left - 1] ?? null
          const at = `limit ${limit}, ${left} left`
          yield* equal(at, yield* page(shop, { limit, after }), definedPage(all, limit, after, null))
        }
      }
    }),
  },
  {
    id: "resources.page.behind",
    title: "MUST return the orders after a position that no order has",
    requirements: ["D14"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const all = ["b", "d", "f"].flatMap((id) =>
        [-2, 0, 2].map((at) => ({ id: `${id}${at}`, orderedAt: someTime + at })),
      )
      yield* placeAll(shop, all)
      for (const at of [-3, -2, -1, 0, 1, 2, 3]) {
        for (const id of ["a", "b", "c", "d0", "e", "z"]) {
          const after = { orderedAt: someTime + at, id }
          yield* equal(`after ${id} at ${at}`, yield* page(shop, { limit: 2, after }), definedPage(all, 2, after, null))
        }
      }
    }),
  },
  definedEverywhere(
    "resources.page.bound",
    "MUST keep to the inclusive bound, to the millisecond, on every page and in total",
    [0, 0, 1, 2, 5, 1_000, 1_001, 60_000, 3_600_000, 3_600_000].map((later) => someTime + later),
  ),
  definedEverywhere(
    "resources.page.days",
    "MUST count orders on both sides of midnight UTC, with the bound at it, before it and after it",
    [-day, -day, -1, -1, 0, 0, 1, day - 1, day, day + 1, 2 * day - 1, 2 * day].map((later) => midnight + later),
  ),
  definedEverywhere(
    "resources.page.old",
    "MUST order and count orders of 1970 and before: the sign of an instant does not matter",
    [-2 * day, -day - 1, -day, -day + 1, -1, 0, 1, day - 1, day, Date.UTC(1900, 1, 28, 23, 59, 59, 999)],
  ),
  definedEverywhere("resources.page.extremes", "MUST order and count orders of the years 1 to 9999", [
    ...[earliest, earliest + 1, earliest + day - 1, earliest + day, Date.UTC(1582, 9, 10), Date.UTC(2000, 1, 29)],
    ...[Date.UTC(2026, 2, 29, 1), Date.UTC(9999, 11, 31), latest - 1, latest],
  ]),
  definedEverywhere(
    "resources.page.many-days",
    "MUST count orders spread over months and years",
    Array.from({ length: 40 }, (_, index) => midnight - index * index * day + ((index * 7_919_000) % day)),
  ),
  {
    id: "resources.page.borders",
    title: "MUST count a hundred orders and more around the borders of hours, days and months, with the bound at each",
    requirements: ["D13", "D14"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const hour = day / 24
      const borders = [
        Date.UTC(2026, 9, 1),
        midnight,
        midnight + 13 * hour,
        Date.UTC(2026, 10, 1),
        Date.UTC(2027, 0, 1),
      ]
      const instants = borders.flatMap((border) => [-hour, -1, 0, 1, hour].map((later) => border + later))
      const all = [1, 2, 3, 4, 5].flatMap((copy) =>
        instants.map((orderedAt) => ({ id: `${orderedAt} ${copy}`, orderedAt })),
      )
      yield* placeAll(shop, all)
      for (const orderedAfter of [...instants, ...instants.map((instant) => instant + 1)]) {
        const expected = definedPage(all, 1, null, orderedAfter)
        yield* equal(`one after ${orderedAfter}`, yield* page(shop, { limit: 1, orderedAfter }), expected)
      }
    }),
  },
  {
    id: "resources.page.growing",
    title: "MUST NOT repeat or skip an order while newer ones are added between pages",
    requirements: ["D14"],
    run: Effect.gen(function* () {
      const shop = yield* newShop
      const all: Array<Placed> = Array.from({ length: 20 }, (_, index) => ({
        id: `m${index}`,
        orderedAt: someTime - Math.floor(index / 4),
      }))
      yield* placeAll(shop, all)
      const start = [...all]
      const seen: Array<string> = []
      let after: Position | null = null
      do {
        const defined = definedPage(all, 3, after, null)
        const found: typeof defined = yield* page(shop, { limit: 3, after })
        yield* equal("the page", found, defined)
        seen.push(...found.ids)
        after = found.next
        // Newer ones, one at the instant of the last shown order but before it, and one that is still to come.
        const last = found.ids.at(-1) ?? ""
        const added: ReadonlyArray<Placed> = [
          { id: `n${seen.length}`, orderedAt: someTime + seen.length },
          { id: `${last}+`, orderedAt: after?.orderedAt ?? someTime },
          { id: `late ${seen.length}`, orderedAt: someTime - 3 * day },
        ]
        if (seen.length < 18) {
          yield* placeAll(shop, added)
          all.push(...added)
        }
      } while (after !== null)
      yield* equal("orders shown twice", seen.length - new Set(seen).size, 0)
      yield* equal(
        "original orders not shown",
        start.filter(({ id }) => !seen.includes(id)),
        [],
      )
      yield* holds(
        "orders added after the position were shown",
        all.filter(({ id }) => id.startsWith("late")).every(({ id }) => seen.includes(id)),
      )
    }),
  },
  {
    id: "resources.page.changed",
    title: "MUST keep an order's position and count it once when it is cancelled or placed again",
    requirements: ["§2.4-1", "D3", "D6"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const orders = yield* Effect.forEach([-day, -1, 0, 1], (later) => place(shop, `${later}`, midnight + later))
      const all = orders.map(({ id, orderedAt }) => ({ id, orderedAt }))
      for (const order of orders) {
        const again = { ...order, etag: unique(), revision: 2 }
        yield* store.commit({
          shop,
          designs: [makeOrdered(order, `more of ${order.id}`, 1)],
          order: again,
          events: [],
        })
        yield* store.commit({ shop, designs: [], order: cancelled(again), events: [] })
        for (const orderedAfter of [null, midnight - day, midnight, midnight + 1]) {
          const expected = definedPage(all, 2, null, orderedAfter)
          yield* equal("the page", yield* page(shop, { limit: 2, orderedAfter }), expected)
        }
      }
    }),
  },
  {
    id: "resources.page.refused",
    title: "MUST NOT count an order that was refused",
    requirements: ["§2.4-1"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      yield* place(shop, "1", someTime)
      for (const order of [makeOrder(shop, "1"), cancelled(makeOrder(shop, "2"))]) {
        const change = { shop, designs: [makeOrdered(order, unique(), 0)], order, events: [] }
        yield* failsWith("the commit", "StaleRevision", store.commit(change))
      }
      const order = makeOrder(shop, "3")
      const stale = { shop, designs: [makeOrdered(order, "a", 0, { revision: 2 })], order, events: [] }
      yield* failsWith("the commit", "StaleRevision", store.commit(stale))
      const expected = { ids: ["1"], total: 1, next: null }
      yield* equal("the page", yield* page(shop, {}), expected)
      yield* equal("the page of the day", yield* page(shop, { orderedAfter: someTime - 1 }), expected)
    }),
  },
  {
    id: "resources.page.counted",
    ports: [ShopStore, OrderStore, Upkeep],
    title: "MUST count every order once in each total, whatever is aggregated meanwhile",
    requirements: ["§2.4-1", "D14"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const upkeep = yield* Upkeep
      const shop = yield* newShop
      const count = 250
      const placing = Effect.forEach(
        Array.from({ length: count }, (_, index) =>
          makeOrder(shop, `${index}`, { orderedAt: midnight - (index % 3) * day }),
        ),
        (order, index) => turnOf(both, index).commit({ shop, designs: [], order, events: [] }),
        { concurrency: 8 },
      )
      let placed = false
      const done = Effect.sync(() => {
        placed = true
      })
      const step = (after: string | null) => upkeep.prune({ keep: 50, eventsBefore: 0, now: 0, limit: 20, after })
      const tidying = Effect.gen(function* () {
        while (!placed) for (let after = yield* step(null); after !== null; after = yield* step(after));
      })
      const reading = Effect.gen(function* () {
        let last = 0
        while (!placed) {
          const { total } = yield* both[1].readOrders({
            shop,
            limit: 1,
            after: null,
            orderedAfter: null,
            bytes: 8 * 1024 * 1024,
          })
          yield* holds(`the total is never less than it was: ${total} after ${last}`, total >= last)
          last = total
        }
      })
      yield* Effect.all([Effect.ensuring(placing, done), tidying, reading], { concurrency: "unbounded" })
      for (const store of both) {
        for (const [orderedAfter, total] of [
          [null, 250],
          [midnight, 84],
          [midnight - day, 167],
          [midnight - day + 1, 84],
          [midnight - 3 * day, 250],
        ] as const) {
          const page = yield* store.readOrders({ shop, limit: 1, after: null, orderedAfter, bytes: 8 * 1024 * 1024 })
          yield* equal(`the total since ${orderedAfter}`, page.total, total)
        }
      }
    }),
  },
  {
    id: "resources.page.shops",
    title: "MUST show and count only the orders of the shop",
    requirements: ["§5-3"],
    run: Effect.gen(function* () {
      const shops = [yield* newShop, yield* newShop]
      for (const [index, shop] of shops.entries()) {
        yield* placeAll(
          shop,
          Array.from({ length: 4 + index }, (_, at) => ({ id: `${at}`, orderedAt: midnight + index - at })),
        )
      }
      for (const [index, shop] of shops.entries()) {
        const all = Array.from({ length: 4 + index }, (_, at) => ({ id: `${at}`, orderedAt: midnight + index - at }))
        yield* equal("the page", yield* page(shop, { limit: 2 }), definedPage(all, 2, null, null))
        const bounded = yield* page(shop, { limit: 2, orderedAfter: midnight - 1 })
        yield* equal("the page after a bound", bounded, definedPage(all, 2, null, midnight - 1))
      }
    }),
  },
])
