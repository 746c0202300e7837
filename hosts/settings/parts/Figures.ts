/** What the name of a step of a chart has. */
export type StepForm = "whole" | "day" | "time"

/** A locale's forms of numbers, amounts and times. Times are in UTC. */
export interface Figures {
  /** A number with its thousands separated: `20,400`. */
  readonly figure: (number: number) => string
  /** A share from 0 to 1: `12 %`. */
  readonly percent: (share: number) => string
  /** An amount in minor units: `20900` in EUR is `EUR 209.00`. */
  readonly money: (minor: number, currency: string) => string
  /** How many decimals the amounts of a currency have. */
  readonly decimals: (currency: string) => number
  /** `20 Nov 2026` */
  readonly date: (at: number) => string
  /** `20 Nov 2026, 12:00:05 UTC` */
  readonly instant: (at: number) => string
  /** `3 minutes ago`, `in 2 hours`, `now`; a date if it is more than a month away. */
  readonly distance: (at: number, now: number) => string
  /** `24 Nov, 14:00`, or only its day or its time. */
  readonly step: (at: number, form: StepForm) => string
  /** The form of a noun that follows a number: `event`, `events`. */
  readonly plural: (number: number, forms: { readonly one: string; readonly other: string }) => string
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000] as const

const units = [
  [day, "day"],
  [hour, "hour"],
  [minute, "minute"],
  [second, "second"],
] as const

const dayAndMonth = { day: "numeric", month: "short", timeZone: "UTC" } as const
const date = { ...dayAndMonth, year: "numeric" } as const
const time = { hour: "2-digit", minute: "2-digit" } as const

/** Makes each once: a format of `Intl` takes far longer to make than to use, and locales and currencies are few. */
const once = <A>(make: (text: string) => A): ((text: string) => A) => {
  const made = new Map<string, A>()
  return (text) => {
    const known = made.get(text) ?? make(text)
    made.set(text, known)
    return known
  }
}

const make = (locale: string): Figures => {
  const numbers = new Intl.NumberFormat(locale)
  const shares = new Intl.NumberFormat(locale, { style: "percent" })
  const dates = new Intl.DateTimeFormat(locale, date)
  const instants = new Intl.DateTimeFormat(locale, { ...date, ...time, second: "2-digit", timeZoneName: "short" })
  const steps = {
    whole: new Intl.DateTimeFormat(locale, { ...dayAndMonth, ...time }),
    day: new Intl.DateTimeFormat(locale, dayAndMonth),
    time: new Intl.DateTimeFormat(locale, { ...time, timeZone: "UTC" }),
  }
  const distances = new Intl.RelativeTimeFormat(locale)
  const now = new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(0, "second")
  const plurals = new Intl.PluralRules(locale)
  // The code, because the signs of some currencies look alike.
  const amountsIn = once(
    (currency) => new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay: "code" }),
  )
  const decimals = (currency: string) => amountsIn(currency).resolvedOptions().maximumFractionDigits ?? 2
  return {
    figure: (number) => numbers.format(number),
    percent: (share) => shares.format(share),
    // A page may break the line after the code.
    money: (minor, currency) =>
      amountsIn(currency)
        .format(minor / 10 ** decimals(currency))
        .replaceAll("\u00a0", " "),
    decimals,
    date: (at) => dates.format(at),
    instant: (at) => instants.format(at),
    distance: (at, from) => {
      const distance = Math.abs(at - from)
      if (distance > 31 * day) return dates.format(at)
      const found = units.find(([milliseconds]) => distance >= milliseconds)
      if (found === undefined) return now
      const [length, unit] = found
      return distances.format(Math.sign(at - from) * Math.floor(distance / length), unit)
    },
    step: (at, form) => steps[form].format(at),
    plural: (number, { one, other }) => (plurals.select(number) === "one" ? one : other),
  }
}

/** The forms of a locale, e.g. `en-GB`. */
export const figuresOf: (locale: string) => Figures = once(make)
