import { Effect } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import { equal } from "../Assertion.ts"
import { ask, idsOf, isError, objectOf, objectsOf, read, readPage } from "./Asking.ts"
import {
  isRefused,
  lineOf,
  newShop,
  type OwnShop,
  placeOrder,
  publishVector,
  saveDesign,
  sell,
  someTime,
} from "./Filling.ts"
import { customizers, ring, shopInput } from "./Samples.ts"
import { Driver, driving } from "./ServiceCase.ts"

/** Places an order with these lines. */
const place = Effect.fnUntraced(function* (
  shop: OwnShop,
  id: string,
  lines: ReadonlyArray<{ readonly designId: string; readonly lineItemId: string }>,
  fields: { readonly name?: string; readonly orderedAt?: string } = {},
) {
  const input = { name: `#${id}`, orderedAt: someTime, lines, ...fields }
  yield* (yield* Driver).putOrder({ shop: shop.id, id, input })
})

/** The responses of these addresses as text. */
const kept = (shop: OwnShop, paths: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(paths, (path) => ask(shop.token, path)),
    (answers) => answers.map(({ status, text }) => `${status} ${text}`),
  )

const designsOf = (order: Json) => objectsOf("designs of the order", order["designs"])

/** Transitions of designs and orders: §3 and D3 to D6a. */
export const stateCases = driving([
  {
    id: "states.again",
    title: "MUST save a draft again under its id, evaluated again, keeping its creation time",
    requirements: ["§3-3", "D4"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      yield* saveDesign(shop, "d-1", { createdAt: "2026-10-01T00:00:00Z" })
      const first = yield* read(shop.token, "/designs/d-1")
      yield* saveDesign(shop, "d-1", { selection: { ...ring, metal: "gold14" }, basePrice: 1 })
      const again = yield* read(shop.token, "/designs/d-1")
      yield* equal("createdAt and status", [again["createdAt"], again["status"]], [first["createdAt"], "draft"])
      yield* equal("the selection", (yield* objectOf("selection", again["selection"]))["metal"], "gold14")
      yield* equal("the base price", (yield* objectOf("price", again["price"]))["base"], 1)
      yield* equal("the summary", (yield* objectsOf("summary", again["summary"]))[0]?.["value"], "14k yellow gold")
    }),
  },
  {
    id: "states.frozen",
    title: "MUST refuse to save an ordered or cancelled design, and change none of its bytes",
    requirements: ["§1-1", "§2.1-16", "D4"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* sell(shop, "1", ["d-1"])
      for (const status of ["ordered", "cancelled"]) {
        if (status === "cancelled") yield* driver.cancelOrder({ shop: shop.id, id: "1" })
        const before = yield* kept(shop, ["/designs/d-1", "/orders/1"])
        for (const fields of [{}, { basePrice: 1 }, { selection: { ...ring, metal: "plat" } }]) {
          yield* isRefused(`saving the ${status} design`, saveDesign(shop, "d-1", fields), 409)
        }
        yield* equal("afterwards", yield* kept(shop, ["/designs/d-1", "/orders/1"]), before)
      }
    }),
  },
  {
    id: "states.changes",
    title:
      "MUST change only status, order and orderedAt of a design when it is ordered, and its status when it is cancelled",
    requirements: ["§2.1-16", "§3-4", "§3-5", "D2", "D3", "D4"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* saveDesign(shop, "d-1")
      const draft = yield* read(shop.token, "/designs/d-1")
      yield* placeOrder(shop, "1", ["d-1"])
      // Whatever happens to its customizer.
      yield* publishVector(shop.id, 101)
      const ordered = yield* read(shop.token, "/designs/d-1")
      const order = { id: "1", name: "#1", lineItemId: "line-of-d-1" }
      const linked = { ...draft, status: "ordered", order, orderedAt: "2026-10-05T14:48:00.000+00:00" }
      yield* equal("the ordered design", ordered, linked as Json)
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      yield* equal("the cancelled design", yield* read(shop.token, "/designs/d-1"), {
        ...linked,
        status: "cancelled",
      } as Json)
    }),
  },
  {
    id: "states.cancel",
    title: "MUST cancel an order with all its designs, keeping total and time; a second time changes nothing",
    requirements: ["§3-5", "D3"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* saveDesign(shop, "a", { basePrice: 100 })
      yield* saveDesign(shop, "b", { basePrice: 20 })
      yield* placeOrder(shop, "1", ["a", "b"])
      const before = yield* read(shop.token, "/orders/1")
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      const after = yield* read(shop.token, "/orders/1")
      const designs = (yield* designsOf(before)).map((design) => ({ ...design, status: "cancelled" }))
      yield* equal("the cancelled order", after, { ...before, status: "cancelled", designs } as Json)
      yield* equal("its total", after["total"], 120)
      const bytes = yield* kept(shop, ["/orders/1", "/orders"])
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      yield* equal("cancelled again", yield* kept(shop, ["/orders/1", "/orders"]), bytes)
      yield* isRefused("cancelling an order of no shop", driver.cancelOrder({ shop: "nobodys-shop", id: "1" }))
    }),
  },
  {
    id: "states.cancel.early",
    title: "MUST keep the cancellation of an order that has not come, and apply it when the order comes",
    requirements: ["D50"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      for (const id of ["a", "b", "c"]) yield* saveDesign(shop, id)
      // An order without custom items, which is not stored either.
      yield* place(shop, "2", [])
      for (const id of ["1", "1", "2"]) yield* driver.cancelOrder({ shop: shop.id, id })
      yield* isError("the order that has not come", yield* ask(shop.token, "/orders/1"), 404)
      yield* place(shop, "1", [lineOf("a")])
      yield* place(shop, "2", [])
      yield* place(shop, "2", [lineOf("b")])
      yield* place(shop, "3", [lineOf("c")])
      for (const [id, status] of [
        ["1", "cancelled"],
        ["2", "cancelled"],
        ["3", "ordered"],
      ] as const) {
        const order = yield* read(shop.token, `/orders/${id}`)
        const statuses = (yield* designsOf(order)).map((design) => design["status"])
        yield* equal(`the status of order ${id} and its design`, [order["status"], ...statuses], [status, status])
      }
    }),
  },
  {
    id: "states.version",
    title: "MUST bind a design to the version that was published when it was last saved",
    requirements: ["§2.1-3", "§9-4", "D5"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      for (const id of ["kept", "again"]) yield* saveDesign(shop, id)
      const definition = structuredClone(customizers[0]?.definition) as {
        readonly questions: ReadonlyArray<{ title: string; orderKey?: string }>
      }
      for (const question of definition.questions) question.orderKey = `New ${question.title}`
      yield* driver.publish({ shop: shop.id, id: 101, definition: definition as unknown as Json })
      yield* saveDesign(shop, "again")
      yield* placeOrder(shop, "1", ["kept", "again"])
      yield* publishVector(shop.id, 101)
      for (const [id, version, key] of [
        ["kept", 1, "Metal"],
        ["again", 2, "New Metal"],
      ] as const) {
        const design = yield* read(shop.token, `/designs/${id}`)
        const [entry] = yield* objectsOf("summary", design["summary"])
        const customizer = yield* objectOf("customizer", design["customizer"])
        yield* equal(`${id}: version and first key`, [customizer["version"], entry?.["key"]], [version, key])
      }
    }),
  },
  {
    id: "states.unpublished",
    title: "MUST refuse a design of an unpublished or unknown customizer",
    requirements: ["D5"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      const input = {
        title: "T",
        platformProductId: "gid://shop/Product/7",
        assetBase: "https://assets.example.com/7/",
      }
      yield* driver.putCustomizer({ shop: shop.id, id: 7, input })
      yield* isRefused("never published", saveDesign(shop, "d", { customizerId: 7, selection: {} }))
      yield* isRefused("not there", saveDesign(shop, "d", { customizerId: 8, selection: {} }))
      yield* isError("the design", yield* ask(shop.token, "/designs/d"), 404)
    }),
  },
  {
    id: "orders.same",
    title: "MUST change nothing when an order is placed again with the same content, in any line order and time format",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      for (const id of ["a", "b"]) yield* saveDesign(shop, id)
      yield* place(shop, "1", [lineOf("a"), lineOf("b")])
      const paths = ["/orders/1", "/orders", "/designs/a"]
      const before = yield* kept(shop, paths)
      for (const again of [
        place(shop, "1", [lineOf("a"), lineOf("b")]),
        place(shop, "1", [lineOf("b"), lineOf("a")]),
        place(shop, "1", [lineOf("a"), lineOf("b")], { orderedAt: "2026-10-05T16:48:00.0009+02:00" }),
        // An omitted line stays linked.
        place(shop, "1", [lineOf("a")]),
        place(shop, "1", [lineOf("b")]),
      ]) {
        yield* again
        yield* equal("afterwards", yield* kept(shop, paths), before)
      }
    }),
  },
  {
    id: "orders.more",
    title: "MUST append more designs to an order that is placed again with them, and update its total",
    requirements: ["§2.2-5", "D6"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      for (const [index, id] of ["a", "b", "c"].entries()) yield* saveDesign(shop, id, { basePrice: 10 ** index })
      yield* place(shop, "1", [lineOf("b")])
      const first = yield* read(shop.token, "/orders/1")
      yield* equal("its total at first", first["total"], 10)
      yield* place(shop, "1", [lineOf("c"), lineOf("b"), lineOf("a")])
      const more = yield* read(shop.token, "/orders/1")
      const designs = yield* designsOf(more)
      yield* equal("its total and designs", [more["total"], ...idsOf(designs)], [111, "b", "c", "a"])
      yield* equal("the first design", designs[0], (yield* designsOf(first))[0])
      yield* equal("number of orders", (yield* readPage(shop.token)).total, 1)
    }),
  },
  {
    id: "orders.refused",
    title: "MUST refuse the whole order, storing nothing, if a design is missing, of another order or cancelled",
    requirements: ["D6", "D23"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const [shop, neighbour] = [yield* newShop(), yield* newShop()]
      yield* saveDesign(neighbour, "neighbours")
      yield* saveDesign(shop, "free")
      yield* sell(shop, "other", ["taken"])
      yield* sell(shop, "gone", ["cancelled"])
      yield* driver.cancelOrder({ shop: shop.id, id: "gone" })
      yield* sell(shop, "mine", ["mine"])
      const paths = ["/orders/mine", "/orders/new", "/orders", "/designs/free", "/designs/taken"]
      const before = yield* kept(shop, paths)
      for (const [status, names] of [
        [404, ["free", "nobodys"]],
        [404, ["nobodys", "free"]],
        [404, ["free", "neighbours"]],
        [409, ["free", "taken"]],
        [409, ["taken", "free"]],
        [409, ["free", "cancelled"]],
      ] as const) {
        const lines = names.map((name) => lineOf(name))
        yield* isRefused(`a new order of ${names.join(", ")}`, place(shop, "new", lines), status)
        yield* isRefused(
          `${names.join(", ")} added to an existing order`,
          place(shop, "mine", [lineOf("mine"), ...lines]),
          status,
        )
      }
      yield* equal("afterwards", yield* kept(shop, paths), before)
    }),
  },
  {
    id: "orders.none",
    title: "MUST accept an order without lines and store nothing, whether or not it was placed before",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      yield* sell(shop, "1", ["a"])
      const paths = ["/orders/1", "/orders/nobodys", "/orders"]
      const before = yield* kept(shop, paths)
      for (const id of ["nobodys", "1"]) yield* place(shop, id, [])
      yield* equal("afterwards", yield* kept(shop, paths), before)
      yield* isError("the order without lines", yield* ask(shop.token, "/orders/nobodys"), 404)
    }),
  },
  {
    id: "orders.conflicts",
    title: "MUST refuse another name, time or line item for linked designs, and additions to a cancelled order",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      for (const id of ["a", "b", "c"]) yield* saveDesign(shop, id)
      yield* place(shop, "1", [lineOf("a"), lineOf("b")])
      const paths = ["/orders/1", "/designs/c", "/orders"]
      const before = yield* kept(shop, paths)
      for (const [what, again] of [
        ["another line item", place(shop, "1", [lineOf("a", "other")])],
        ["another line item with an equal one", place(shop, "1", [lineOf("a", "other"), lineOf("b")])],
        ["the line item of another", place(shop, "1", [lineOf("b", "line-of-a"), lineOf("c")])],
        ["another name", place(shop, "1", [lineOf("c")], { name: "other" })],
        ["another name with the same lines", place(shop, "1", [lineOf("a"), lineOf("b")], { name: "other" })],
        ["another time", place(shop, "1", [lineOf("a"), lineOf("b")], { orderedAt: "2026-10-05T14:48:00.001Z" })],
      ] as const) {
        yield* isRefused(what, again, 409)
      }
      yield* equal("afterwards", yield* kept(shop, paths), before)
      yield* driver.cancelOrder({ shop: shop.id, id: "1" })
      const cancelled = yield* kept(shop, paths)
      yield* isRefused("a design more", place(shop, "1", [lineOf("a"), lineOf("b"), lineOf("c")]), 409)
      // The same content again still changes nothing.
      yield* place(shop, "1", [lineOf("a"), lineOf("b")])
      yield* equal("after the cancellation", yield* kept(shop, paths), cancelled)
    }),
  },
  {
    id: "orders.one-design",
    title: "MUST refuse a line with two designs, in one report or in two, and change nothing",
    requirements: ["D81"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      for (const id of ["a", "b", "c"]) yield* saveDesign(shop, id)
      const paths = ["/orders/1", "/designs/a", "/designs/b", "/designs/c", "/orders"]
      const before = yield* kept(shop, paths)
      const two = [lineOf("c"), lineOf("a", "1"), lineOf("b", "1")]
      yield* isRefused("two designs on a line of a new order", place(shop, "1", two), 422)
      yield* equal("afterwards", yield* kept(shop, paths), before)
      yield* place(shop, "1", [lineOf("c"), lineOf("a", "1")])
      const placed = yield* kept(shop, paths)
      yield* isRefused("a second design on a line that is reported again", place(shop, "1", two), 422)
      yield* isRefused("a second design on a line of the order", place(shop, "1", [lineOf("b", "1")]), 422)
      yield* equal("afterwards", yield* kept(shop, paths), placed)
    }),
  },
  {
    id: "orders.currency",
    title: "MUST use the shop's currency for orders, round totals to its step, and refuse designs in another currency",
    requirements: ["§2.1-9", "§2.2-4", "D6a", "F-37"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop({ currency: "CHF", roundingStep: 5 })
      for (const id of ["first", "second", "late"]) yield* saveDesign(shop, id, { basePrice: 1_003 })
      const design = yield* read(shop.token, "/designs/first")
      const price = { base: 1_003, lines: [], rounding: 2, total: 1_005, currency: "CHF" }
      yield* equal("price", design["price"], price as unknown)
      yield* place(shop, "1", [lineOf("first")])
      yield* driver.putShop({ shop: shop.id, input: { ...shopInput, currency: "USD" } })
      yield* saveDesign(shop, "dollars", { basePrice: 100 })
      const paths = ["/orders/1", "/orders/2", "/designs/dollars", "/designs/second"]
      const before = yield* kept(shop, paths)
      yield* isRefused("francs in an order in dollars", place(shop, "2", [lineOf("second")]), 409)
      yield* isRefused("both in one order", place(shop, "2", [lineOf("dollars"), lineOf("second")]), 409)
      yield* isRefused("dollars in an order in francs", place(shop, "1", [lineOf("first"), lineOf("dollars")]), 409)
      yield* equal("afterwards", yield* kept(shop, paths), before)
      yield* place(shop, "1", [lineOf("second")])
      const francs = yield* read(shop.token, "/orders/1")
      yield* equal("the order in francs", [francs["currency"], francs["total"]], ["CHF", 2_010])
      // A draft gets the shop's currency when it is saved again.
      yield* saveDesign(shop, "late", { basePrice: 50 })
      yield* place(shop, "2", [lineOf("dollars"), lineOf("late")])
      const dollars = yield* read(shop.token, "/orders/2")
      yield* equal("the order in dollars", [dollars["currency"], dollars["total"]], ["USD", 150])
    }),
  },
  {
    id: "orders.sum",
    title: "MUST refuse an order whose designs add up to more than 2^53 − 1 cents, and store nothing",
    requirements: ["§1-9", "§2.2-5", "F-39"],
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      yield* saveDesign(shop, "a", { basePrice: Number.MAX_SAFE_INTEGER - 1 })
      yield* saveDesign(shop, "b", { basePrice: 2 })
      const paths = ["/designs/a", "/designs/b", "/orders"]
      const before = yield* kept(shop, paths)
      yield* isRefused("too much", place(shop, "1", [lineOf("a"), lineOf("b")]))
      yield* equal("afterwards", yield* kept(shop, paths), before)
    }),
  },
])
