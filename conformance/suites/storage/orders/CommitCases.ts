import { Effect, Option } from "effect"
import type { DesignRecord } from "../../../../core/model/catalog/Design.ts"
import { type OrderRecord, wire } from "../../../../core/model/orders/Order.ts"
import { type Change, OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, failsWith, none, some, tagOf } from "../../Assertion.ts"
import { calling, type ListedCase, onOtherHost } from "../StorageCase.ts"
import {
  cancelled,
  changed,
  day,
  makeDesign,
  makeOrder,
  makeOrdered,
  newShop,
  readOrder,
  retrying,
  someTime,
  wholePage,
} from "../support/Fixtures.ts"

/** The stores of both hosts. */
export const bothHosts = Effect.all([OrderStore, onOtherHost(OrderStore)])

/** A committed order with two designs, and a draft. */
export const given = Effect.fnUntraced(function* (shop: string) {
  const order = makeOrder(shop, "1001")
  const designs = [makeOrdered(order, "a", 0), makeOrdered(order, "b", 1)] as const
  const draft = makeDesign(shop, "draft")
  yield* (yield* OrderStore).commit({ shop, designs: [...designs, draft], order, events: [] })
  return { order, designs, draft }
})

/** Everything that a shop holds with these ids. */
const held = Effect.fnUntraced(function* (
  store: OrderStore["Service"],
  shop: string,
  designs: ReadonlyArray<string>,
  orders: ReadonlyArray<string>,
) {
  return {
    designs: (yield* store.designs(shop, designs)).toSorted((left, right) => (left.id < right.id ? -1 : 1)),
    orders: yield* Effect.forEach(orders, (id) => store.order(shop, id)),
    wires: yield* Effect.forEach(designs, (id) => store.readDesign(shop, id)),
    page: yield* store.readOrders({ shop, ...wholePage }),
  }
})

/** A case of a refused change: nothing of it is stored, and existing records stay unchanged. */
const refused = (
  id: string,
  title: string,
  change: (shop: string, kept: Effect.Success<ReturnType<typeof given>>) => Omit<Change, "shop" | "events">,
): ListedCase => ({
  id,
  title,
  requirements: ["D6"],
  run: Effect.gen(function* () {
    const [store, otherStore] = yield* bothHosts
    const shop = yield* newShop
    const { designs, order } = change(shop, yield* given(shop))
    const ids = [
      ["a", "b", "draft", ...designs.map((design) => design.id)],
      ["1001", order?.id ?? "1001"],
    ] as const
    const before = yield* held(store, shop, ...ids)
    yield* failsWith("the commit", "StaleRevision", store.commit({ shop, designs, order, events: [] }))
    yield* equal("the records after it", yield* held(store, shop, ...ids), before)
    yield* equal("the records on the other host", yield* held(otherStore, shop, ...ids), before)
  }),
})

/** Runs all changes concurrently, alternating between two hosts, and returns those stored. All others must be stale. */
const race = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
  const both = yield* bothHosts
  const outcomes = yield* Effect.forEach(
    changes,
    (change, index) =>
      retrying(both[index % 2 === 0 ? 0 : 1].commit(change)).pipe(
        Effect.as(change),
        Effect.catchIf(
          (error) => tagOf(error) === "StaleRevision",
          () => Effect.succeed(undefined),
        ),
      ),
    { concurrency: "unbounded" },
  )
  return outcomes.filter((outcome) => outcome !== undefined)
})

const winner = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
  const stored = yield* race(changes)
  yield* equal("stored changes", stored.length, 1)
  return yield* some("the stored change", Option.fromUndefinedOr(stored[0]))
})

/** The contract of `OrderStore.commit`. */
export const commitCases = calling(
  ShopStore,
  OrderStore,
)([
  {
    id: "resources.commit.stores",
    title: "MUST store new records and replace stored ones by their next revision, visible at once on every host",
    requirements: ["D4", "D6"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const { order, designs, draft } = yield* given(shop)
      const states = [
        { order, designs: [...designs, draft] },
        { order: null, designs: [changed(draft)] },
        { order: cancelled(order), designs: designs.map((design) => changed(design, { status: "cancelled" })) },
        { order: null, designs: [changed(changed(draft))] },
      ]
      let [keptOrder, kept]: [OrderRecord, ReadonlyArray<DesignRecord>] = [order, [...designs, draft]]
      for (const [index, change] of states.entries()) {
        if (index > 0) yield* store.commit({ shop, ...change, events: [] })
        keptOrder = change.order ?? keptOrder
        kept = kept.map((design) => change.designs.find(({ id }) => id === design.id) ?? design)
        const ordered = kept.filter(({ orderId }) => orderId !== null)
        for (const host of [store, otherStore]) {
          yield* equal("what is held", yield* held(host, shop, ["a", "b", "draft"], ["1001"]), {
            designs: [...kept],
            orders: [Option.some({ order: keptOrder, designs: ordered })],
            wires: kept.map(({ wire, etag }) => Option.some({ wire, etag })),
            page: { orders: [{ wire: wire(keptOrder, ordered), etag: keptOrder.etag }], total: 1, next: null },
          })
        }
      }
    }),
  },
  {
    id: "resources.commit.parts",
    title: "MUST accept a change of only designs, of only an order, and of nothing",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const { order, designs, draft } = yield* given(shop)
      yield* store.commit({ shop, designs: [], order: null, events: [] })
      yield* store.commit({ shop, designs: [], order: cancelled(order), events: [] })
      const saved = changed(draft)
      yield* store.commit({ shop, designs: [saved], order: null, events: [] })
      yield* equal("the draft", yield* store.designs(shop, ["draft"]), [saved])
      const kept = yield* some("the order", yield* store.order(shop, "1001"))
      yield* equal("the designs of the order", kept.designs, designs)
      yield* equal("the order's revision", kept.order.revision, 2)
    }),
  },
  refused(
    "resources.commit.stale.design",
    "MUST refuse a design that replaces an older revision than the stored one",
    (_, { draft }) => ({
      designs: [{ ...changed(draft), revision: 1 }],
      order: null,
    }),
  ),
  refused(
    "resources.commit.stale.skipped",
    "MUST refuse a design whose revision is not the next one",
    (_, { draft }) => ({
      designs: [{ ...changed(draft), revision: 3 }],
      order: null,
    }),
  ),
  refused("resources.commit.stale.missing", "MUST refuse a design that replaces a missing one", (shop) => ({
    designs: [changed(makeDesign(shop, "unknown"))],
    order: null,
  })),
  refused(
    "resources.commit.stale.order",
    "MUST refuse an order that exists already, with all its new designs",
    (shop) => {
      const order = makeOrder(shop, "1001")
      return { designs: [makeOrdered(order, "c", 2), makeOrdered(order, "d", 3)], order }
    },
  ),
  refused(
    "resources.commit.stale.order.skipped",
    "MUST refuse an order whose revision is not the next one",
    (_, { order }) => ({
      designs: [makeOrdered(order, "c", 2)],
      order: { ...cancelled(order), revision: 3 },
    }),
  ),
  refused("resources.commit.stale.order.missing", "MUST refuse an order that replaces a missing one", (shop) => {
    const order = makeOrder(shop, "1002")
    return { designs: [makeOrdered(order, "c", 0)], order: cancelled(order) }
  }),
  ...["first", "middle", "last"].map((place, at) =>
    refused(
      `resources.commit.atomic.${place}`,
      `MUST store nothing of a change whose ${place} design is stale: no new design, no replaced one, no order`,
      (shop, { draft, designs: [a] }) => {
        const order = makeOrder(shop, "1002", { orderedAt: someTime + day })
        const stale = { ...changed(draft), revision: 1, status: "ordered" as const, orderId: "1002", position: 9 }
        const fine = [makeOrdered(order, "c", 0), changed(a), makeOrdered(order, "d", 1)]
        return { designs: fine.toSpliced(at === 0 ? 0 : at === 1 ? 2 : 3, 0, stale), order }
      },
    ),
  ),
  refused(
    "resources.commit.atomic.order",
    "MUST store nothing of a change whose order is stale: no new design and no replaced one",
    (shop, { order, designs: [a, b], draft }) => ({
      designs: [changed(a), makeDesign(shop, "c"), changed(b), changed(draft, { orderId: "1001", position: 2 })],
      order: { ...cancelled(order), revision: 1 },
    }),
  ),
  {
    id: "resources.commit.shops",
    title: "MUST NOT treat another shop's records as those that a change replaces or that exist already",
    requirements: ["§5-3"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const [shop, otherShop] = [yield* newShop, yield* newShop]
      const mine = yield* given(shop)
      const replaces = {
        shop: otherShop,
        designs: [changed({ ...mine.draft, shop: otherShop })],
        order: null,
        events: [],
      }
      yield* failsWith("replacing a design of the other shop", "StaleRevision", store.commit(replaces))
      const theirs = yield* given(otherShop)
      yield* store.commit({
        shop: otherShop,
        designs: [changed(theirs.draft)],
        order: cancelled(theirs.order),
        events: [],
      })
      const kept = yield* some("my order", yield* store.order(shop, "1001"))
      yield* equal("my order", kept, { order: mine.order, designs: mine.designs })
      yield* equal("my draft", yield* store.designs(shop, ["draft"]), [mine.draft])
    }),
  },
  {
    id: "resources.commit.stale.again",
    title: "MUST accept the change after a refused one if it is based on the stored records",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const { draft } = yield* given(shop)
      const second = changed(draft)
      yield* store.commit({ shop, designs: [second], order: null, events: [] })
      yield* failsWith(
        "the same again",
        "StaleRevision",
        store.commit({ shop, designs: [second], order: null, events: [] }),
      )
      const third = changed(second)
      yield* store.commit({ shop, designs: [third], order: null, events: [] })
      yield* equal("the draft", yield* store.designs(shop, ["draft"]), [third])
    }),
  },
  {
    id: "resources.commit.race.new-design",
    rounds: 5,
    title: "MUST store exactly one of many concurrent new designs of one id",
    requirements: ["D4"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const changes = Array.from({ length: 12 }, () => ({
        shop,
        designs: [makeDesign(shop, "a")],
        order: null,
        events: [],
      }))
      yield* equal("the design", yield* store.designs(shop, ["a"]), [])
      const { designs } = yield* winner(changes)
      yield* equal("the design", yield* store.designs(shop, ["a"]), designs)
    }),
  },
  {
    id: "resources.commit.race.design",
    title: "MUST store exactly one of many concurrent changes of one revision of a design, round after round",
    requirements: ["D4"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      let { draft } = yield* given(shop)
      for (let round = 0; round < 5; round++) {
        const changes = Array.from({ length: 8 }, () => ({
          shop,
          designs: [changed(draft)],
          order: null,
          events: [],
        }))
        const { designs } = yield* winner(changes)
        yield* equal("the design", yield* store.designs(shop, ["draft"]), designs)
        draft = designs[0] ?? draft
      }
    }),
  },
  {
    id: "resources.commit.race.new-order",
    rounds: 5,
    title: "MUST store exactly one of many concurrent new orders of one id, with exactly its own designs",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const changes = Array.from({ length: 12 }, (_, index) => {
        const order = makeOrder(shop, "1001")
        return {
          shop,
          designs: [makeOrdered(order, `a ${index}`, 0), makeOrdered(order, `b ${index}`, 1)],
          order,
          events: [],
        }
      })
      const { order, designs } = yield* winner(changes)
      const kept = yield* some("the order", yield* store.order(shop, "1001"))
      yield* equal("the order", kept, { order: order ?? kept.order, designs })
      const ids = changes.flatMap((change) => change.designs.map(({ id }) => id))
      yield* equal("designs", (yield* store.designs(shop, ids)).length, 2)
      yield* equal("total", (yield* store.readOrders({ shop, ...wholePage })).total, 1)
    }),
  },
  {
    id: "resources.commit.race.draft",
    rounds: 5,
    title: "MUST give a draft that many new orders claim at once to exactly one of them, and store no other order",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      const { draft } = yield* given(shop)
      const changes = Array.from({ length: 12 }, (_, index) => {
        const order = makeOrder(shop, `order ${index}`)
        return { shop, designs: [changed(draft, { status: "ordered", orderId: order.id })], order, events: [] }
      })
      const { order, designs } = yield* winner(changes)
      yield* equal("the design", yield* store.designs(shop, ["draft"]), designs)
      for (const change of changes) {
        const found = yield* store.order(shop, change.order.id)
        if (change.order === order) yield* equal("its order", found, Option.some({ order: change.order, designs }))
        else yield* none("another order", found)
      }
      yield* equal("total", (yield* store.readOrders({ shop, ...wholePage })).total, 2)
    }),
  },
  {
    id: "resources.commit.race.crossed",
    rounds: 5,
    title: "MUST store exactly one of many concurrent changes of the same designs, whatever their order in each",
    requirements: ["D6"],
    run: Effect.gen(function* () {
      const [store] = yield* bothHosts
      const shop = yield* newShop
      let kept: ReadonlyArray<DesignRecord> = ["a", "b", "c", "d", "e", "f"].map((id) => makeDesign(shop, id))
      const ids = kept.map(({ id }) => id)
      yield* store.commit({ shop, designs: kept, order: null, events: [] })
      for (let round = 0; round < 4; round++) {
        const changes = Array.from({ length: 6 }, (_, index) => {
          const designs = kept.map((design) => changed(design))
          return { shop, designs: index % 2 === 0 ? designs : designs.toReversed(), order: null, events: [] }
        })
        const { designs } = yield* winner(changes)
        const now = (yield* store.designs(shop, ids)).toSorted((left, right) => (left.id < right.id ? -1 : 1))
        yield* equal(
          "the designs",
          now,
          designs.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
        )
        kept = now
      }
    }),
  },
  {
    id: "resources.commit.race.orders",
    rounds: 5,
    title: "MUST store all of many concurrent new orders of a shop, and count each of them",
    requirements: ["§2.4-1", "D14"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shop = yield* newShop
      const orders = Array.from({ length: 48 }, (_, index) =>
        makeOrder(shop, `order ${index}`, { orderedAt: someTime - (index % 4) * day - index }),
      )
      yield* Effect.forEach(
        orders,
        (order, index) =>
          both[index % 2 === 0 ? 0 : 1].commit({
            shop,
            designs: [makeOrdered(order, `of ${order.id}`, 0)],
            order,
            events: [],
          }),
        { concurrency: "unbounded" },
      )
      for (const host of both) {
        const page = yield* host.readOrders({ shop, ...wholePage })
        yield* equal("orders on the page", page.orders.length, 48)
        for (const days of [0, 1, 2, 3]) {
          const orderedAfter = someTime - days * day - day / 2
          const { total } = yield* host.readOrders({ shop, ...wholePage, limit: 1, orderedAfter })
          yield* equal(`total of the last ${days + 1} days`, total, 12 * (days + 1))
        }
      }
    }),
  },
  {
    id: "resources.commit.moment",
    title: "MUST show an order and its designs as of one moment while they change",
    requirements: ["D3", "D17"],
    run: Effect.gen(function* () {
      const [store, otherStore] = yield* bothHosts
      const shop = yield* newShop
      const atRevision = (revision: number): Change => {
        const mark = `r${revision};`
        const order = makeOrder(shop, "1001", { revision, etag: mark, head: mark })
        const designs = ["a", "b", "c"].map((id, at) =>
          makeOrdered(order, id, at, { revision, etag: mark, wire: mark }),
        )
        return { shop, designs, order, events: [] }
      }
      yield* store.commit(atRevision(1))
      const changing = Effect.gen(function* () {
        for (let revision = 2; revision <= 40; revision++) yield* store.commit(atRevision(revision))
        return true
      })
      let done = false
      const reading = Effect.gen(function* () {
        while (!done) {
          const kept = yield* some("order", yield* otherStore.order(shop, "1001"))
          const marks = [kept.order.head, ...kept.designs.map((design) => design.wire)]
          yield* equal(
            "order",
            marks,
            Array.from({ length: 4 }, () => kept.order.etag),
          )
          const one = yield* some("readOrder", yield* readOrder(otherStore, shop, "1001"))
          yield* equal("readOrder", one.wire, `${one.etag}${one.etag},${one.etag},${one.etag}]}`)
          const page = yield* otherStore.readOrders({ shop, ...wholePage })
          for (const { wire, etag } of page.orders) yield* equal("readOrders", wire, `${etag}${etag},${etag},${etag}]}`)
          yield* Effect.yieldNow
        }
      })
      const writing = Effect.ensuring(
        changing,
        Effect.sync(() => {
          done = true
        }),
      )
      yield* Effect.all([writing, reading, reading], { concurrency: "unbounded" })
    }),
  },
])
