/** One thing that is promised, and what was measured. */
export interface Finding {
  readonly name: string
  readonly unit: string
  /** Designwire's number. */
  readonly designwire: number
  /** The number of what it is compared with. */
  readonly other: number | null
  /** What is held against the bar: the ratio of the two, or Designwire's number where there is no other. */
  readonly measured: number
  readonly bar: string
  readonly verdict: "pass" | "short"
  readonly details: unknown
}

/** `least` of a number is at least that much of it, `most` at most. */
export type Bar = { readonly least: number } | { readonly most: number }

/** Holds a number, or its ratio to another, against a bar. */
export const finding = (
  name: string,
  unit: string,
  numbers: { readonly designwire: number; readonly other?: number },
  bar: Bar,
  details: unknown = {},
): Finding => {
  const { designwire, other } = numbers
  const measured = other === undefined ? designwire : designwire / other
  const passes = "least" in bar ? measured >= bar.least : measured <= bar.most
  return {
    name,
    unit,
    designwire,
    other: other ?? null,
    measured,
    bar: "least" in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`,
    verdict: passes ? "pass" : "short",
    details,
  }
}

const rounded = (value: number): number => Number(value.toPrecision(value >= 1_000 ? 6 : 3))

/** A table for people, and one line of JSON for programs. */
export const print = (findings: ReadonlyArray<Finding>, context: Readonly<Record<string, unknown>>): void => {
  console.table(
    Object.fromEntries(
      findings.map(({ bar, designwire, measured, name, other, unit, verdict }) => [
        name,
        {
          unit,
          designwire: rounded(designwire),
          other: other === null ? "" : rounded(other),
          measured: rounded(measured),
          bar,
          verdict,
        },
      ]),
    ),
  )
  console.log(
    JSON.stringify({ bench: "deliver", ...context, findings }, (_, value) =>
      typeof value === "number" ? rounded(value) : value,
    ),
  )
}
