import { type Bar, type Finding, finding } from "../support/Report.ts"
import type { Medians } from "./Medians.ts"

/** Compares the ratio of two contenders' medians with a bar. */
export const ratio = (
  name: string,
  unit: string,
  field: keyof Medians,
  medians: ReadonlyMap<string, Medians>,
  sides: { readonly own: string; readonly other: string },
  bar: Bar,
): Finding => {
  const own = medians.get(sides.own) as Medians
  const other = medians.get(sides.other) as Medians
  const details = { [sides.own]: own, [sides.other]: other }
  return finding(name, unit, { designwire: own[field], other: other[field] }, bar, details)
}

/** Requests per second: at least `least` times another's. */
export const throughput = (
  name: string,
  medians: ReadonlyMap<string, Medians>,
  other: string,
  least: number,
): Finding => ratio(name, "requests/s", "perSecond", medians, { own: "designwire", other }, { least })
