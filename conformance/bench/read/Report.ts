import type { Medians } from "./Compare.ts"

/** One thing that is promised, and what was measured. */
export interface Finding {
  readonly name: string
  readonly unit: string
  /** Designwire's median. */
  readonly designwire: number
  /** The median of what it is compared with. */
  readonly other: number | null
  /** What is held against the bar: the ratio of the medians, or Designwire's own number where there is no other. */
  readonly measured: number
  readonly bar: number
  readonly verdict: "pass" | "short"
  readonly details: Readonly<Record<string, Medians>>
}

/** Requests per second: at least `bar` times those of another. */
export const throughput = (name: string, medians: ReadonlyMap<string, Medians>, other: string, bar: number): Finding =>
  ratio(name, "requests/s", "perSecond", medians, { own: "designwire", other, bar, least: true })

/** A finding from the ratio of two medians, which is to be at least the bar, or else at most. */
export const ratio = (
  name: string,
  unit: string,
  field: keyof Medians,
  medians: ReadonlyMap<string, Medians>,
  sides: { readonly own: string; readonly other: string; readonly bar: number; readonly least: boolean },
): Finding => {
  const own = medians.get(sides.own) as Medians
  const other = medians.get(sides.other) as Medians
  const measured = own[field] / other[field]
  return {
    name,
    unit,
    designwire: own[field],
    other: other[field],
    measured,
    bar: sides.bar,
    verdict: (sides.least ? measured >= sides.bar : measured <= sides.bar) ? "pass" : "short",
    details: { [sides.own]: own, [sides.other]: other },
  }
}

/** A number of Designwire's own that may be at most the bar. */
export const atMost = (name: string, unit: string, measured: number, bar: number): Finding => ({
  name,
  unit,
  designwire: measured,
  other: null,
  measured,
  bar,
  verdict: measured <= bar ? "pass" : "short",
  details: {},
})

const rounded = (value: number): number => Number(value.toPrecision(value >= 1_000 ? 6 : 3))

/** A table for people, and one line of JSON for programs. */
export const print = (findings: ReadonlyArray<Finding>, context: Readonly<Record<string, unknown>>): void => {
  console.table(
    Object.fromEntries(
      findings.map((finding) => [
        finding.name,
        {
          unit: finding.unit,
          designwire: rounded(finding.designwire),
          other: finding.other === null ? "" : rounded(finding.other),
          measured: rounded(finding.measured),
          bar: finding.bar,
          verdict: finding.verdict,
        },
      ]),
    ),
  )
  console.log(
    JSON.stringify({ bench: "read", ...context, findings }, (_, value) =>
      typeof value === "number" ? rounded(value) : value,
    ),
  )
}
