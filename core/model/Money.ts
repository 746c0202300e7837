/** Money is an integer in minor units of the shop's currency (§1), within ±(2^53 − 1). */
import { Schema } from "effect"

/** An amount that may not be negative. */
export const NonNegativeCents = Schema.Finite.check(
  Schema.makeFilter(
    (amount) => (Number.isSafeInteger(amount) && amount >= 0) || "an integer number of cents, 0 or more",
    { toJsonSchema: () => ({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) },
  ),
)

/** A currency code, e.g. `EUR` (ISO 4217). */
export const Currency = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/, { expected: "a currency code of three capital letters, e.g. EUR" }),
)
export type Currency = typeof Currency.Type
