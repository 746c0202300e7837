/** A design whose buyer is forgotten (D43). */
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeWorld } from "../../../conformance/testkit/workers/TestWorker.ts"
import type { Definition } from "../../model/catalog/Definition.ts"
import { OrderStore } from "../../ports/OrderStore.ts"
import { listEvents } from "../events/ReadEvents.ts"
import { placeOrder } from "../orders/PlaceOrder.ts"
import { readOrder } from "../orders/ReadOrders.ts"
import { deleteDesign } from "./DeleteDesign.ts"
import { publishCustomizer } from "./PublishCustomizer.ts"
import { readDesign } from "./ReadDesign.ts"
import { redactDesign } from "./RedactDesign.ts"
import { saveDesign } from "./SaveDesign.ts"

const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [{ id: "line", step: "s", type: "text", title: "Line" }],
  rules: [],
}

/** Runs an effect that may wait before it tries again. */
const retrying = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  yield* TestClock.adjust("1 second")
  return yield* Fiber.join(fiber)
})

/** A shop with drafts `a` and `b` whose buyers wrote their names. */
const prepared = Effect.gen(function* () {
  const world = yield* makeWorld()
  const { run, shop } = world
  yield* run(publishCustomizer(shop, 101, { definition }))
  const save = (id: string, text = `From ${id}`) =>
    run(saveDesign(shop, id, { customizerId: 101, selection: { line: { text } }, basePrice: 100 }))
  for (const id of ["a", "b"]) yield* save(id)
  const place = run(
    placeOrder(shop, "1", {
      name: "#1",
      orderedAt: "2026-10-05T14:48:00Z",
      lines: ["a", "b"].map((designId) => ({ designId, lineItemId: `line-of-${designId}` })),
    }),
  )
  const feed = Effect.map(run(listEvents(shop)), ({ page }) => page)
  const kept = (id: string) =>
    Effect.map(Context.get(world.ports, OrderStore).designs(shop, [id]), ([design]) => design)
  return { ...world, save, place, feed, kept }
})

describe("redactDesign (D43)", () => {
  it.effect("MUST redact one design of an order and its events, and change the tags of both, but no other design", () =>
    Effect.gen(function* () {
      const { cancel, events, feed, place, run, shop } = yield* prepared
      yield* place
      yield* cancel("1")
      const before = yield* run(readOrder(shop, "1"))
      const [a, b] = [yield* run(readDesign(shop, "a")), yield* run(readDesign(shop, "b"))]
      const told = events.length
      const redacted = yield* run(redactDesign(shop, "a"))
      expect(redacted.value).toEqual({
        ...a.value,
        selection: { line: { text: "[redacted]" } },
        summary: [{ key: "Line", value: "[redacted]" }],
        productionData: [{ key: "line", value: "[redacted]" }],
      })
      expect(yield* run(readDesign(shop, "a"))).toEqual(redacted)
      expect(redacted.etag).not.toBe(a.etag)
      expect(yield* run(readDesign(shop, "b"))).toEqual(b)
      const after = yield* run(readOrder(shop, "1"))
      expect(after.etag).not.toBe(before.etag)
      expect(after.value).toEqual({ ...before.value, designs: [redacted.value, b.value] })
      const { text } = yield* feed
      expect([text.includes("From a"), text.includes("From b"), text.match(/"event":/g)?.length]).toEqual([
        ...[false, true],
        told,
      ])
      expect(events).toHaveLength(told)
    }),
  )

  it.effect("MUST change nothing the second time, and sends nothing", () =>
    Effect.gen(function* () {
      const { events, feed, kept, place, run, shop } = yield* prepared
      yield* place
      const told = events.length
      const first = yield* run(redactDesign(shop, "a"))
      const [design, order, page] = [yield* kept("a"), yield* run(readOrder(shop, "1")), yield* feed]
      expect(yield* run(redactDesign(shop, "a"))).toEqual(first)
      expect([yield* kept("a"), yield* run(readOrder(shop, "1")), yield* feed]).toEqual([design, order, page])
      expect(events).toHaveLength(told)
    }),
  )

  it.effect("MUST redact a draft, which can be saved again and ordered", () =>
    Effect.gen(function* () {
      const { feed, place, run, save, shop } = yield* prepared
      const redacted = yield* run(redactDesign(shop, "a"))
      expect(redacted.value).toMatchObject({ status: "draft", selection: { line: { text: "[redacted]" } } })
      expect((yield* feed).text).not.toContain("From a")
      yield* save("a", "Another")
      yield* place
      const order = yield* run(readOrder(shop, "1"))
      expect(order.value.designs[0]?.selection).toEqual({ line: { text: "Another" } })
    }),
  )

  it.effect("MUST redact the order's design too if it is ordered meanwhile", () =>
    Effect.gen(function* () {
      const { place, ports, run, shop } = yield* prepared
      const orders = Context.get(ports, OrderStore)
      let isFirst = true
      const racing = OrderStore.of({
        ...orders,
        commit: (change) =>
          Effect.suspend(() => {
            const before = isFirst ? Effect.orDie(place) : Effect.void
            isFirst = false
            return Effect.andThen(before, orders.commit(change))
          }),
      })
      const redacted = yield* retrying(run(Effect.provideService(redactDesign(shop, "a"), OrderStore, racing)))
      expect(redacted.value).toMatchObject({ status: "ordered", selection: { line: { text: "[redacted]" } } })
      const order = yield* run(readOrder(shop, "1"))
      expect(order.value.designs[0]).toEqual(redacted.value)
    }),
  )
})

describe("deleteDesign (D43)", () => {
  it.effect("MUST remove a draft once, and redact its kept events and what is still to be sent of it", () =>
    Effect.gen(function* () {
      const world = yield* prepared
      const { drain, events, feed, outside, run, save, shop } = world
      yield* world.endpoint({ events: ["design.created"] })
      yield* save("c")
      const before = (yield* feed).value
      yield* run(deleteDesign(shop, "c"))
      for (const again of [
        run(readDesign(shop, "c")),
        run(deleteDesign(shop, "c")),
        run(redactDesign(shop, "c")),
      ] as ReadonlyArray<Effect.Effect<unknown, unknown>>) {
        expect(yield* Effect.flip(again)).toMatchObject({ _tag: "NotFound" })
      }
      const after = yield* feed
      expect(after.value.data.map(({ id }) => id)).toEqual(before.data.map(({ id }) => id))
      expect([after.text.includes("From c"), after.text.includes("From a")]).toEqual([false, true])
      yield* drain
      expect(
        outside.sent.map(({ request: { body } }) => [body.includes("From c"), body.includes("[redacted]")]),
      ).toEqual([[false, true]])
      const told = events.length
      yield* save("c")
      expect(events.slice(told).map(({ event }) => event)).toEqual(["design.created"])
    }),
  )

  it.effect("MUST remove a draft that is saved again meanwhile, with the texts of both", () =>
    Effect.gen(function* () {
      const { feed, kept, ports, run, save, shop } = yield* prepared
      const orders = Context.get(ports, OrderStore)
      const removed: Array<number> = []
      const racing = OrderStore.of({
        ...orders,
        remove: (removal) =>
          Effect.suspend(() => {
            const before = removed.length === 0 ? Effect.orDie(save("a", "Another of a")) : Effect.void
            removed.push(removal.revision)
            return Effect.andThen(before, orders.remove(removal))
          }),
      })
      yield* retrying(run(Effect.provideService(deleteDesign(shop, "a"), OrderStore, racing)))
      expect([removed, yield* kept("a")]).toEqual([[1, 2], undefined])
      const { text } = yield* feed
      expect(["From a", "Another of a", "From b"].map((words) => text.includes(words))).toEqual([false, false, true])
    }),
  )

  it.effect("MUST NOT remove or redact anything of a design that is ordered meanwhile", () =>
    Effect.gen(function* () {
      const { feed, place, ports, run, shop } = yield* prepared
      const orders = Context.get(ports, OrderStore)
      const racing = OrderStore.of({
        ...orders,
        remove: (removal) => Effect.andThen(Effect.orDie(place), orders.remove(removal)),
      })
      const refused = yield* retrying(
        Effect.flip(run(Effect.provideService(deleteDesign(shop, "a"), OrderStore, racing))),
      )
      expect(refused._tag).toBe("DesignFrozen")
      const order = yield* run(readOrder(shop, "1"))
      expect(order.value.designs[0]?.selection).toEqual({ line: { text: "From a" } })
      expect((yield* feed).text.match(/From a/g)).toHaveLength(6)
    }),
  )
})
