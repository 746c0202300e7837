/** Numbers and amounts as people write them. */

const grouped = new Intl.NumberFormat("en")

/** A number with its thousands separated: `20,400`. */
export const figure = (number: number): string => grouped.format(number)

/** A number of things: `1 event`, `20,400 events`. */
export const counted = (number: number, thing: string): string => `${figure(number)} ${thing}${number === 1 ? "" : "s"}`

/** An amount in minor units: `20900` in EUR is `EUR 209.00`. */
export const money = (minor: number, currency: string): string => {
  const digits =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
  const amount = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${currency} ${amount.format(minor / 10 ** digits)}`
}
