/** Events and the endpoints that get them (§3, §6, D3, D4, D23, D31). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { envelopeOf, type SentRequest } from "../../../../conformance/testkit/workers/Outside.ts"
import { makeWorld } from "../../../../conformance/testkit/workers/TestWorker.ts"
import { taken } from "../../../../conformance/testkit/workers/WorkerSteps.ts"
import { placeOrder } from "../../orders/PlaceOrder.ts"

const everything = ["design.ordered", "order.cancelled", "design.created"] as const

const kindsOf = (sent: ReadonlyArray<SentRequest>) => sent.map((one) => envelopeOf(one).event).toSorted()

describe("Events (§3, §6)", () => {
  it.effect("MUST send design.ordered once per design, when its order links it, and not again (§1-4, §6-1, D23)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      const { sent } = world.outside
      yield* world.order("1", ["d-1", "d-2"])
      yield* world.drain
      const first = taken(sent)
      expect(kindsOf(first)).toEqual(["design.ordered", "design.ordered"])
      expect(first.map((one) => (envelopeOf(one).data["design"] as { readonly id: string }).id).toSorted()).toEqual([
        "d-1",
        "d-2",
      ])
      expect(new Set(first.map(({ eventId }) => eventId)).size).toBe(2)
      // The same order again, then with one more design (D6).
      yield* world.save("d-3")
      const lines = ["d-1", "d-2"].map((designId) => ({ designId, lineItemId: `line-of-${designId}` }))
      const place = (all: typeof lines) =>
        world.run(placeOrder(world.shop, "1", { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines: all }))
      yield* place(lines)
      expect(yield* world.drain).toEqual({ attempts: 0, succeeded: 0 })
      yield* place([...lines, { designId: "d-3", lineItemId: "3" }])
      yield* world.drain
      expect(taken(sent).map((one) => (envelopeOf(one).data["design"] as { readonly id: string }).id)).toEqual(["d-3"])
    }),
  )

  it.effect("MUST send order.cancelled once, with its designs cancelled (D3, §1-4)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.endpoint()
      yield* world.order("1", ["d-1", "d-2"])
      yield* world.drain
      taken(world.outside.sent)
      yield* world.cancel("1")
      yield* world.cancel("1")
      yield* world.drain
      expect(world.outside.sent).toHaveLength(1)
      const { data, event } = envelopeOf(world.outside.sent[0] as SentRequest)
      expect(event).toBe("order.cancelled")
      expect(data).toMatchObject({
        order: { id: "1", status: "cancelled", designs: [{ status: "cancelled" }, { status: "cancelled" }] },
      })
    }),
  )

  it.effect(
    "MUST send design.created only to endpoints that chose it, and only when a design is saved first (D4, §1-4, §3-3)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        const standard = yield* world.endpoint()
        const created = yield* world.endpoint({ events: ["design.created"] })
        yield* world.save("d-1")
        yield* world.save("d-1")
        yield* world.drain
        expect(world.outside.sent.map(({ request }) => request.url)).toEqual([created.url])
        expect(envelopeOf(world.outside.sent[0] as SentRequest)).toMatchObject({
          event: "design.created",
          data: { design: { id: "d-1", status: "draft", order: null, orderedAt: null } },
        })
        expect(yield* world.log(standard)).toEqual([])
      }),
  )

  for (let mask = 1; mask < 8; mask++) {
    const events = everything.filter((_, index) => (mask & (1 << index)) !== 0)
    it.effect(`MUST send ${events.join(" and ")} and nothing else to an endpoint that chose that (§6, D31)`, () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        yield* world.endpoint({ events })
        yield* world.order("1", ["d-1"])
        yield* world.cancel("1")
        yield* world.drain
        expect(kindsOf(world.outside.sent)).toEqual(events.toSorted())
      }),
    )
  }

  it.effect("MUST NOT send events from before the endpoint was added", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.order("1", ["d-1"])
      const endpoint = yield* world.endpoint()
      yield* world.drain
      expect(yield* world.log(endpoint)).toEqual([])
      expect(world.outside.sent).toEqual([])
    }),
  )

  it.effect("MUST NOT send or keep events of a refused change (D23)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      const endpoint = yield* world.endpoint()
      yield* world.order("1", ["d-1"])
      yield* world.save("d-2")
      const lines = ["d-2", "d-1"].map((designId) => ({ designId, lineItemId: designId }))
      const refused = yield* Effect.flip(
        world.run(placeOrder(world.shop, "2", { name: "#2", orderedAt: "2026-10-05T14:48:00Z", lines })),
      )
      expect(refused._tag).toBe("Conflict")
      expect(yield* world.log(endpoint)).toHaveLength(1)
      yield* world.drain
      expect(world.outside.sent).toHaveLength(1)
    }),
  )
})
