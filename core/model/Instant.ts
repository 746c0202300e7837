import { Schema } from "effect"

/**
 * A point in time: milliseconds since 1970-01-01T00:00:00Z, an integer (D1).
 *
 * Times are numbers inside the core and text at its edges; nothing here reads a clock.
 */
export type Instant = number

const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

const dateOnly = /^\d{4}-\d{2}-\d{2}$/

const first = Date.parse("0001-01-01T00:00:00.000Z")
const last = Date.parse("9999-12-31T23:59:59.999Z")

/** Whether a number is an instant that can be stored and written: an integer within the years 1 to 9999. */
export const isInstant = (value: number): value is Instant => Number.isInteger(value) && value >= first && value <= last

/** Writes an instant the only way it is ever written: `2026-10-05T14:48:00.000+00:00` (D1). */
export const format = (instant: Instant): string => `${new Date(instant).toISOString().slice(0, -1)}+00:00`

/**
 * Reads an RFC 3339 date-time with an offset or `Z`, or answers `undefined`.
 *
 * Decimals past the third are cut off, never rounded (D1). A leap second is the second after it, as in POSIX.
 */
export const parse = (text: string): Instant | undefined => {
  const match = dateTime.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offsetHours = Number(match[9] ?? 0)
  const offsetMinutes = Number(match[10] ?? 0)
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"))
  const offset = (match[8] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  const date = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, milliseconds)
  const instant = date.getTime() - offset
  if (second === 60 && new Date(instant - 1000).toISOString().slice(11, 16) !== "23:59") return undefined
  return isInstant(instant) ? instant : undefined
}

/** Reads what {@link parse} reads, or a date alone, which stands for 00:00 UTC (D13). */
export const parseDateOrDateTime = (text: string): Instant | undefined =>
  dateOnly.test(text) ? parse(`${text}T00:00:00Z`) : parse(text)

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Text that {@link parse} reads. */
export const DateTime = Schema.String.check(
  Schema.makeFilter((text) => parse(text) !== undefined || "an RFC 3339 date-time with an offset or Z", {
    toJsonSchema: () => ({ format: "date-time" }),
  }),
)
