/** The cases about what must not grow judge the work that a store does, where it can be counted, and else the time. */
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import * as Memory from "../../adapters/memory/index.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { check, storage, Work } from "../index.ts"

const nothing = { transaction: "of no use here", faults: "of no use here" }

/** Memory, whose work is as much as its deliveries come to by a rule. */
const working = (rows: (pending: number) => number) =>
  Effect.sync(() => {
    const memory = Memory.layerShared(Memory.makeState())
    const counting = Layer.effect(
      Work,
      Effect.map(Upkeep, (upkeep) => ({
        unit: "rows",
        of: (call: Effect.Effect<unknown, unknown>) =>
          Effect.andThen(
            call,
            Effect.map(upkeep.statistics(0), ({ pending }) => rows(pending)),
          ),
      })),
    )
    return Layer.provideMerge(counting, memory)
  })

const checked = (open: ReturnType<typeof working>) =>
  check(storage({ open, lacks: nothing, slow: true, only: ["scale.statistics"] }), { write: () => undefined })

it("MUST fail where the work grows in proportion, and tell how much it was", async () => {
  const { results } = await checked(working((pending) => pending / 10))
  expect(results.map(({ message, status }) => [status, message?.split("\n")[0]])).toEqual([
    [
      "failed",
      "not so: statistics is about as much work with ten times as much: 200.00 rows with 2000, 2000.00 rows with 20000",
    ],
  ])
})

it("MUST pass where the work grows little, as it does with the depth of an index, and where it is next to nothing", async () => {
  for (const rows of [(pending: number) => 100 * Math.log10(pending), (pending: number) => pending / 400]) {
    expect((await checked(working(rows))).passed).toBe(1)
  }
})

it("MUST pass in memory by time alone", async () => {
  const open = Effect.sync(() => Memory.layerShared(Memory.makeState()))
  const { failed, results } = await check(storage({ open, lacks: nothing, slow: true, only: ["scale"] }), {
    write: () => undefined,
  })
  expect([failed, results.filter(({ status }) => status === "failed")]).toEqual([0, []])
})
