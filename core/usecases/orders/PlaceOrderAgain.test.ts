/** An order that a platform reports again and again (§2.2, §3, D6, D6a). */
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { putShop } from "../shops/ManageShops.ts"
import { placeOrder } from "./PlaceOrder.ts"
import { readOrder } from "./ReadOrders.ts"

const orderedAt = "2026-10-05T14:48:00Z"

const linesOf = (ids: ReadonlyArray<string>) => ids.map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))

/** A shop with saved designs, and a function that places order 1 with some of them. */
const prepared = (designs: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const world = yield* makeWorld()
    for (const id of designs) yield* world.save(id)
    const place = (ids: ReadonlyArray<string>, fields: { readonly name?: string; readonly orderedAt?: string } = {}) =>
      Effect.map(
        world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt, lines: linesOf(ids), ...fields })),
        Option.fromUndefinedOr,
      ).pipe(Effect.flatMap(Effect.fromOption))
    const kept = world
      .run(OrderStore.use((orders) => orders.order(world.shop, "1")))
      .pipe(Effect.flatMap(Effect.fromOption))
    return { world, place, kept }
  })

describe("An order that is placed again", () => {
  it.effect("MUST keep lines in the sequence in which they were added, and add up all of them (D6)", () =>
    Effect.gen(function* () {
      const { kept, place } = yield* prepared(["a", "b", "c", "d"])
      yield* place(["c"])
      yield* place(["b", "c"])
      const last = yield* place(["a", "d", "b"])
      expect(last.value.designs.map(({ id }) => id)).toEqual(["c", "b", "a", "d"])
      expect(last.value.total).toBe(4 * 12_900)
      const { designs } = yield* kept
      expect(designs.map(({ id, position }) => [id, position])).toEqual([
        ["c", 0],
        ["b", 1],
        ["a", 2],
        ["d", 3],
      ])
    }),
  )

  it.effect("MUST have a new tag, by its bytes, each time that designs are added (D17)", () =>
    Effect.gen(function* () {
      const { place, world } = yield* prepared(["a", "b", "c"])
      const etags = new Set<string>()
      for (const ids of [["a"], ["a", "b"], ["a", "b", "c"]]) {
        const placed = yield* place(ids)
        etags.add(placed.etag)
        expect(placed.etag).toBe(yield* world.run(etagOf(placed.text)))
        const read = yield* world.run(readOrder(world.shop, "1"))
        expect([read.text, read.etag]).toEqual([placed.text, placed.etag])
      }
      expect(etags.size).toBe(3)
    }),
  )

  it.effect("MUST change and send nothing if its content is the same (D6)", () =>
    Effect.gen(function* () {
      const { kept, place, world } = yield* prepared(["a", "b"])
      const first = yield* place(["a", "b"])
      const events = world.events.length
      for (const ids of [["a", "b"], ["b", "a"], ["b"]]) {
        const again = yield* place(ids)
        expect([again.text, again.etag]).toEqual([first.text, first.etag])
      }
      expect((yield* kept).order.revision).toBe(1)
      expect(world.events).toHaveLength(events)
    }),
  )

  it.effect("MUST keep its first currency, and accept designs in that currency only (D6a)", () =>
    Effect.gen(function* () {
      const { place, world } = yield* prepared(["a", "b"])
      yield* place(["a"])
      yield* world.run(
        putShop(world.shop, { domain: "shop.example.com", currency: "CHF", imageBase: "https://images.example.com/i" }),
      )
      expect((yield* place(["b"])).value.currency).toBe("EUR")
      yield* world.save("c")
      expect(yield* Effect.flip(place(["c"]))).toMatchObject({
        _tag: "Conflict",
        message: 'The design "c" is priced in CHF, but the order "1" is in EUR',
        conflict: { field: "currency", designId: "c", held: "EUR", given: "CHF" },
      })
    }),
  )

  it.effect("MUST be refused if it names a design twice, with the place (D6)", () =>
    Effect.gen(function* () {
      const { place, world } = yield* prepared(["a", "b"])
      expect(yield* Effect.flip(place(["a", "b", "a"]))).toMatchObject({
        _tag: "Refused",
        problems: [{ path: "lines[2].designId", message: 'The design "a" is named twice' }],
      })
      expect((yield* Effect.flip(world.run(readOrder(world.shop, "1"))))._tag).toBe("NotFound")
    }),
  )

  it.effect("MUST store nothing if it has no lines, placed before or not (D6)", () =>
    Effect.gen(function* () {
      const { kept, place, world } = yield* prepared(["a"])
      const none = world.run(placeOrder(world.shop, "1", { name: "another", orderedAt, lines: [] }))
      expect(yield* none).toBeUndefined()
      expect((yield* Effect.flip(world.run(readOrder(world.shop, "1"))))._tag).toBe("NotFound")
      yield* place(["a"])
      expect(yield* none).toBeUndefined()
      expect((yield* kept).order.revision).toBe(1)
    }),
  )

  it.effect(
    "MUST be refused with another name, time or line item for linked designs, and show the first one (D6)",
    () =>
      Effect.gen(function* () {
        const { kept, place, world } = yield* prepared(["a", "b"])
        yield* place(["a"])
        const line = { designId: "a", lineItemId: "another" }
        const [held, given] = ["2026-10-05T14:48:00.000+00:00", "2026-10-05T14:48:00.001+00:00"]
        for (const [refused, words, conflict] of [
          [
            place(["a"], { name: "#2" }),
            'the name "#1", which can\'t be changed to "#2"',
            { field: "name", held: "#1", given: "#2" },
          ],
          [
            place(["a"], { orderedAt: "2026-10-05T14:48:00.001Z" }),
            `the time (orderedAt) ${held}, which can't be changed to ${given}`,
            { field: "orderedAt", held, given },
          ],
          [
            world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt, lines: [line, ...linesOf(["b"])] })),
            'the design "a" on the line item "line-of-a", which can\'t be changed to "another"',
            { field: "lineItemId", designId: "a", held: "line-of-a", given: "another" },
          ],
        ] as const) {
          expect(yield* Effect.flip(refused as Effect.Effect<unknown, unknown>)).toMatchObject({
            _tag: "Conflict",
            message: `The order "1" was placed with ${words}`,
            conflict,
          })
        }
        const { designs, order } = yield* kept
        expect([designs.length, order.revision, order.orderedAt]).toEqual([1, 1, Date.parse(orderedAt)])
        // The same time in another format is equal.
        yield* place(["a"], { orderedAt: "2026-10-05T16:48:00+02:00" })
      }),
  )

  it.effect("MUST be refused with a second design for a line, by name, in the same report or later (D81)", () =>
    Effect.gen(function* () {
      const { kept, place, world } = yield* prepared(["a", "b"])
      const shared = ["a", "b"].map((designId) => ({ designId, lineItemId: "line-of-a" }))
      const both = (lines: typeof shared) =>
        Effect.flip(world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt, lines })))
      expect(yield* both(shared)).toMatchObject({
        _tag: "Refused",
        message: 'The line item "line-of-a" has the designs "a" and "b": a line has at most one design',
        problems: [{ path: "lines[0].designId" }],
      })
      yield* place(["a"])
      for (const lines of [shared, shared.slice(1)]) {
        const { message, ...refused } = (yield* both(lines)) as { readonly message: string }
        expect(refused).toMatchObject({ _tag: "Refused", problems: [{ path: `lines[${lines.length - 1}].designId` }] })
        expect(message).toMatch(/"line-of-a" .*"a".* "b": a line has at most one design$/)
      }
      // Of an order whose platform has put one design on two lines.
      const line = { designId: "a", quantity: 1, copyOf: null }
      const { order } = yield* kept
      const stored = ["line-of-a", "upcharge"].map((lineItemId) => ({ ...line, lineItemId }))
      const lines = { order: "1", parent: null, lines: stored }
      const change = { shop: world.shop, designs: [], events: [], order: { ...order, revision: 2 }, lines }
      yield* world.run(OrderStore.use((orders) => orders.commit(change)))
      expect(yield* both([{ designId: "b", lineItemId: "upcharge" }])).toMatchObject({ _tag: "Refused" })
      expect((yield* kept).designs.map(({ id }) => id)).toEqual(["a"])
    }),
  )
})
