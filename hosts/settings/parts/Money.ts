/** An amount in minor units as people write it: `20900` in EUR is `EUR 209.00`. */
export const money = (minor: number, currency: string): string => {
  const digits =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
  return `${currency} ${(minor / 10 ** digits).toFixed(digits)}`
}
