import { Effect } from "effect"
import { compareIds } from "../../../../core/model/Ids.ts"
import type { Instant } from "../../../../core/model/Instant.ts"
import { type OrderRecord, wireHead } from "../../../../core/model/orders/Order.ts"
import { type FoundOrders, type OrderSearch, orderById } from "../../../../core/model/orders/OrderSearch.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import {
  cancelled,
  changed,
  everyOrder,
  hostileIds,
  makeOrder,
  makeOrdered,
  newShop,
  someTime,
  unique,
} from "../support/Fixtures.ts"

const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

const named = (shop: string, id: string, name: string, orderedAt: Instant = someTime): OrderRecord =>
  makeOrder(shop, id, {
    orderedAt,
    head: wireHead({
      ...{ id, name, status: "ordered", currency: "EUR", total: 1999 },
      orderedAt: new Date(orderedAt).toISOString(),
    }),
  })

/** Stores new orders without designs. */
const placeAll = Effect.fnUntraced(function* (orders: ReadonlyArray<OrderRecord>) {
  const store = yield* OrderStore
  yield* Effect.forEach(orders, (order) => store.commit({ shop: order.shop, designs: [], order, events: [] }), {
    concurrency: 8,
    discard: true,
  })
})

const idsOf = ({ orders }: FoundOrders) => orders.map(({ order }) => order.id)

/** The contract of `OrderStore.search` and `OrderStore.listed`. */
export const orderSearchCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.search.texts",
    title: "MUST find orders whose id or name begins with a text, letters of ASCII in a name in either case, as text",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      yield* placeAll([
        named(shop, "1001", "#Ab-1", someTime + 1),
        named(shop, "1002", "#aB-2", someTime + 2),
        named(shop, "10021", 'say "#ab" \\ \u00c9t\u00e9', someTime + 3),
        named(shop, "#ABC", "\u{1f600}\u{10ffff}%", someTime + 4),
        named(yield* newShop, "1003", "#ab-3"),
      ])
      // The longest id and name, and texts that look like what follows a name.
      const tricky = ['","status":"cancelled","name":"', '\\","name":"x', "\u0001".repeat(255)]
      const other = yield* newShop
      yield* placeAll(tricky.map((name, index) => named(other, "\u{1f600}".repeat(253 + index), name)))
      for (const name of tricky) {
        const { orders } = yield* store.search({ ...everyOrder, shop: other, text: name, status: "ordered" })
        yield* equal(
          name,
          orders.map(({ order }) => order.head.includes(JSON.stringify(name))),
          [true],
        )
      }
      const gone = yield* store.search({ ...everyOrder, shop: other, status: "cancelled" })
      yield* equal("those that are cancelled", gone.orders, [])
      for (const [text, found] of [
        ["#ab", ["1002", "1001"]],
        ["#AB", ["#ABC", "1002", "1001"]],
        ["#ab-2", ["1002"]],
        ["100", ["10021", "1002", "1001"]],
        ["1002", ["10021", "1002"]],
        ['SAY "#AB" \\ \u00c9', ["10021"]],
        ['say "#ab" \\ \u00e9', []],
        ["\u{1f600}", ["#ABC"]],
        ["\u{1f600}\u{10ffff}", ["#ABC"]],
        ["%", []],
        ["_", []],
        ["'", []],
        ["b-1", []],
      ] as const) {
        for (const host of [store, otherStore]) {
          yield* equal(text, idsOf(yield* host.search({ ...everyOrder, shop, text })), [...found])
        }
      }
      yield* equal("without a text", idsOf(yield* store.search({ ...everyOrder, shop })), [
        ...["#ABC", "10021", "1002", "1001"],
      ])
      yield* equal("another shop", idsOf(yield* store.search({ ...everyOrder, shop: yield* newShop, text: "#" })), [])
    }),
  },
  {
    id: "resources.search.exact",
    title: "MUST page through all orders whose id or name is a whole text, however many others begin with it",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      // More than a search looks at by name, and all of them before the exact ones by id.
      const longer = Array.from({ length: 1_001 }, (_, index) => named(shop, `0 ${index}`, "#10 x", someTime + index))
      yield* placeAll([
        ...longer,
        named(shop, "1", "#10", someTime - 3),
        named(shop, "2", "#10 X", someTime - 4),
        named(shop, "Id", 'say "A"\\\u0001\u00c9', someTime - 2),
        named(shop, "Id2", "Id", someTime - 5),
        named(shop, "3", "other", someTime - 6),
        named(shop, "#10", "Other", someTime - 7),
      ])
      for (const [text, found] of [
        ["#10", ["1", "#10"]],
        ["#1", []],
        ["OTHER", ["3", "#10"]],
        ["Id", ["Id", "Id2"]],
        ["iD", ["Id2"]],
        ['SAY "a"\\\u0001\u00c9', ["Id"]],
        ['say "a"\\\u0001\u00e9', []],
        ["#%", []],
      ] as const) {
        for (const host of [store, otherStore]) {
          const page = yield* host.search({ ...everyOrder, shop, text, exact: true })
          yield* equal(text, [idsOf(page), page.isCut], [[...found], false])
        }
      }
      // More than a search for a beginning looks at.
      const equals: Array<string> = []
      let after: OrderSearch["after"] = null
      do {
        const page: FoundOrders = yield* store.search({
          ...{ ...everyOrder, shop, text: "#10 X", exact: true, after, limit: 90 },
          designs: { skip: 0, limit: 0, bytes: 0 },
        })
        yield* equal("whether orders were left out", page.isCut, false)
        equals.push(...idsOf(page))
        after = page.next
      } while (after !== null)
      yield* equal("all of one name", equals, [...longer.toReversed().map(({ id }) => id), "2"])
      const cut = yield* store.search({ ...everyOrder, shop, text: "#10 x", until: someTime + 2 })
      yield* equal("the newest 1,000 of one name", [idsOf(cut), cut.isCut], [["0 1"], true])
      const none = yield* store.search({ ...everyOrder, shop, text: "#10 x", status: "cancelled" })
      yield* equal("that orders were left out, though none is found", [idsOf(none), none.isCut], [[], true])
      const filtered = { ...everyOrder, shop, text: "other", exact: true }
      yield* equal("the newest", idsOf(yield* store.search({ ...filtered, limit: 1 })), ["3"])
      yield* equal("another state", idsOf(yield* store.search({ ...filtered, status: "cancelled" })), [])
      yield* equal("another shop", idsOf(yield* store.search({ ...filtered, shop: yield* newShop })), [])
    }),
  },
  {
    id: "resources.search.ids",
    title: "MUST find each order by its whole id, whatever characters it has, and list it",
    requirements: ["D9", "D69"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      yield* placeAll(hostileIds.map((id) => named(shop, id, "no id")))
      for (const id of hostileIds) {
        const expected = hostileIds
          .filter((other) => other.startsWith(id))
          .toSorted((left, right) => compareIds(right, left))
        const found = idsOf(yield* store.search({ ...everyOrder, shop, text: id }))
        yield* equal(JSON.stringify(id), found, "no id".startsWith(id) ? found : expected)
        yield* equal("its id", idsOf(yield* store.search({ ...everyOrder, shop, ids: [id, "no such order"] })), [id])
      }
    }),
  },
  {
    id: "resources.search.filters",
    title: "MUST find orders of a status, and those placed from an instant on and before another, also with a text",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const orders = [0, 1, 2, 3, 4, 5].map((at) => named(shop, `${at}`, at % 2 === 0 ? "even" : "odd", someTime + at))
      yield* placeAll(orders)
      for (const order of orders.slice(1, 4)) {
        yield* store.commit({ shop, designs: [], order: cancelled(order), events: [] })
      }
      for (const [filter, found] of [
        [{ status: "cancelled" }, ["3", "2", "1"]],
        [{ status: "ordered" }, ["5", "4", "0"]],
        [{ from: someTime + 3 }, ["5", "4", "3"]],
        [{ until: someTime + 3 }, ["2", "1", "0"]],
        [{ from: someTime + 2, until: someTime + 5, status: "ordered" }, ["4"]],
        [{ text: "ODD", from: someTime + 2 }, ["5", "3"]],
        [{ text: "odd", status: "cancelled" }, ["3", "1"]],
        [{ from: someTime + 5, until: someTime + 5 }, []],
      ] satisfies ReadonlyArray<readonly [Partial<OrderSearch>, ReadonlyArray<string>]>) {
        for (const host of [store, otherStore]) {
          yield* equal(JSON.stringify(filter), idsOf(yield* host.search({ ...everyOrder, shop, ...filter })), [
            ...found,
          ])
        }
      }
    }),
  },
  {
    id: "resources.search.customizer",
    title: "MUST find the orders with a design of a customizer, and what the orders of a search come to",
    requirements: ["D69", "D81"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const [shop, neighbour] = [yield* newShop, yield* newShop]
      const of = (id: number) => ({
        wire: `{"id":"x","customizer":{"id":${id},"title":"\\"customizer\\":{\\"id\\":9,"}}`,
      })
      for (const [at, customizers] of [[7], [7, 8], [8, 8, 7], [77], []].entries()) {
        const order = named(shop, `${at}`, `#${at}`, someTime + at)
        const designs = customizers.map((id, place) => makeOrdered(order, `${at}-${place}`, place, of(id)))
        const line = { lineItemId: "1", copyOf: null }
        const lines = [
          { ...line, designId: "1-0", quantity: 4 },
          { ...line, designId: "1-0", quantity: 5, lineItemId: "2" },
        ]
        const quantities = at === 1 ? { lines: { order: "1", parent: null, lines } } : {}
        yield* store.commit({ shop, designs, order, events: [], ...quantities })
      }
      const foreign = named(neighbour, "1", "#1")
      yield* store.commit({
        shop: neighbour,
        designs: [makeOrdered(foreign, "1-0", 0, of(7))],
        order: foreign,
        events: [],
      })
      const totals = (orders: number, designs: number, pieces: number) => ({ orders, designs, pieces, isMore: false })
      for (const [filter, found, sums] of [
        [{ customizer: 7 }, ["2", "1", "0"], totals(3, 3, 11)],
        [{ customizer: 8, until: someTime + 2 }, ["1"], totals(1, 1, 1)],
        [{ customizer: 9 }, [], totals(0, 0, 0)],
        [{ from: someTime + 1, until: someTime + 5 }, ["4", "3", "2", "1"], totals(3, 6, 14)],
        [{}, ["4", "3", "2", "1", "0"], totals(4, 7, 15)],
        [{ status: "cancelled" }, [], totals(0, 0, 0)],
      ] satisfies ReadonlyArray<readonly [Partial<OrderSearch>, ReadonlyArray<string>, object]>) {
        const page = yield* otherStore.search({ ...everyOrder, shop, ...filter, isCounted: true })
        yield* equal(JSON.stringify(filter), [idsOf(page), page.next, page.totals], [[...found], null, sums])
      }
      const first = yield* store.search({ ...everyOrder, shop, customizer: 7, limit: 1 })
      yield* equal("the first page", idsOf(first), ["2"])
      const rest = yield* store.search({ ...everyOrder, shop, customizer: 7, after: first.next })
      yield* equal("the rest", [idsOf(rest), rest.next, rest.totals], [["1", "0"], null, undefined])
    }),
  },
  {
    id: "resources.search.pages",
    title: "MUST page through what a search finds, newest first and by id within an instant, each order once",
    requirements: ["D14", "D69"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const ids = ["b", "\ufffd", "\u{1f600}", "a", "Z", "c", "d"]
      yield* placeAll(ids.map((id, index) => named(shop, id, "Name", someTime + (index < 5 ? 0 : index))))
      const expected = ["d", "c", "\u{1f600}", "\ufffd", "b", "a", "Z"]
      for (const filter of [{}, { text: "na" }, { status: "ordered" }] as const) {
        const found: Array<string> = []
        let after: OrderSearch["after"] = null
        do {
          const page: FoundOrders = yield* store.search({ ...everyOrder, shop, ...filter, after, limit: 2 })
          found.push(...idsOf(page))
          after = page.next
        } while (after !== null)
        yield* equal(JSON.stringify(filter), found, expected)
      }
      const whole = yield* store.search({ ...everyOrder, shop, limit: 7 })
      yield* equal("what follows the last", whole.next, null)
    }),
  },
  {
    id: "resources.search.cut",
    title: "MUST look at the first 1,000 orders that fit a text, by name and by id, and report if there are more",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const number = (index: number) => String(index).padStart(4, "0")
      // The names in the other order than the times and the ids.
      yield* placeAll(
        Array.from({ length: 1_001 }, (_, index) =>
          named(shop, `id ${number(1_000 - index)}`, `name ${number(index)}`, someTime + index),
        ),
      )
      const search = (text: string) => store.search({ ...everyOrder, shop, text, limit: 1 })
      for (const [text, newest, isCut] of [
        ["name", "id 0001", true],
        ["name 0", "id 0001", false],
        ["name 1", "id 0000", false],
        // Of the ids the last is left out, which is the oldest order's.
        ["id", "id 0000", true],
        ["id 1", "id 1000", false],
      ] as const) {
        const found = yield* search(text)
        yield* equal(text, [idsOf(found), found.isCut], [[newest], isCut])
      }
    }),
  },
  {
    id: "resources.search.changed",
    title: "MUST find an order by its current name and status alone",
    requirements: ["D43", "D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const order = named(shop, "1", "Before")
      yield* placeAll([order])
      const after = { ...order, head: named(shop, "1", "After").head, revision: 2 }
      yield* store.commit({ shop, designs: [], order: after, events: [] })
      const gone = cancelled(after)
      yield* store.commit({ shop, designs: [], order: gone, events: [] })
      for (const host of [store, otherStore]) {
        yield* equal("before", idsOf(yield* host.search({ ...everyOrder, shop, text: "before" })), [])
        yield* equal("ordered", idsOf(yield* host.search({ ...everyOrder, shop, status: "ordered" })), [])
        const found = yield* host.search({ ...everyOrder, shop, text: "after", status: "cancelled" })
        yield* equal("the order", found.orders, [{ order: gone, total: 0, designs: [] }])
      }
    }),
  },
  {
    id: "resources.search.designs",
    title: "MUST return some of an order's designs in line order, with how many there are, and without long wire forms",
    requirements: ["D69"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const order = named(shop, "1", "Name")
      const designs = Array.from({ length: 5 }, (_, at) =>
        makeOrdered(order, `design ${9 - at}`, at, { wire: `${at}\u20ac` }),
      )
      const long = changed(designs[1] ?? makeOrdered(order, "", 0), { wire: unique(5), revision: 1 })
      const stored = designs.map((design, at) => (at === 1 ? long : design))
      yield* store.commit({ shop, designs: stored.toReversed(), order, events: [] })
      yield* placeAll([named(shop, "2", "Other", someTime - 1)])
      const shown = { skip: 0, limit: 3, bytes: 4 }
      const first = [
        { id: "design 9", wire: "0\u20ac" },
        { id: "design 8", wire: null },
        { id: "design 7", wire: "2\u20ac" },
      ]
      for (const host of [store, otherStore]) {
        const { orders } = yield* host.search({ ...everyOrder, shop, designs: shown })
        yield* equal(
          "what is found",
          orders.map(({ designs, total }) => ({ designs, total })),
          [
            { designs: first, total: 5 },
            { designs: [], total: 0 },
          ],
        )
        const byId = (of: string, id: string) => host.search(orderById(of, id, { ...shown, skip: 3 }))
        const designs = [
          { id: "design 6", wire: "3\u20ac" },
          { id: "design 5", wire: "4\u20ac" },
        ]
        const only = { orders: [{ order, total: 5, designs }], next: null, isCut: false }
        yield* equal("the rest", yield* byId(shop, "1"), only)
        yield* equal("an unknown order", (yield* byId(shop, "3")).orders, [])
        yield* equal("another shop's", (yield* byId(yield* newShop, "1")).orders, [])
      }
    }),
  },
])
