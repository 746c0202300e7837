/** Money is an integer in minor units of the shop's currency (§1), within ±(2^53 − 1). */
import { Schema } from "effect"

/** An amount that may not be negative. */
export const NonNegativeCents = Schema.Finite.check(
  Schema.makeFilter((amount) => Number.isSafeInteger(amount) && amount >= 0, {
    expected: "an integer number of cents, 0 or more, e.g. 12900 for 129.00",
    toJsonSchema: () => ({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  }),
)

const decimals = new Map<string, number>()

/** How many decimals the amounts of a currency have (ISO 4217): 2 in EUR, 0 in JPY, 3 in KWD. */
const decimalsOf = (currency: string): number => {
  const known = decimals.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat("en", { style: "currency", currency })
  const found = format.resolvedOptions().maximumFractionDigits ?? 2
  decimals.set(currency, found)
  return found
}

/** An amount in minor units as a decimal number of the currency, e.g. `129.00` for 12900 in EUR. */
export const inDecimals = (amount: number, currency: string): string => {
  const places = decimalsOf(currency)
  const digits = String(Math.abs(amount)).padStart(places + 1, "0")
  const whole = digits.slice(0, digits.length - places)
  return `${amount < 0 ? "-" : ""}${places === 0 ? whole : `${whole}.${digits.slice(-places)}`}`
}

/** A currency code, e.g. `EUR` (ISO 4217). */
export const Currency = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/, { expected: "a currency code of three capital letters, e.g. EUR" }),
)
export type Currency = typeof Currency.Type
