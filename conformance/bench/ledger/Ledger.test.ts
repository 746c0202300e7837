import { expect, it } from "vitest"
import { judge, type LedgerLine } from "./Ledger.ts"
import { measureRows } from "./Row.ts"

const entry = (ratio: number, spread: number, bare = 1) =>
  ({ ratio, spread, unit: "µs", own: ratio * bare, bare }) as const

const line = (rows: LedgerLine["rows"], commit = "c"): LedgerLine => ({
  commit,
  date: "2026-01-01",
  node: "v24",
  fixedWork: 1,
  rows,
})

it("MUST name what is worse by more than both spreads, and nothing else", () => {
  const before = line({ read: entry(1, 0.1), order: entry(2, 0.1), claim: entry(3, 0.5), gone: entry(1, 0) })
  const now = line({ read: entry(1.19, 0.1), order: entry(2.21, 0.1), claim: entry(2, 0), started: entry(9, 0) })
  expect(judge([before], now).flatMap(({ isWorse, name }) => (isWorse ? [name] : []))).toEqual(["order"])
})

it("MUST hold a row against the last line whose bare contender cost about as much, and no other", () => {
  const lines = [
    line({ read: entry(0.6, 0, 60), start: entry(1, 0, 50) }, "first"),
    line({ read: entry(0.7, 0, 70) }, "like"),
    line({ read: entry(1.5, 0, 180) }, "slow"),
  ]
  const now = line({ read: entry(0.65, 0, 67), start: entry(9, 0, 90), added: entry(1, 0, 1) })
  expect(judge(lines, now).map(({ against, isWorse, name }) => [name, against?.commit, isWorse])).toEqual([
    ["read", "like", false],
    ["start", undefined, false],
    ["added", undefined, false],
  ])
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
