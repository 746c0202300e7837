import { expect, it } from "vitest"
import { type LedgerLine, worseThan } from "./Ledger.ts"
import { measureRows } from "./Row.ts"

const entry = (ratio: number, spread: number) => ({ ratio, spread, unit: "µs" as const, own: ratio, bare: 1 })

const line = (rows: LedgerLine["rows"]): LedgerLine => ({
  commit: "c",
  date: "2026-01-01",
  node: "v24",
  fixedWork: 1,
  rows,
})

it("MUST name what is worse by more than both spreads, and nothing else", () => {
  const before = line({ read: entry(1, 0.1), order: entry(2, 0.1), claim: entry(3, 0.5), gone: entry(1, 0) })
  const now = line({ read: entry(1.19, 0.1), order: entry(2.21, 0.1), claim: entry(2, 0), started: entry(9, 0) })
  expect(worseThan(before, now).map(({ name }) => name)).toEqual(["order"])
})

it("MUST measure both sides of each row in each round, take medians, and leave out the first round", async () => {
  const own = [900, 8, 2, 4, 6, 10]
  const calls: Array<string> = []
  const row = {
    ...{ name: "row", unit: "ms" as const },
    own: async () => {
      calls.push("own")
      return own.shift() ?? Number.NaN
    },
    bare: async () => {
      calls.push("bare")
      return 2
    },
  }
  const [[name, measured] = []] = await measureRows([row], 5)
  expect([name, measured]).toEqual(["row", { ratio: 3, spread: 1, unit: "ms", own: 6, bare: 2 }])
  expect(calls.slice(0, 4)).toEqual(["own", "bare", "bare", "own"])
})
