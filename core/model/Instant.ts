import { Schema } from "effect"

/**
 * A point in time: milliseconds since 1970-01-01T00:00:00Z, an integer (D1).
 *
 * Times are numbers inside the core and text at its edges; nothing here reads a clock.
 */
export type Instant = number

const rfc3339 =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[Tt](?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?:\.(?<decimals>\d+))?(?<offset>[Zz]|[+-]\d{2}:\d{2})$/

/** ISO 8601 with hyphens and colons; the time with its offset, the seconds and their decimals may be left out (D13). */
const extended =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[Tt](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<decimals>\d+))?)?(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?))?$/

/** The same without hyphens and colons. */
const basic =
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:[Tt](?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:\.(?<decimals>\d+))?)?(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?))?$/

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
export const parse = (text: string): Instant | undefined => instantOf(rfc3339.exec(text))

/**
 * Reads an ISO 8601 date-time with an offset or `Z`, or only a date, which stands for 00:00 UTC (D13). Both in
 * extended or basic form; the offset as `±hh:mm`, `±hhmm` or `±hh`; without seconds it is the whole minute. Everything
 * that {@link parse} reads is among it.
 */
export const parseDateOrDateTime = (text: string): Instant | undefined =>
  instantOf(extended.exec(text) ?? basic.exec(text))

const instantOf = (match: RegExpExecArray | null): Instant | undefined => {
  if (match === null) return undefined
  const { decimals = "", offset = "Z", ...parts } = match.groups ?? {}
  const year = Number(parts["year"])
  const month = Number(parts["month"])
  const day = Number(parts["day"])
  const hour = Number(parts["hour"] ?? 0)
  const minute = Number(parts["minute"] ?? 0)
  const second = Number(parts["second"] ?? 0)
  const [offsetHours, offsetMinutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(":", ""))]
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined
  const milliseconds = Number(decimals.slice(0, 3).padEnd(3, "0"))
  const ahead = (offset.startsWith("-") ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000
  const date = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, milliseconds)
  const instant = date.getTime() - ahead
  if (second === 60 && new Date(instant - 1000).toISOString().slice(11, 16) !== "23:59") return undefined
  return isInstant(instant) ? instant : undefined
}

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Text as {@link format} writes it. */
export const Timestamp = Schema.String.annotate({ format: "date-time" })

/** Text that {@link parse} reads. */
export const DateTime = Schema.String.check(
  Schema.makeFilter((text) => parse(text) !== undefined, {
    expected: "an RFC 3339 date-time with an offset or Z, e.g. 2026-10-05T14:48:00Z",
    toJsonSchema: () => ({ format: "date-time" }),
  }),
)
