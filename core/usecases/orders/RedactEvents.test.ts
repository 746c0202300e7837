/** The kept events of an order whose buyer is forgotten (D43). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import { EventStore } from "../../ports/EventStore.ts"
import { publishCustomizer } from "../catalog/PublishCustomizer.ts"
import { saveDesign } from "../catalog/SaveDesign.ts"
import { sendTestEvent } from "../webhooks/ManageDeliveries.ts"
import { placeOrder } from "./PlaceOrder.ts"
import { redactOrder } from "./RedactOrder.ts"

const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [{ id: "line", step: "s", type: "text", title: "Line" }],
  rules: [],
}

/** A shop with two orders, whose buyers wrote the order's id. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  yield* world.run(publishCustomizer(world.shop, 101, { definition }))
  for (const id of ["mine", "theirs"]) {
    yield* world.run(
      saveDesign(world.shop, `d-${id}`, {
        customizerId: 101,
        selection: { line: { text: `I am ${id}` } },
        basePrice: 1,
      }),
    )
    yield* world.run(
      placeOrder(world.shop, id, {
        name: id,
        orderedAt: "2026-10-05T14:48:00Z",
        lines: [{ designId: `d-${id}`, lineItemId: "1" }],
      }),
    )
  }
  const bodies = Effect.map(
    Context.get(world.ports, EventStore).ofDesigns({
      shop: world.shop,
      designIds: ["d-mine", "d-theirs", "d-views"],
      after: null,
      limit: 1_000,
    }),
    (events) => events.map(({ body }) => body),
  )
  return { world, bodies }
})

describe("Redacting an order", () => {
  it.effect("MUST redact every kept event of its designs, however many there are (D43)", () =>
    Effect.gen(function* () {
      const { bodies, world } = yield* prepared
      const endpoint = yield* world.endpoint()
      yield* world.cancel("theirs")
      // Each sends the latest ordered design, which is in this order: more than a page of events.
      for (let time = 0; time < 60; time++) yield* world.run(sendTestEvent(world.shop, endpoint.id))
      yield* world.cancel("mine")
      expect((yield* bodies).filter((body) => body.includes("I am mine"))).toHaveLength(63)
      yield* world.run(redactOrder(world.shop, "mine"))
      const after = yield* bodies
      expect(after.filter((body) => body.includes("I am mine"))).toEqual([])
      expect(after.filter((body) => body.includes('"d-mine"') && body.includes("[redacted]"))).toHaveLength(63)
    }),
  )

  it.effect("MUST redact the one event that has a text, wherever it stands among several pages of events", () =>
    Effect.gen(function* () {
      const { world } = yield* prepared
      const endpoint = yield* world.endpoint()
      yield* world.cancel("theirs")
      for (let time = 0; time < 120; time++) yield* world.run(sendTestEvent(world.shop, endpoint.id))
      const store = Context.get(world.ports, EventStore)
      const events = store.ofDesigns({ shop: world.shop, designIds: ["d-mine"], after: null, limit: 1_000 })
      const before = yield* events
      yield* world.run(redactOrder(world.shop, "mine"))
      const redacted = yield* events
      for (const place of [0, 1, 49, 50, 51, 99, 100, before.length - 1]) {
        const original = before[place]
        expect([place, original?.body.includes("I am mine")]).toEqual([place, true])
        yield* store.redact(world.shop, [{ id: original?.id ?? "", body: original?.body ?? "" }])
        yield* world.run(redactOrder(world.shop, "mine"))
        expect([place, yield* events]).toEqual([place, redacted])
      }
    }),
  )

  it.effect("MUST leave the events of other orders unchanged, to the byte", () =>
    Effect.gen(function* () {
      const { bodies, world } = yield* prepared
      yield* world.cancel("theirs")
      const theirs = (all: ReadonlyArray<string>) => all.filter((body) => body.includes('"d-theirs"'))
      const before = theirs(yield* bodies)
      yield* world.run(redactOrder(world.shop, "mine"))
      expect(theirs(yield* bodies)).toEqual(before)
    }),
  )

  it.effect(
    "MUST keep the sequence of images in designs and events, in whatever order JavaScript lists their names (D7)",
    () =>
      Effect.gen(function* () {
        const { bodies, world } = yield* prepared
        const views = ["10", "front", "2", "1"]
        const steps = views.map((view) => ({ id: `s-${view}`, title: view, view })) as unknown as Definition["steps"]
        const [question] = definition.questions
        yield* world.run(
          publishCustomizer(world.shop, 101, {
            definition: {
              ...definition,
              steps,
              questions: [{ ...question, step: "s-2" } as Definition["questions"][0]],
            },
          }),
        )
        const selection = { line: { text: "I am mine" } }
        const saved = yield* world.run(
          saveDesign(world.shop, "d-views", { customizerId: 101, selection, basePrice: 1 }),
        )
        const imagesOf = (text: string) => /"images":(\{[^}]*\})/.exec(text)?.[1]
        const images = imagesOf(saved.design.text)
        expect([...(images ?? "").matchAll(/"(\w+)":/g)].map(([, view]) => view)).toEqual(views)
        const line = [{ designId: "d-views", lineItemId: "1" }]
        const order = { name: "#v", orderedAt: "2026-10-05T14:48:00Z", lines: line }
        yield* world.run(placeOrder(world.shop, "views", order))
        yield* world.cancel("views")
        const redacted = yield* world.run(redactOrder(world.shop, "views"))
        expect([imagesOf(redacted.text), redacted.text.includes("I am mine")]).toEqual([images, false])
        const told = (yield* bodies).filter((body) => body.includes('"d-views"'))
        expect(told.map((body) => [imagesOf(body), body.includes("I am mine")])).toEqual(Array(3).fill([images, false]))
      }),
  )

  it.effect("MUST redact the one design of an event that has a text, wherever it stands among the others", () =>
    Effect.gen(function* () {
      const { world } = yield* prepared
      const places = [0, 1, 2, 3, 4]
      for (const place of places) {
        const selection = { line: { text: "I am mine" } }
        yield* world.run(saveDesign(world.shop, `d-${place}`, { customizerId: 101, selection, basePrice: 1 }))
      }
      const lines = places.map((place) => ({ designId: `d-${place}`, lineItemId: `${place}` }))
      yield* world.run(placeOrder(world.shop, "five", { name: "five", orderedAt: "2026-10-05T14:48:00Z", lines }))
      yield* world.cancel("five")
      const store = Context.get(world.ports, EventStore)
      const cancelled = Effect.map(
        store.ofDesigns({ shop: world.shop, designIds: ["d-2"], after: null, limit: 1_000 }),
        (events) => events.find(({ event }) => event === "order.cancelled"),
      )
      const before = JSON.parse((yield* cancelled)?.body ?? "")
      yield* world.run(redactOrder(world.shop, "five"))
      const redacted = yield* cancelled
      expect(redacted?.body).not.toContain("I am mine")
      for (const place of places) {
        const body = JSON.parse(redacted?.body ?? "")
        body.data.order.designs[place] = before.data.order.designs[place]
        yield* store.redact(world.shop, [{ id: redacted?.id ?? "", body: JSON.stringify(body) }])
        expect((yield* cancelled)?.body).toContain("I am mine")
        yield* world.run(redactOrder(world.shop, "five"))
        expect([place, yield* cancelled]).toEqual([place, redacted])
      }
    }),
  )

  it.effect("MUST redact only the order's designs in an event with several designs", () =>
    Effect.gen(function* () {
      const { world } = yield* prepared
      const store = Context.get(world.ports, EventStore)
      yield* world.cancel("mine")
      const [cancelled] = yield* store
        .ofDesigns({ shop: world.shop, designIds: ["d-mine"], after: null, limit: 1_000 })
        .pipe(Effect.map((events) => events.filter(({ event }) => event === "order.cancelled")))
      const body = JSON.parse(cancelled?.body ?? "")
      const [design] = body.data.order.designs
      body.data.order.designs.push({ ...design, id: "d-foreign" })
      yield* store.redact(world.shop, [{ id: cancelled?.id ?? "", body: JSON.stringify(body) }])
      yield* world.run(redactOrder(world.shop, "mine"))
      const [after] = yield* store.ofDesigns({ shop: world.shop, designIds: ["d-foreign"], after: null, limit: 1 })
      const designs = JSON.parse(after?.body ?? "").data.order.designs
      expect(designs.map((one: { readonly selection: unknown }) => one.selection)).toEqual([
        { line: { text: "[redacted]" } },
        { line: { text: "I am mine" } },
      ])
    }),
  )
})
