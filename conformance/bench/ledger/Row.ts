import { alternate } from "../support/Rounds.ts"
import { median } from "../support/Statistics.ts"

/** A row of the ledger: one operation of ours, and the bare contender of the same run. */
export interface Row {
  readonly name: string
  readonly unit: "µs" | "ms" | "MiB"
  /** What one operation costs, each time that it is called. */
  readonly own: () => Promise<number>
  readonly bare: () => Promise<number>
}

/** What was measured of a row. */
export interface Entry {
  /** The median of the rounds' ratios, ours to the bare contender's. */
  readonly ratio: number
  /** Half of the range in which the middle half of the ratios lies. */
  readonly spread: number
  readonly unit: Row["unit"]
  readonly own: number
  readonly bare: number
}

const quartile = (numbers: ReadonlyArray<number>, share: number): number => {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const rounded = (value: number): number => Number(value.toPrecision(4))

/** Measures rows in interleaved rounds, so that other work on the machine meets all of them. */
export const measureRows = async (
  rows: ReadonlyArray<Row>,
  rounds: number,
): Promise<ReadonlyArray<readonly [name: string, entry: Entry]>> => {
  let turn = 0
  const measured = await alternate(rows, { rounds, warmUp: 1 }, async ({ bare, own }) => {
    // Whichever comes second finds warmer caches.
    if (turn++ % 2 === 0) return { own: await own(), bare: await bare() }
    const before = await bare()
    return { own: await own(), bare: before }
  })
  return rows.map(({ name, unit }) => {
    const of = measured.get(name) ?? []
    const ratios = of.map(({ bare, own }) => own / bare)
    return [
      name,
      {
        ratio: rounded(median(ratios)),
        spread: rounded((quartile(ratios, 0.75) - quartile(ratios, 0.25)) / 2),
        unit,
        own: rounded(median(of.map(({ own }) => own))),
        bare: rounded(median(of.map(({ bare }) => bare))),
      },
    ] as const
  })
}
