/** Imports of many designs and orders (D75). */
import { expect, it } from "@effect/vitest"
import { Effect, Option, Result, Stream } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { StorageError } from "../../ports/StorageError.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { cancelLine } from "../orders/CancelLine.ts"
import { cancelOrder } from "../orders/CancelOrder.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"
import { exportShop } from "./ExportShop.ts"
import { importDesigns } from "./ImportDesigns.ts"
import type { ImportedRecord } from "./ImportMany.ts"
import { importOrders } from "./ImportOrders.ts"

type World = Effect.Success<ReturnType<typeof makeWorld>>

const ring = { customizerId: 101, selection: { metal: "silver", size: "s54", engrave: "no" }, basePrice: 12_900 }
const made = { ...ring, createdAt: "2026-01-02T03:04:05+01:00" }
const priced = (basePrice: number) => ({ ...ring, basePrice })

const orderOf = (...designs: ReadonlyArray<string>) => ({
  name: "#1",
  orderedAt: "2026-10-05T14:48:00Z",
  lines: designs.map((designId) => ({ designId, lineItemId: `line of ${designId}` })),
})

type Lines = ReadonlyArray<readonly [id: string, input: object]>

const recordsOf = (lines: Lines): ReadonlyArray<ImportedRecord> => lines.map(([id, input]) => ({ id, input }))

/** How records are stored: one call for each, or by an import. */
interface Way {
  readonly designs: (world: World, lines: Lines) => Effect.Effect<ReadonlyArray<string>, unknown>
  readonly orders: (world: World, lines: Lines) => Effect.Effect<ReadonlyArray<string>, unknown>
}

const reasons = (outcomes: ReadonlyArray<Result.Result<unknown, { readonly message: string }>>) =>
  outcomes.map((outcome) => (Result.isSuccess(outcome) ? "" : outcome.failure.message))

const oneByOne: Way = {
  designs: (world, lines) =>
    Effect.map(
      Effect.forEach(lines, ([id, input]) => Effect.result(world.run(saveDesign(world.shop, id, input as never)))),
      reasons,
    ),
  orders: (world, lines) =>
    Effect.map(
      Effect.forEach(lines, ([id, input]) => Effect.result(world.run(placeOrder(world.shop, id, input as never)))),
      reasons,
    ),
}

const together: Way = {
  designs: (world, lines) => Effect.map(world.run(importDesigns(world.shop, recordsOf(lines))), reasons),
  orders: (world, lines) => Effect.map(world.run(importOrders(world.shop, recordsOf(lines))), reasons),
}

/** The designs, orders and events of a shop, without ids and times that differ from run to run. */
const stateOf = Effect.fnUntraced(function* (world: World, ids: ReadonlyArray<string>, orders: ReadonlyArray<string>) {
  const { shop } = world
  const text = yield* world.run(
    OrderStore.use((store) =>
      Effect.all({
        designs: Effect.map(store.designs(shop, ids), (designs) =>
          designs.toSorted((left, right) => (left.id < right.id ? -1 : 1)),
        ),
        orders: Effect.forEach(orders, (id) => Effect.map(store.order(shop, id), Option.getOrUndefined)),
        total: Effect.map(
          store.readOrders({ shop, limit: 1, bytes: 1_000_000, after: null, orderedAfter: null }),
          ({ total }) => total,
        ),
      }),
    ),
  )
  const events = world.events
    .map(({ body, event, subject }) => JSON.stringify({ event, subject, data: JSON.parse(body).data }))
    .toSorted()
  return JSON.parse(JSON.stringify({ ...text, events }).replaceAll(shop, "shop")) as typeof text & {
    readonly events: ReadonlyArray<string>
  }
})

/** Runs the same in two shops, in both ways, and returns what the import has left. */
const bothWays = Effect.fnUntraced(function* <A>(
  run: (world: World, way: Way) => Effect.Effect<A, unknown>,
  ids: ReadonlyArray<string>,
  orders: ReadonlyArray<string>,
) {
  const [one, many] = [yield* makeWorld(), yield* makeWorld()]
  const expected = yield* run(one, oneByOne)
  expect(yield* run(many, together)).toEqual(expected)
  const state = yield* stateOf(many, ids, orders)
  expect(state).toEqual(yield* stateOf(one, ids, orders))
  return { outcome: expected, state }
})

/** Runs effects on a store that counts its commits, and does something else before one of them. */
const watched = (before: Effect.Effect<unknown, StorageError>, nth = 1) => {
  let commits = 0
  const ahead = Effect.suspend(() => (++commits === nth ? before : Effect.void))
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    OrderStore.use((store) =>
      Effect.provideService(
        effect,
        OrderStore,
        OrderStore.of({
          ...store,
          commit: (change) => Effect.andThen(ahead, store.commit(change)),
          commitOrders: (shop, changes) => Effect.andThen(ahead, store.commitOrders(shop, changes)),
        }),
      ),
    )
  return { run, commits: () => commits }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `d-${index}`)

it.effect("MUST be stored as by a call for each, with the same events, many in one commit (D75)", () =>
  Effect.gen(function* () {
    const ids = numbered(150)
    const orders = Array.from({ length: 75 }, (_, index) => `${index}`)
    const { state } = yield* bothWays(
      Effect.fnUntraced(function* (world, way) {
        // It was cancelled before it came.
        yield* world.run(cancelOrder(world.shop, "3"))
        const saved = yield* way.designs(
          world,
          ids.map((id, index) => [id, index % 2 === 0 ? ring : { ...made, basePrice: index }]),
        )
        const placed = yield* way.orders(
          world,
          orders.map((id, index) => [id, orderOf(`d-${2 * index}`, `d-${2 * index + 1}`)]),
        )
        return [saved, placed]
      }),
      ids,
      orders,
    )
    expect([state.total, state.events.length]).toEqual([75, 150 + 150 + 1])

    const world = yield* makeWorld()
    const { commits, run } = watched(Effect.void)
    yield* world.run(run(importDesigns(world.shop, recordsOf(ids.map((id) => [id, ring])))))
    yield* world.run(run(importOrders(world.shop, recordsOf(orders.map((id) => [id, orderOf(`d-${id}`)])))))
    expect(commits()).toBe(3 + 2)
  }),
)

it.effect("MUST reject only the records that a call would refuse (D75)", () =>
  Effect.gen(function* () {
    const { outcome } = yield* bothWays(
      Effect.fnUntraced(function* (world, way) {
        yield* world.save("ordered")
        yield* world.run(placeOrder(world.shop, "0", orderOf("ordered")))
        const saved = yield* way.designs(world, [
          ["bad", { ...ring, basePrice: -1 }],
          ["a", ring],
          ["other", { ...ring, customizerId: 999 }],
          ["b", ring],
          ["ordered", priced(1)],
          ["lead", { ...ring, selection: { metal: "lead" } }],
          ["c\u0000", ring],
          ["c", ring],
        ])
        const placed = yield* way.orders(world, [
          ["1", {}],
          ["2", orderOf("a")],
          ["3", orderOf("none", "b")],
          ["4", orderOf()],
          ["0", { ...orderOf("ordered"), name: "#2" }],
          ["5", orderOf("c", "c")],
          ["6\u0000", orderOf("c")],
          ["7", orderOf("b", "ordered")],
          ["8", orderOf("c")],
        ])
        return { saved, placed }
      }),
      ["a", "b", "c", "bad", "other", "lead", "ordered"],
      ["0", "1", "2", "3", "4", "5", "7", "8"],
    )
    const { placed, saved } = outcome
    expect(saved.map((reason) => reason === "")).toEqual([false, true, false, true, false, false, false, true])
    expect(placed.map((reason) => reason === "")).toEqual([
      ...[false, true, false, true, false],
      ...[false, false, false, true],
    ])
  }),
)

it.effect("MUST come one after the other if they name the same design or order (D75)", () =>
  Effect.gen(function* () {
    const { outcome, state } = yield* bothWays(
      Effect.fnUntraced(function* (world, way) {
        const saved = yield* way.designs(world, [
          ["a", priced(1)],
          ["b", priced(2)],
          ["a", priced(3)],
          ["a", priced(-1)],
          ["a", { ...made, basePrice: 4 }],
          ["c", priced(5)],
          ["d", priced(6)],
          ["e", priced(7)],
        ])
        const placed = yield* way.orders(world, [
          ["1", orderOf("a")],
          ["2", orderOf("a", "b")],
          ["3", orderOf("b")],
          ["1", orderOf("a", "c")],
          ["4", orderOf("c")],
          ["5", orderOf("d")],
          ["5", orderOf("e")],
        ])
        return { saved, placed }
      }),
      ["a", "b", "c", "d", "e"],
      ["1", "2", "3", "4", "5"],
    )
    expect(outcome.saved.map((reason) => reason === "")).toEqual([true, true, true, false, true, true, true, true])
    expect(outcome.placed.map((reason) => reason === "")).toEqual([true, false, true, true, false, true, true])
    expect(state.designs.map(({ revision, wire }) => [revision, JSON.parse(wire).price.base])).toEqual([
      [4, 4],
      [2, 2],
      [2, 5],
      [2, 6],
      [2, 7],
    ])
  }),
)

it.effect("MUST change nothing that is stored already, whatever has become of it since (D75)", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    const designs: Lines = [...["a", "b", "c"].map((id) => [id, ring] as const), ["d", made]]
    const orders: Lines = [
      ["1", orderOf("a", "b")],
      ["2", orderOf("c")],
    ]
    yield* together.designs(world, designs)
    yield* together.orders(world, orders)
    yield* world.run(cancelOrder(world.shop, "2"))
    const state = stateOf(world, ["a", "b", "c", "d"], ["1", "2"])
    const before = yield* state
    const { commits, run } = watched(Effect.void)
    const again = yield* world.run(run(importDesigns(world.shop, recordsOf(designs))))
    expect(reasons(again)).toEqual(["", "", "", ""])
    expect(reasons(yield* world.run(run(importOrders(world.shop, recordsOf(orders)))))).toEqual(["", ""])
    expect(commits()).toBe(0)
    expect(yield* state).toEqual(before)

    expect(
      yield* together.designs(world, [
        ["a", { ...ring, selection: { engrave: "no", size: "s54", metal: "silver" } }],
        ["b", priced(1)],
        ["d", { ...made, createdAt: "2026-01-02T02:04:05Z" }],
      ]),
    ).toEqual(["", 'The design "b" is ordered and can\'t be saved again', ""])
    expect(yield* state).toEqual(before)
    const changes: Lines = [
      ["1", { ...orderOf("a"), name: "#2" }],
      ["1", { ...orderOf("a"), orderedAt: "2026-10-06T14:48:00Z" }],
      ["1", { ...orderOf(), lines: [{ designId: "a", lineItemId: "another line" }] }],
    ]
    for (const change of changes) {
      expect(yield* together.orders(world, [change])).toEqual([expect.stringContaining("was placed")])
    }
    expect(yield* together.orders(world, [["9", orderOf("a")]])).toEqual([
      'The design "a" is ordered in the order "1", and can\'t be in "9"',
    ])
    expect(yield* state).toEqual(before)

    const later = { ...made, createdAt: "2026-01-03T03:04:05+01:00" }
    const gold = { ...later, selection: { ...ring.selection, metal: "gold14" } }
    for (const [change, revision] of [
      [later, 2],
      [gold, 3],
      [{ ...gold, basePrice: 1 }, 4],
    ] as const) {
      expect(yield* together.designs(world, [["d", change]])).toEqual([""])
      const { designs: after } = yield* stateOf(world, ["d"], [])
      expect(after.map((design) => design.revision)).toEqual([revision])
    }
    expect(
      yield* together.designs(world, [
        ["d", ring],
        ["e", ring],
      ]),
    ).toEqual(["", ""])
    expect(
      yield* together.orders(world, [
        ["1", orderOf("b", "d")],
        ["3", orderOf("e")],
      ]),
    ).toEqual(["", ""])
    const { orders: after } = yield* stateOf(world, [], ["1", "3"])
    expect(after.map((order) => order?.designs.map(({ id }) => id))).toEqual([["a", "b", "d"], ["e"]])
  }),
)

it.effect("MUST be stored alone if another call changes one of them at the same time (D75)", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    const { shop } = world
    const buyer = watched(Effect.orDie(world.run(saveDesign(shop, "b", priced(7)))))
    const saved = yield* world.run(
      buyer.run(importDesigns(shop, recordsOf(["a", "b", "c"].map((id) => [id, priced(1)])))),
    )
    expect([reasons(saved), buyer.commits()]).toEqual([["", "", ""], 4])
    const platform = watched(Effect.orDie(world.run(placeOrder(shop, "9", orderOf("b")))))
    const placed = yield* world.run(
      platform.run(importOrders(shop, recordsOf(["a", "b", "c"].map((id) => [`order of ${id}`, orderOf(id)])))),
    )
    expect(reasons(placed)).toEqual(["", expect.stringContaining('The design "b" is ordered in the order "9"'), ""])
    const { designs, events, total } = yield* stateOf(world, ["a", "b", "c"], [])
    expect(designs.map(({ orderId, revision }) => [orderId, revision])).toEqual([
      ["order of a", 2],
      ["9", 3],
      ["order of c", 2],
    ])
    expect([total, events.length]).toEqual([3, 6])
  }),
)

it.effect("MUST fail if the store does, rather than be rejected (D75)", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    const away = new StorageError({ message: "The store is away", cause: undefined, isRetryable: true })
    const failing = (commit: number, ...lines: Lines) =>
      Effect.flip(world.run(watched(Effect.fail(away), commit).run(importDesigns(world.shop, recordsOf(lines)))))
    expect(yield* failing(1, ["a", ring])).toBe(away)
    // The second line is saved alone.
    expect(yield* failing(2, ["a", ring], ["a", priced(1)])).toBe(away)
    const orders = watched(Effect.fail(away)).run(importOrders(world.shop, recordsOf([["1", orderOf("a")]])))
    expect(yield* Effect.flip(world.run(orders))).toBe(away)
    const { designs, total } = yield* stateOf(world, ["a"], [])
    expect([designs.map(({ revision }) => revision), total]).toEqual([[1], 0])
  }),
)

it.effect("MUST place an export of lines with its quantities, copies and cancellations, once (D75, D81, D82)", () =>
  Effect.gen(function* () {
    const [from, to] = [yield* makeWorld(), yield* makeWorld()]
    for (const world of [from, to]) for (const id of ["a", "b", "c", "d"]) yield* world.save(id)
    const { run } = from
    const order = orderOf("a", "b")
    const counted = { ...order, lines: order.lines.map((line) => ({ ...line, quantity: 3 })) }
    yield* run(placeOrder(from.shop, "1", counted))
    yield* run(cancelLine(from.shop, "1", "line of b"))
    yield* run(placeOrder(from.shop, "2", orderOf("c")))
    yield* run(cancelOrder(from.shop, "2"))
    yield* run(placeOrder(from.shop, "3", orderOf("d")))
    const held = Option.getOrThrow(yield* run(OrderStore.use((store) => store.order(from.shop, "3"))))
    const line = { lineItemId: "line of d", designId: "d", quantity: 2, copyOf: "a" }
    const lines = { order: "3", parent: null, lines: [line, { ...line, lineItemId: "gone", quantity: 0 }] }
    const again = { ...held.order, revision: 2 }
    yield* run(
      OrderStore.use((store) => store.commit({ shop: from.shop, designs: [], order: again, events: [], lines })),
    )

    const linesIn = (world: World) =>
      Effect.map(
        Effect.flatMap(world.run(exportShop(world.shop, { kind: "lines" })), ({ lines }) => Stream.runCollect(lines)),
        (texts) => texts.map((text) => JSON.parse(text) as { readonly id: string }),
      )
    const exported = yield* linesIn(from)
    expect(exported.map(({ id }) => id).toSorted()).toEqual(["1", "2", "3"])
    const records = exported.map(({ id, ...input }) => [id, input] as const)
    expect(yield* together.orders(to, records)).toEqual(["", "", ""])
    expect(yield* linesIn(to)).toEqual(exported)
    const kinds = to.events.map(({ event, subject }) => `${event} ${subject.order ?? ""} ${subject.design ?? ""}`)
    expect(kinds.slice(4).toSorted()).toEqual([
      ...["design.cancelled 1 b", "design.ordered 1 a", "design.ordered 1 b", "design.ordered 2 c"],
      ...["design.ordered 3 d", "order.cancelled 2 "],
    ])
    expect(yield* together.orders(to, records)).toEqual(["", "", ""])
    expect(to.events).toHaveLength(kinds.length)
    const wrong = { ...records[0]?.[1], lines: [{ ...line, quantity: -1, status: "ordered" }] }
    expect(yield* together.orders(to, [["4", wrong]])).toEqual([expect.stringContaining("lines[0].quantity")])
  }),
)
