import type { Price, PriceLine } from "../../model/catalog/Design.ts"
import type { ProblemReport } from "../../model/Problem.ts"

/** Base price and the shop's terms. */
export interface PriceTerms {
  /** The product's price in cents, 0 or more. */
  readonly basePrice: number
  /** The shop's currency code, copied to the result. */
  readonly currency: string
  /** Totals are multiples of this many cents, 1 or more. */
  readonly roundingStep: number
}

/** Adds up the lines. Returns `undefined` if the report has problems, including problems of the price itself. */
export const priceOf = (
  report: ProblemReport,
  { basePrice, currency, roundingStep }: PriceTerms,
  lines: ReadonlyArray<PriceLine>,
): Price | undefined => {
  if (!Number.isSafeInteger(basePrice) || basePrice < 0) {
    report.add("basePrice", () => `The base price must be an integer number of cents, 0 or more, not ${basePrice}`)
  }
  if (!Number.isSafeInteger(roundingStep) || roundingStep < 1) {
    report.add(
      "roundingStep",
      () => `The rounding step must be an integer number of cents, 1 or more, not ${roundingStep}`,
    )
  }
  if (report.total > 0) return undefined
  const base = positiveZero(basePrice)
  const sum = exactSum(base, lines)
  const rounding = roundingOf(sum, roundingStep)
  const total = sum + rounding
  if (!Number.isSafeInteger(sum) || !Number.isSafeInteger(total)) {
    report.add("price", () => "The price leaves the range of amounts, ±(2^53 - 1) cents")
    return undefined
  }
  return { base, lines, rounding, total, currency }
}

/**
 * Exact for every sum within ±(2^53 − 1), even if an intermediate sum is outside; an unsafe integer for every other.
 */
const exactSum = (base: number, lines: ReadonlyArray<PriceLine>): number => {
  let sum = base
  for (const { amount } of lines) {
    sum += amount
    if (!Number.isSafeInteger(sum))
      return Number(lines.reduce((exact, line) => exact + BigInt(line.amount), BigInt(base)))
  }
  return sum
}

/** Rounds to the nearest multiple of the step, ties up; sums below 0 become 0. */
const roundingOf = (sum: number, step: number): number => {
  if (sum < 0) return -sum
  const over = sum % step
  if (over === 0) return 0
  return over >= step - over ? step - over : -over
}

/** JSON can express -0, which must not appear in an amount. */
export const positiveZero = (amount: number): number => amount + 0
