/** Many designs and orders in and out (D75). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Result, Stream } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../../model/Definition.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { publishCustomizer } from "../customizers/PublishCustomizer.ts"
import { saveDesign } from "../designs/SaveDesign.ts"
import { cancelOrder } from "../orders/CancelOrder.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"
import { exportShop } from "./ExportShop.ts"
import { importDesigns } from "./ImportDesigns.ts"
import { importOrders } from "./ImportOrders.ts"

const ring = { customizerId: 101, selection: { metal: "silver", size: "s54", engrave: "no" }, basePrice: 12_900 }
const made = { ...ring, createdAt: "2026-01-02T03:04:05+01:00" }

const orderOf = (...designs: ReadonlyArray<string>) => ({
  name: "#1",
  orderedAt: "2026-10-05T14:48:00Z",
  lines: designs.map((designId) => ({ designId, lineItemId: `line of ${designId}` })),
})

const done = (outcomes: ReadonlyArray<Result.Result<string, { readonly message: string }>>) =>
  outcomes.map((outcome) => (Result.isSuccess(outcome) ? outcome.success : outcome.failure.message))

type World = Effect.Success<ReturnType<typeof makeWorld>>

const bringDesigns = (world: World, lines: Readonly<Record<string, object>>) =>
  Effect.map(
    world.run(
      importDesigns(
        world.shop,
        Object.entries(lines).map(([id, input]) => ({ id, input: input as Readonly<Record<string, unknown>> })),
      ),
    ),
    done,
  )

const bringOrders = (world: World, lines: Readonly<Record<string, object>>) =>
  Effect.map(
    world.run(
      importOrders(
        world.shop,
        Object.entries(lines).map(([id, input]) => ({ id, input })),
      ),
    ),
    done,
  )

/** The designs and orders of a world, and its events without their ids. */
const stateOf = Effect.fnUntraced(function* (world: World, orders: ReadonlyArray<string>) {
  const designs = yield* world.run(OrderStore.use((store) => store.designs(world.shop, ["a", "b", "c", "d"])))
  const placed = yield* Effect.forEach(orders, (id) =>
    world.run(OrderStore.use((store) => store.order(world.shop, id))),
  )
  const events = world.events.map(({ body, event, subject }) => ({
    event,
    subject,
    data: (JSON.parse(body) as { readonly data: unknown }).data,
  }))
  return JSON.stringify({ designs, placed, events }).replaceAll(world.shop, "shop")
})

describe("Imported designs and orders", () => {
  it.effect("MUST be those that are saved or placed one by one, with the same events (D75)", () =>
    Effect.gen(function* () {
      const [one, many] = [yield* makeWorld(), yield* makeWorld()]
      const designs = { a: ring, b: made, c: { ...ring, basePrice: 1 }, d: made }
      const orders = { 1: orderOf("a"), 2: orderOf("c", "b") }
      for (const [id, input] of Object.entries(designs)) yield* one.run(saveDesign(one.shop, id, input))
      for (const [id, input] of Object.entries(orders)) yield* one.run(placeOrder(one.shop, id, input))
      expect(yield* bringDesigns(many, { ...designs, e: { ...ring, basePrice: -1 } })).toEqual([
        ...["created", "created", "created", "created"],
        expect.stringContaining("basePrice"),
      ])
      expect(yield* bringOrders(many, { ...orders, 3: orderOf("e"), 4: orderOf(), 5: {} })).toEqual([
        ...["created", "created"],
        'The shop has no design "e"',
        "unchanged",
        expect.stringContaining("name: Missing key"),
      ])
      expect(yield* stateOf(many, ["1", "2"])).toBe(yield* stateOf(one, ["1", "2"]))
    }),
  )

  it.effect("MUST be unchanged if they are stored, whatever has become of them since (D75)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const designs = { a: made, b: ring, c: ring, d: ring }
      const orders = { 1: orderOf("a"), 2: orderOf("b") }
      yield* bringDesigns(world, designs)
      yield* bringOrders(world, orders)
      yield* world.run(cancelOrder(world.shop, "2"))
      const before = yield* stateOf(world, ["1", "2"])
      expect(yield* bringDesigns(world, designs)).toEqual(["unchanged", "unchanged", "unchanged", "unchanged"])
      expect(yield* bringOrders(world, orders)).toEqual(["unchanged", "unchanged"])
      expect(yield* stateOf(world, ["1", "2"])).toBe(before)
      const selection = { engrave: "no", size: "s54", metal: "silver" }
      expect(
        yield* bringDesigns(world, {
          a: { ...made, createdAt: "2026-01-02T02:04:05Z" },
          b: { ...ring, basePrice: 1 },
          c: { ...ring, selection },
          d: { ...ring, selection: { ...selection, metal: "gold14" } },
        }),
      ).toEqual(["unchanged", 'The design "b" is cancelled and can\'t be saved again', "unchanged", "changed"])
      expect(yield* bringOrders(world, { 1: orderOf("a", "c"), 3: orderOf("d") })).toEqual(["changed", "created"])
    }),
  )
})

describe("An export", () => {
  it.effect("MUST end with a failure if a definition brings a new column meanwhile (D75)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      // More than a page.
      yield* bringDesigns(world, Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`d-${index}`, ring])))
      const table = world.run(exportShop(world.shop, { kind: "designs", format: "csv" }))
      const { text } = yield* table
      const late: Definition = {
        schemaVersion: 1,
        steps: [{ id: "s", title: "S", view: "front" }],
        questions: [{ id: "new", step: "s", type: "text", title: "New" }],
        rules: [],
      }
      yield* world.run(publishCustomizer(world.shop, 101, { definition: late }))
      yield* world.run(
        saveDesign(world.shop, "z", { customizerId: 101, selection: { new: { text: "x" } }, basePrice: 1 }),
      )
      expect(yield* Effect.flip(Stream.runCollect(text))).toMatchObject({
        _tag: "Conflict",
        message: expect.stringContaining("begin it again"),
      })
      expect((yield* Stream.runCollect((yield* table).text)).join("")).toMatch(
        /^order_id,.*,production\.new,.*\r\n(.*\r\n){151}$/,
      )
    }),
  )
})
