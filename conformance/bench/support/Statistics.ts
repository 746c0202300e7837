const ascending = (numbers: ReadonlyArray<number>): ReadonlyArray<number> =>
  numbers.toSorted((one, other) => one - other)

/** The median of some numbers. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = ascending(numbers)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** The 50th, 90th and 99th percentile of some numbers. */
export const percentiles = (numbers: ReadonlyArray<number>) => {
  const sorted = ascending(numbers)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

/** The median of each of these fields over all records. */
export const medians = <Field extends string>(
  records: ReadonlyArray<Readonly<Record<NoInfer<Field>, number>>>,
  fields: ReadonlyArray<Field>,
): Readonly<Record<Field, number>> =>
  Object.fromEntries(fields.map((field) => [field, median(records.map((record) => record[field]))])) as Record<
    Field,
    number
  >
