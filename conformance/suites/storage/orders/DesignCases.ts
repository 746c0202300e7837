import { Effect, Option } from "effect"
import type { DesignRecord } from "../../../../core/model/catalog/Design.ts"
import { wire } from "../../../../core/model/orders/Order.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, none } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import {
  cancelled,
  changed,
  hostileIds,
  hostileTexts,
  makeDesign,
  makeOrder,
  makeOrdered,
  newShop,
  readOrder,
  someTime,
  unique,
  wholePage,
} from "../support/Fixtures.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

const byId = (designs: ReadonlyArray<DesignRecord>) =>
  designs.toSorted((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0))

const read = ({ wire, etag }: DesignRecord) => ({ wire, etag })

/** The contract of `OrderStore` for single designs and orders. */
export const designCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.designs.exact",
    title: "MUST return design and order records as they were committed, including instants of the years 1 to 9999",
    requirements: ["§2.1-13", "D1"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const instants = [someTime, 0, -1, 1, -86_400_001, 951_782_400_000, -62_135_596_800_000, -59_011_459_200_001]
      for (const instant of [...instants, 253_402_300_799_999]) {
        const order = makeOrder(shop, `order ${instant}`, { orderedAt: instant })
        const designs = [
          makeOrdered(order, `ordered ${instant}`, 0, { createdAt: instant }),
          makeOrdered(order, `cancelled ${instant}`, 1, { createdAt: instant, status: "cancelled" }),
        ]
        const draft = makeDesign(shop, `draft ${instant}`, { createdAt: instant })
        yield* store.commit({ shop, designs: [draft, ...designs], order, events: [] })
        const ids = [draft, ...designs].map(({ id }) => id)
        yield* equal("the designs", byId(yield* otherStore.designs(shop, ids)), byId([draft, ...designs]))
        yield* equal("the order", yield* otherStore.order(shop, order.id), Option.some({ order, designs }))
      }
    }),
  },
  {
    id: "resources.texts",
    title: "MUST return wire forms byte for byte by every way of reading, even with 300 KB of text",
    requirements: ["D10"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      for (const [index, text] of hostileTexts.entries()) {
        const order = makeOrder(shop, `${index}`, { orderedAt: someTime + index, head: text })
        const design = makeOrdered(order, `${index}`, 0, { wire: text })
        yield* store.commit({ shop, designs: [design], order, events: [] })
        for (const host of [store, otherStore]) {
          const whole = { wire: `${text}${text}]}`, etag: order.etag }
          yield* equal("designs", yield* host.designs(shop, [design.id]), [design])
          yield* equal("order", yield* host.order(shop, order.id), Option.some({ order, designs: [design] }))
          yield* equal("readDesign", yield* host.readDesign(shop, design.id), Option.some(read(design)))
          yield* equal("readOrder", yield* readOrder(host, shop, order.id), Option.some(whole))
          const page = yield* host.readOrders({ shop, ...wholePage, limit: 1 })
          yield* equal("readOrders", page.orders, [whole])
        }
      }
    }),
  },
  {
    id: "resources.ids",
    title: "MUST distinguish all ids of 1 to 255 characters, and refuse none",
    requirements: ["D9"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const records = hostileIds.map((id) => {
        const order = makeOrder(shop, id)
        return { order, designs: [makeOrdered(order, id, 0)] }
      })
      for (const { order, designs } of records) yield* store.commit({ shop, designs, order, events: [] })
      const all = records.flatMap(({ designs }) => designs)
      yield* equal("all at once", byId(yield* otherStore.designs(shop, hostileIds)), byId(all))
      for (const { order, designs } of records) {
        const { id } = order
        const whole = { wire: wire(order, designs), etag: order.etag }
        yield* equal(`designs ${id}`, yield* otherStore.designs(shop, [id]), designs)
        yield* equal(`order ${id}`, yield* otherStore.order(shop, id), Option.some({ order, designs }))
        yield* equal(
          `readDesign ${id}`,
          yield* otherStore.readDesign(shop, id),
          Option.fromUndefinedOr(designs.map(read)[0]),
        )
        yield* equal(`readOrder ${id}`, yield* readOrder(otherStore, shop, id), Option.some(whole))
      }
    }),
  },
  {
    id: "resources.ids.etags",
    title: "MUST return tags as they were given, including quotes",
    requirements: ["D17"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      for (const etag of [`"${unique()}"`, unique(64), `W/"a b"`, "A+/="]) {
        const order = makeOrder(shop, etag, { etag })
        const design = makeOrdered(order, etag, 0, { etag })
        yield* store.commit({ shop, designs: [design], order, events: [] })
        const whole = { wire: wire(order, [design]), etag }
        yield* equal("the design", yield* store.readDesign(shop, etag), Option.some(read(design)))
        yield* equal("the order", yield* readOrder(store, shop, etag), Option.some(whole))
      }
    }),
  },
  {
    id: "resources.designs.list",
    title: "MUST return each existing design once, for repeated ids, unknown ids, no ids and hundreds of ids",
    requirements: ["§4-4"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const designs = Array.from({ length: 500 }, (_, index) => makeDesign(shop, `design ${index}`))
      yield* store.commit({ shop, designs, order: null, events: [] })
      const [first, second] = designs.slice(0, 2).map(({ id }) => id) as [string, string]
      yield* equal("no ids", yield* store.designs(shop, []), [])
      yield* equal("an unknown id", yield* store.designs(shop, ["unknown"]), [])
      const mixed = yield* store.designs(shop, [second, first, "unknown", second, second, "unknown"])
      yield* equal("a mixture", byId(mixed), designs.slice(0, 2))
      const ids = designs.map(({ id }) => id)
      yield* equal("all", byId(yield* store.designs(shop, ids)), byId(designs))
      yield* equal("all twice", byId(yield* store.designs(shop, [...ids, ...ids.toReversed()])), byId(designs))
    }),
  },
  {
    id: "resources.unknown",
    title: "MUST return none for a design or an order that the shop does not have",
    requirements: ["§7-3"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const order = makeOrder(shop, "an order")
      yield* store.commit({ shop, designs: [makeOrdered(order, "a design", 0)], order, events: [] })
      for (const id of ["unknown", "an order "]) {
        yield* none("order", yield* store.order(shop, id))
        yield* none("readOrder", yield* readOrder(store, shop, id))
        yield* none("readDesign", yield* store.readDesign(shop, id))
      }
      yield* none("a design's id as an order's", yield* readOrder(store, shop, "a design"))
      yield* none("an order's id as a design's", yield* store.readDesign(shop, "an order"))
    }),
  },
  {
    id: "resources.design.exists",
    title: "MUST say whether a shop has a design",
    requirements: ["§7-3", "§5-3"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [shop, other] = [yield* newShop, yield* newShop]
      const order = makeOrder(shop, "an order")
      const designs = [makeOrdered(order, "Ordered", 0), makeDesign(shop, "draft")]
      yield* both[0].commit({ shop, designs, order, events: [] })
      for (const host of both) {
        for (const [of, id, expected] of [
          [shop, "Ordered", true],
          [shop, "draft", true],
          [shop, "ordered", false],
          [shop, "an order", false],
          [other, "draft", false],
          ["nobody", "draft", false],
        ] as const) {
          yield* equal(`${of} ${id}`, yield* host.existing(of, "designs", [id]), expected ? [id] : [])
        }
      }
    }),
  },
  {
    id: "resources.shops",
    title: "MUST show nothing of one shop through another, even for ids that both have",
    requirements: ["§5-3", "D9"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shops = [yield* newShop, yield* newShop]
      const records = shops.map((shop) => {
        const order = makeOrder(shop, "1001")
        return { order, designs: [makeOrdered(order, "both", 0), makeOrdered(order, `of ${shop}`, 1)] }
      })
      for (const { order, designs } of records) yield* store.commit({ shop: order.shop, designs, order, events: [] })
      for (const { order, designs } of records) {
        const { shop } = order
        const whole = { wire: wire(order, designs), etag: order.etag }
        const ids = ["both", ...shops.map((other) => `of ${other}`)]
        yield* equal("designs", byId(yield* store.designs(shop, ids)), byId(designs))
        yield* equal("order", yield* store.order(shop, "1001"), Option.some({ order, designs }))
        yield* equal("readOrder", yield* readOrder(store, shop, "1001"), Option.some(whole))
        yield* equal("readDesign", yield* store.readDesign(shop, "both"), Option.fromUndefinedOr(designs.map(read)[0]))
        for (const other of shops.filter((id) => id !== shop)) {
          yield* none("readDesign of the other's", yield* store.readDesign(shop, `of ${other}`))
        }
        const page = yield* store.readOrders({ shop, ...wholePage })
        yield* equal("readOrders", page, { orders: [whole], total: 1, next: null })
      }
    }),
  },
  {
    id: "resources.design.grouped",
    title: "MUST answer each of many concurrent reads with its own design of its own shop, or none",
    requirements: ["§4-4", "§5-3"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shops = [yield* newShop, yield* newShop]
      const designs = shops.flatMap((shop) => Array.from({ length: 40 }, (_, index) => makeDesign(shop, `${index}`)))
      for (const shop of shops) {
        yield* both[0].commit({
          shop,
          designs: designs.filter((design) => design.shop === shop),
          order: null,
          events: [],
        })
      }
      const wanted = [
        ...designs.map((design) => ({ shop: design.shop, id: design.id, expected: Option.some(read(design)) })),
        ...designs.map((design) => ({ shop: design.shop, id: `no ${design.id}`, expected: Option.none() })),
        ...designs.map((design) => ({ shop: design.shop, id: design.id, expected: Option.some(read(design)) })),
      ]
      yield* Effect.forEach(
        wanted,
        ({ shop, id, expected }, index) =>
          Effect.flatMap(both[index % 2 === 0 ? 0 : 1].readDesign(shop, id), (found) =>
            equal(`design ${id}`, found, expected),
          ),
        { concurrency: "unbounded", discard: true },
      )
    }),
  },
  {
    id: "resources.order.composition",
    title: "MUST assemble an order from its designs by position, not by id, age or order of storage",
    requirements: ["§2.2-7", "D10"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const order = makeOrder(shop, "1001")
      // Twelve, because the text "10" sorts before "9".
      const designs = Array.from({ length: 12 }, (_, position) =>
        makeOrdered(order, `${(position * 5) % 12}`, position, { createdAt: someTime - ((position * 7) % 12) }),
      )
      const other = makeOrder(shop, "1002")
      const notMine = [makeDesign(shop, "a draft"), makeOrdered(other, "another order's", 3)]
      const shuffled = [...designs, ...notMine].toSorted((left, right) => (left.etag < right.etag ? -1 : 1))
      yield* store.commit({ shop, designs: [makeOrdered(other, "first of the other", 0)], order: other, events: [] })
      yield* store.commit({ shop, designs: shuffled, order, events: [] })
      const whole = { wire: wire(order, designs), etag: order.etag }
      yield* equal("order", yield* otherStore.order(shop, "1001"), Option.some({ order, designs }))
      yield* equal("readOrder", yield* readOrder(otherStore, shop, "1001"), Option.some(whole))
      const page = yield* otherStore.readOrders({
        shop,
        ...wholePage,
        limit: 1,
        after: { orderedAt: someTime, id: "1002" },
      })
      yield* equal("readOrders", page.orders, [whole])
    }),
  },
  {
    id: "resources.order.life",
    title: "MUST show an order's current designs: linked drafts, added ones, cancelled ones",
    requirements: ["§3-4", "§3-5", "D3", "D6"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const expectOrder = Effect.fnUntraced(function* (
        order: ReturnType<typeof makeOrder>,
        designs: Array<DesignRecord>,
      ) {
        const whole = { wire: wire(order, designs), etag: order.etag }
        yield* equal("order", yield* otherStore.order(shop, order.id), Option.some({ order, designs }))
        yield* equal("readOrder", yield* readOrder(otherStore, shop, order.id), Option.some(whole))
        const page = yield* otherStore.readOrders({ shop, ...wholePage })
        yield* equal("readOrders", page, { orders: [whole], total: 1, next: null })
        for (const design of designs) {
          yield* equal("readDesign", yield* otherStore.readDesign(shop, design.id), Option.some(read(design)))
        }
      })
      const [a, b, c] = ["a", "b", "c"].map((id) => makeDesign(shop, id)) as [DesignRecord, DesignRecord, DesignRecord]
      yield* store.commit({ shop, designs: [a, b, c], order: null, events: [] })

      const placed = makeOrder(shop, "1001")
      const linkedC = changed(c, { status: "ordered", orderId: "1001", position: 0 })
      const linkedA = changed(a, { status: "ordered", orderId: "1001", position: 1 })
      yield* store.commit({ shop, designs: [linkedA, linkedC], order: placed, events: [] })
      yield* expectOrder(placed, [linkedC, linkedA])
      yield* equal("the draft", yield* store.designs(shop, ["b"]), [b])

      const again = { ...placed, revision: 2, etag: unique(), head: placed.head.replace("1999", "2999") }
      const linkedB = changed(b, { status: "ordered", orderId: "1001", position: 2 })
      yield* store.commit({ shop, designs: [linkedB], order: again, events: [] })
      yield* expectOrder(again, [linkedC, linkedA, linkedB])

      const gone = cancelled(again)
      const designs = [linkedC, linkedA, linkedB].map((design) => changed(design, { status: "cancelled" }))
      yield* store.commit({ shop, designs, order: gone, events: [] })
      yield* expectOrder(gone, designs)
    }),
  },
  {
    id: "resources.order.named",
    title: "MUST show a design only in the order that its record names now",
    requirements: ["§2.2-7"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const [first, second] = [makeOrder(shop, "1001"), makeOrder(shop, "1002")]
      const [stays, moves] = [makeOrdered(first, "stays", 0), makeOrdered(first, "moves", 1)]
      const own = makeOrdered(second, "own", 1)
      yield* store.commit({ shop, designs: [stays, moves], order: first, events: [] })
      yield* store.commit({ shop, designs: [own], order: second, events: [] })
      const moved = changed(moves, { orderId: second.id, position: 0 })
      yield* store.commit({ shop, designs: [moved], order: null, events: [] })
      const expected = [
        { order: first, designs: [stays] },
        { order: second, designs: [moved, own] },
      ]
      for (const { order, designs } of expected) {
        yield* equal("order", yield* otherStore.order(shop, order.id), Option.some({ order, designs }))
        const whole = { wire: wire(order, designs), etag: order.etag }
        yield* equal("readOrder", yield* readOrder(otherStore, shop, order.id), Option.some(whole))
      }
    }),
  },
])
