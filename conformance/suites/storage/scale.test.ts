/** The scale cases judge the work of a store if it can be counted, and otherwise the time. */
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import * as Memory from "../../../adapters/memory/index.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { check, storage, Work } from "../../index.ts"

const nothing = { transaction: "of no use here", faults: "of no use here" }

/** Memory, with work computed from its number of deliveries. */
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

it("MUST fail if the work grows proportionally, and report the figures", async () => {
  const { results } = await checked(working((pending) => pending / 10))
  expect(results.map(({ message, status }) => [status, message?.split("\n")[0]])).toEqual([
    [
      "failed",
      "not so: statistics is about as much work with ten times as much: 200.00 rows with 2000, 2000.00 rows with 20000",
    ],
  ])
})

it("MUST pass if the work grows little, like the depth of an index, and if there is almost none", async () => {
  for (const rows of [(pending: number) => 100 * Math.log10(pending), (pending: number) => pending / 400]) {
    expect((await checked(working(rows))).passed).toBe(1)
  }
})

it("MUST pass in memory by time only", async () => {
  const open = Effect.sync(() => Memory.layerShared(Memory.makeState()))
  const { failed, results } = await check(storage({ open, lacks: nothing, slow: true, only: ["scale"] }), {
    write: () => undefined,
  })
  expect([failed, results.filter(({ status }) => status === "failed")]).toEqual([0, []])
})
