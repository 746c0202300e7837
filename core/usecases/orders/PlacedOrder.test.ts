/** An order that is placed for the first time (§2.2, §3, §6, D6). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { someTime } from "../../../conformance/suites/storage/support/Fixtures.ts"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { OrderInput } from "../../model/orders/Order.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { readDesign } from "../catalog/ReadDesign.ts"
import { placeOrder } from "./PlaceOrder.ts"

const orderedAt = "2026-10-05T16:48:00+02:00"
const linesOf = (...designs: ReadonlyArray<string>) =>
  designs.map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))

const instant = "2026-10-05T14:48:00.000+00:00"

describe("An order that is placed", () => {
  it.effect("MUST have its designs unchanged but for status and lines, and the sum of their prices", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const drafts = [(yield* world.save("a")).design.value, (yield* world.save("b")).design.value]
      const order = yield* world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt, lines: linesOf("b", "a") }))
      const designs = [...drafts].reverse().map((draft) => ({
        ...draft,
        status: "ordered",
        order: { id: "1", name: "#1", lineItemId: `line-of-${draft.id}` },
        orderedAt: instant,
      }))
      expect(order?.value).toEqual({
        id: "1",
        name: "#1",
        status: "ordered",
        currency: "EUR",
        total: 25_800,
        orderedAt: instant,
        designs,
      })
      const kept = yield* world.run(
        OrderStore.use((orders) => orders.order(world.shop, "1")).pipe(Effect.flatMap(Effect.fromOption)),
      )
      expect(kept.order).toMatchObject({ shop: world.shop, id: "1", orderedAt: Date.parse(orderedAt), revision: 1 })
      expect(kept.designs.map(({ orderId, revision, status }) => [orderId, revision, status])).toEqual(
        Array(2).fill(["1", 2, "ordered"]),
      )
      const design = yield* world.run(readDesign(world.shop, "a"))
      expect(design.value).toEqual(designs[1])
      expect(design.etag).toBe(yield* world.run(etagOf(design.text)))
    }),
  )

  it.effect("MUST be one event for each of its designs, with the design's current bytes (§6)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["a", "b"])
      yield* TestClock.adjust(5)
      yield* world.save("c")
      const before = world.events.length
      yield* world.run(
        placeOrder(world.shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: linesOf("a", "b", "c") }),
      )
      const [event, ...rest] = world.events.slice(before).filter(({ event }) => event !== "design.created")
      const { text } = yield* world.run(readDesign(world.shop, "c"))
      expect(rest).toEqual([])
      expect(event).toEqual({
        shop: world.shop,
        id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/),
        event: "design.ordered",
        subject: { order: "1", design: "c" },
        trace: null,
        test: false,
        createdAt: someTime + 5,
        body: expect.stringContaining(`"data":{"design":${text}},"test":false}`),
      })
      const ordered = world.events.filter(({ event }) => event === "design.ordered")
      expect(ordered.map(({ body }) => JSON.parse(body).data.design.id)).toEqual(["a", "b", "c"])
    }),
  )

  it.effect("MUST be refused with the name of every invalid field", () =>
    Effect.gen(function* () {
      const { run, save, shop } = yield* makeWorld()
      yield* save("a")
      const input = { name: "#1", orderedAt, lines: [{ designId: "a", lineItemId: "1" }] }
      const [line] = input.lines
      const refused: ReadonlyArray<readonly [id: string, fields: object, ...paths: ReadonlyArray<string>]> = [
        ["", {}, "id"],
        ["\u001f", {}, "id"],
        ...[undefined, "", "x".repeat(256), "a\0", "\udc00"].map((name) => ["1", { name }, "name"] as const),
        ["1", { name: "", lines: [] }, "name"],
        ...["yesterday", "2026-10-05"].map((at) => ["1", { orderedAt: at }, "orderedAt"] as const),
        ...[undefined, {}].map((lines) => ["1", { lines }, "lines"] as const),
        ["1", { lines: [line, null] }, "lines[1]"],
        ["1", { lines: [{ lineItemId: "1" }] }, "lines[0].designId"],
        ["1", { lines: [{ ...line, designId: "😀".repeat(256) }] }, "lines[0].designId"],
        ...[undefined, "", 1].map(
          (lineItemId) => ["1", { lines: [{ ...line, lineItemId }] }, "lines[0].lineItemId"] as const,
        ),
        ["1", { lines: [{ designId: "\0", lineItemId: "\ud800" }] }, "lines[0].designId", "lines[0].lineItemId"],
        ["1", { name: 1, orderedAt: 2, lines: 3 }, "name", "orderedAt", "lines"],
      ]
      for (const [id, fields, ...paths] of refused) {
        const given = { ...input, ...fields } as OrderInput
        expect([fields, yield* Effect.flip(run(placeOrder(shop, id, given)))]).toMatchObject([
          fields,
          { _tag: "InvalidInput", problems: paths.map((path) => ({ path })) },
        ])
      }
    }),
  )

  it.effect("MUST be refused with the first line that can't be ordered, and change nothing (§3)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["a"])
      yield* world.save("b")
      const events = world.events.length
      const lines = linesOf("b", "a", "none")
      expect(
        yield* Effect.flip(world.run(placeOrder(world.shop, "2", { name: "#2", orderedAt, lines }))),
      ).toMatchObject({
        _tag: "Conflict",
        message: 'The design "a" is ordered in the order "1", and can\'t be in "2"',
        conflict: { field: "orderId", designId: "a", held: "1", given: "2" },
      })
      expect((yield* world.run(readDesign(world.shop, "b"))).value.status).toBe("draft")
      expect(world.events).toHaveLength(events)
    }),
  )
})
