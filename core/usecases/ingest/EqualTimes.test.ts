/** States of an order of one second, as platforms name them: before, equal, after (D57). */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { lineWith, receive, statusOf } from "../../../conformance/testkit/workers/PlatformEvents.ts"
import { makeWorld, type World } from "../../../conformance/testkit/workers/TestWorker.ts"
import { type SampleOrder, shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"

/** A state of an order: its second, and its trigger, of which Shopify says the milliseconds. */
interface State {
  readonly second: number
  readonly trigger: number | null
}

const timeOf = (second: number, milliseconds = "000") => `2026-10-05T14:50:0${second}.${milliseconds}Z`

/** All states of the seconds t and t + 1, with and without a trigger. */
const states: ReadonlyArray<State> = [0, 1].flatMap((second) => [null, 1, 2].map((trigger) => ({ second, trigger })))

const sequences = states.flatMap((one) => states.flatMap((two) => states.map((three) => [one, two, three] as const)))

const send = (
  world: World,
  id: number,
  { second, trigger }: State,
  designs: ReadonlyArray<string>,
  { isCancelled = false, firstLine = 0 } = {},
) => {
  const lines = designs.map((design, index) => lineWith(10 * id + firstLine + index, design))
  const times = { updatedAt: timeOf(second), cancelledAt: isCancelled ? timeOf(second) : null }
  const triggeredAt = trigger === null ? null : timeOf(second, `00${trigger}`)
  return receive(world, "orders/updated", shopifyOrder({ id, lines, ...times }), { triggeredAt })
}

/** Whether the first is older than the second, said in another way than the rule does. */
const isBefore = (one: State, other: State): boolean =>
  one.second < other.second ||
  (one.second === other.second && one.trigger !== null && other.trigger !== null && one.trigger < other.trigger)

describe("States of an order within one second", () => {
  it.effect(
    "MUST all be applied in the sequence in which they come, but for those that are older by their trigger (D57)",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld()
        for (const [index, sequence] of sequences.entries()) {
          const id = index + 1
          const expected: Array<string> = []
          for (const [place, state] of sequence.entries()) {
            const design = `${id}-${place}`
            yield* world.save(design)
            const isOlder = sequence.slice(0, place).some((earlier) => isBefore(state, earlier))
            const kept = yield* send(world, id, state, [design], { firstLine: place })
            expect([sequence, place, kept?.state]).toEqual([sequence, place, isOlder ? "ignored" : "applied"])
            if (!isOlder) expected.push(design)
          }
          expect([sequence, yield* statusOf(world, String(id))]).toEqual([sequence, `ordered ${expected.join(" ")}`])
        }
      }),
  )

  it.effect("MUST all count if an order returns to one of them, but not as often as they come (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      yield* world.save("a")
      const open = { id: 1, lines: [lineWith(1, "a")], updatedAt: timeOf(0) }
      const cancelled = { ...open, cancelledAt: timeOf(0) }
      const come = (order: SampleOrder, eventId: string, trigger: number | null, topic = "orders/updated") =>
        receive(world, topic, shopifyOrder(order), {
          eventId,
          triggeredAt: trigger === null ? null : timeOf(0, `00${trigger}`),
        })
      const first = yield* come(open, "e-1", 1)
      expect([first?.state, (yield* come(open, "e-2", 2, "orders/paid"))?.id]).toEqual(["applied", first?.id])
      expect((yield* come(cancelled, "e-3", 3))?.state).toBe("applied")
      // Messages of the first state, of which two come late: one was triggered before, one does not say when.
      for (const [eventId, trigger] of [
        ["e-4", 2],
        ["e-5", null],
        ["e-1", 5],
      ] as const) {
        expect([eventId, (yield* come(open, eventId, trigger))?.id]).toEqual([eventId, first?.id])
      }
      const back = yield* come(open, "e-6", 4)
      expect(back?.reason).toBe('The order "1" was cancelled, which is final, and its platform has opened it again')
      expect((yield* come(open, "e-6", 4))?.id).toBe(back?.id)
      expect(yield* statusOf(world)).toBe("cancelled a")
    }),
  )

  it.effect("MUST keep the state that was triggered last, though an earlier one comes after its repetition (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      for (const design of ["a", "b"]) yield* world.save(design)
      const come = (design: string, line: number, trigger: number) =>
        receive(
          world,
          "orders/updated",
          shopifyOrder({ id: 1, lines: [lineWith(line, design)], updatedAt: timeOf(0) }),
          { eventId: `e-${trigger}`, triggeredAt: timeOf(0, `00${trigger}`) },
        )
      const first = yield* come("a", 1, 1)
      expect((yield* come("a", 1, 3))?.id).toBe(first?.id)
      expect((yield* come("b", 2, 2))?.state).toBe("ignored")
      expect(yield* statusOf(world)).toBe("ordered a")
    }),
  )

  it.effect("MUST be reported if they open a cancelled order again, and change nothing if they are older (D57)", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld()
      let id = 0
      for (const cancelled of states) {
        for (const opened of states) {
          id++
          const design = `d-${id}`
          yield* world.save(design)
          yield* send(world, id, { second: 0, trigger: null }, [design])
          yield* send(world, id, cancelled, [design], { isCancelled: true })
          // Its content is another one than that of the first.
          const kept = yield* send(world, id, opened, [design, "another"])
          const expected = isBefore(opened, cancelled) ? "ignored" : "failed"
          expect([cancelled, opened, kept?.state]).toEqual([cancelled, opened, expected])
          expect(yield* statusOf(world, String(id))).toBe(`cancelled ${design}`)
        }
      }
    }),
  )
})
