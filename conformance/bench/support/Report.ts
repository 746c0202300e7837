/** `least`: the number must be at least this; `most`: at most this. */
export type Bar = { readonly least: number } | { readonly most: number }

/** One bar, and the measured value. */
export interface Finding {
  readonly name: string
  readonly unit: string
  /** Designwire's number. */
  readonly designwire: number
  /** The other side's number. */
  readonly other: number | null
  /** The value compared with the bar: the ratio of the two, or Designwire's number alone. */
  readonly measured: number
  readonly bar: Bar
  readonly verdict: "pass" | "short"
  readonly details: unknown
}

/** Compares a number, or its ratio to another one, with a bar. */
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
  return { name, unit, designwire, other: other ?? null, measured, bar, verdict: passes ? "pass" : "short", details }
}

/** The findings of a benchmark, with its sizes and machine. */
export interface Report {
  readonly findings: ReadonlyArray<Finding>
  readonly context: Readonly<Record<string, unknown>>
}

const rounded = (value: number): number => Number(value.toPrecision(value >= 1_000 ? 6 : 3))

/** Prints a table for people, and one line of JSON for programs; `written` formats a bar in both. */
export const print = (bench: string, { context, findings }: Report, written: (bar: Bar) => number | string): void => {
  console.table(
    Object.fromEntries(
      findings.map(({ bar, designwire, measured, name, other, unit, verdict }) => [
        name,
        {
          unit,
          designwire: rounded(designwire),
          other: other === null ? "" : rounded(other),
          measured: rounded(measured),
          bar: written(bar),
          verdict,
        },
      ]),
    ),
  )
  const lines = findings.map((one) => ({ ...one, bar: written(one.bar) }))
  console.log(
    JSON.stringify({ bench, ...context, findings: lines }, (_, value) =>
      typeof value === "number" ? rounded(value) : value,
    ),
  )
}
