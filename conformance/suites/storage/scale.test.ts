/** The scale cases judge the work of a store if it can be counted, and otherwise the time. */
import { Effect, Layer } from "effect"
import { afterEach, expect, it, vi } from "vitest"
import * as Memory from "../../../adapters/memory/index.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import { check, storage, Work } from "../../index.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

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

const checked = (open: ReturnType<typeof working> | ReturnType<typeof taking>) =>
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

/** Memory whose statistics take this many milliseconds of a clock that stands still otherwise. */
const taking = (milliseconds: (pending: number) => number) => {
  let now = 0
  vi.spyOn(performance, "now").mockImplementation(() => now)
  return Effect.sync(() => {
    const memory = Memory.layerShared(Memory.makeState())
    const slow = Layer.effect(
      Upkeep,
      Effect.map(Upkeep, (upkeep) => ({
        ...upkeep,
        statistics: (at: number) =>
          Effect.tap(upkeep.statistics(at), ({ pending }) =>
            Effect.sync(() => {
              now += milliseconds(pending)
            }),
          ),
      })),
    )
    return Layer.provideMerge(slow, memory)
  })
}

it("MUST judge a store whose work can't be counted by time", async () => {
  const { failed, results } = await checked(taking((pending) => pending / 1000))
  expect([failed, results[0]?.message?.split("\n")[0]]).toEqual([
    1,
    "not so: statistics takes about as long with ten times as much: 2.00 ms with 2000, 20.00 ms with 20000",
  ])
  expect((await checked(taking((pending) => Math.log10(pending)))).passed).toBe(1)
})
