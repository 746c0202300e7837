/** An order whose buyer is forgotten (D43). `RedactEvents.test.ts` tests its kept events. */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import { CustomizerStore } from "../../ports/CustomizerStore.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { type Change, OrderStore } from "../../ports/OrderStore.ts"
import { etagOf } from "../../support/Etag.ts"
import { publishCustomizer } from "../catalog/PublishCustomizer.ts"
import { readDesign } from "../catalog/ReadDesign.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { placeOrder } from "./PlaceOrder.ts"
import { readOrder } from "./ReadOrders.ts"
import { redactOrder } from "./RedactOrder.ts"

const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [
    { id: "line", step: "s", type: "text", title: "Line" },
    {
      id: "size",
      step: "s",
      type: "single",
      title: "Size",
      answers: [{ id: "l", title: "Large", productionCode: "L" }],
    },
  ],
  rules: [],
}

/** An order of two designs with a text and one without, over stores that count reads and record commits. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  yield* world.run(publishCustomizer(world.shop, 101, { definition }))
  for (const [id, selection] of [
    ["a", { line: { text: "From Ann" }, size: "l" }],
    ["b", { size: "l" }],
    ["c", { line: { text: "From Carl" } }],
  ] as const) {
    yield* world.run(saveDesign(world.shop, id, { customizerId: 101, selection, basePrice: 100 }))
  }
  const lines = ["a", "b", "c"].map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))
  yield* world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines }))
  const placed = yield* world.run(readOrder(world.shop, "1"))
  const [orders, customizers, events] = [
    Context.get(world.ports, OrderStore),
    Context.get(world.ports, CustomizerStore),
    Context.get(world.ports, EventStore),
  ]
  const seen = { commits: [] as Change[], definitions: 0, redacted: [] as number[] }
  const redact = world.run(
    redactOrder(world.shop, "1").pipe(
      Effect.provideService(OrderStore, {
        ...orders,
        commit: (change) =>
          Effect.andThen(
            Effect.sync(() => seen.commits.push(change)),
            orders.commit(change),
          ),
      }),
      Effect.provideService(CustomizerStore, {
        ...customizers,
        definition: (shop, id, version) =>
          Effect.suspend(() => {
            seen.definitions++
            return customizers.definition(shop, id, version)
          }),
      }),
      Effect.provideService(EventStore, {
        ...events,
        redact: (shop, changed) =>
          Effect.andThen(
            Effect.sync(() => seen.redacted.push(changed.length)),
            events.redact(shop, changed),
          ),
      }),
    ),
  )
  return { world, placed, redact, seen }
})

describe("Redacting an order (D43)", () => {
  it.effect("MUST replace buyers' texts in its designs, leave everything else, and set new tags (D43)", () =>
    Effect.gen(function* () {
      const { placed, redact, world } = yield* prepared
      const { value: before } = placed
      const after = yield* redact
      expect(after.text).not.toMatch(/From (Ann|Carl)/)
      expect(after.value).toMatchObject({
        ...before,
        designs: before.designs.map(({ productionData: _, selection, summary: __, ...design }) => ({
          ...design,
          selection: "line" in selection ? { ...selection, line: { text: "[redacted]" } } : selection,
        })),
      })
      expect(after.etag).not.toBe(placed.etag)
      expect(after.etag).toBe(yield* world.run(etagOf(after.text)))
      expect(yield* world.run(readOrder(world.shop, "1"))).toEqual(after)
      const design = yield* world.run(readDesign(world.shop, "a"))
      expect(design.value.summary.map(({ value }) => value)).toEqual(["[redacted]", "Large"])
      expect(design.etag).toBe(yield* world.run(etagOf(design.text)))
    }),
  )

  it.effect("MUST commit only designs that change, send nothing, and read each definition once (D43)", () =>
    Effect.gen(function* () {
      const { redact, seen, world } = yield* prepared
      yield* redact
      expect(seen.commits).toMatchObject([
        {
          shop: world.shop,
          designs: [
            { id: "a", revision: 3 },
            { id: "c", revision: 3 },
          ],
          order: { id: "1", revision: 2 },
          events: [],
        },
      ])
      // The saved and the ordered form of each of the two.
      expect(seen.redacted).toEqual([4])
      expect(seen.definitions).toBe(1)
    }),
  )

  it.effect("MUST change nothing the second time", () =>
    Effect.gen(function* () {
      const { redact, seen } = yield* prepared
      const first = yield* redact
      expect(yield* redact).toEqual(first)
      expect([seen.commits.length, seen.redacted.length]).toEqual([1, 1])
    }),
  )

  it.effect("MUST read each design with its own version of its customizer", () =>
    Effect.gen(function* () {
      const { run, shop } = yield* makeWorld()
      const [, size] = definition.questions
      for (const [id, questions, selection] of [
        ["a", definition.questions, { line: { text: "From Ann" } }],
        ["b", [{ ...size, id: "weight" }], { weight: "l" }],
      ] as const) {
        yield* run(publishCustomizer(shop, 101, { definition: { ...definition, questions } as Definition }))
        yield* run(saveDesign(shop, id, { customizerId: 101, selection, basePrice: 100 }))
      }
      const lines = ["a", "b"].map((designId) => ({ designId, lineItemId: designId }))
      yield* run(placeOrder(shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines }))
      const { value } = yield* run(redactOrder(shop, "1"))
      expect(value.designs.map(({ selection }) => selection)).toEqual([
        { line: { text: "[redacted]" } },
        { weight: "l" },
      ])
    }),
  )

  it.effect("MUST also redact an event that is made meanwhile from the unredacted design", () =>
    Effect.gen(function* () {
      const { world } = yield* prepared
      const events = Context.get(world.ports, EventStore)
      const of = { shop: world.shop, designIds: ["a", "b", "c"], after: null, limit: 50 }
      const [late] = yield* events.ofDesigns(of)
      let looks = 0
      const redact = redactOrder(world.shop, "1").pipe(
        Effect.provideService(EventStore, {
          ...events,
          ofDesigns: (query) =>
            Effect.map(events.ofDesigns(query), (found) =>
              looks++ === 0 ? found.filter(({ id }) => id !== late?.id) : found,
            ),
        }),
      )
      yield* world.run(redact)
      expect((yield* events.ofDesigns(of)).filter(({ body }) => /From (Ann|Carl)/.test(body))).toEqual([])
    }),
  )
})
