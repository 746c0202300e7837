/** The queries of pages: filters of lists, and days in the zone of the browser. */
import { Data, DateTime, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { queryOf } from "../../core/api/Parameters.ts"
import { type Instant, isInstant } from "../../core/model/Instant.ts"
import { Visit } from "./Visit.ts"

/** The parameters of the current request. */
export const currentQuery = HttpServerRequest.HttpServerRequest.use(({ url }) => Effect.succeed(queryOf(url)))

/** One of them; `""` if it is missing. */
export const queryParameter = (name: string) => Effect.map(currentQuery, (query) => query.get(name) ?? "")

/** A number of at most seven digits that a parameter has; `undefined` without one. */
export const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const found = /^\d{1,7}$/.exec(query.get(name) ?? "")?.[0]
  return found === undefined ? undefined : Number(found)
}

/** Parameters of a query by their names: `""` for those that are missing. */
export const typedIn = <Name extends string>(query: URLSearchParams, names: ReadonlyArray<Name>) =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""])) as Readonly<Record<Name, string>>

/** The query of a page can't be read. The message is in the reader's language. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly message: string }> {}

const utc: DateTime.TimeZone = DateTime.zoneMakeNamedUnsafe("UTC")

const canonical = Option.liftThrowable(
  (timeZone: string) => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone,
)

/** The zone of a name. Only canonical names: `DateTime` keeps every zone that it has made. */
const zoneOf = (name: string): DateTime.TimeZone =>
  /^[\w+/-]{1,50}$/.test(name)
    ? Option.getOrElse(Option.flatMap(canonical(name), DateTime.zoneMakeNamed), () => utc)
    : utc

/** The browser's zone, by the cookie that the script writes (`assets/localTimes.ts`). UTC without it. */
export const currentZone = HttpServerRequest.HttpServerRequest.use(({ cookies }) =>
  Effect.succeed(zoneOf(cookies["designwire_zone"] ?? "")),
)

const dayLength = 24 * 60 * 60 * 1000

/** The beginning of a day, written as `2026-10-05`, or of a `later` one, in days. */
const dayOf =
  (zone: DateTime.TimeZone, later = 0) =>
  (text: string): Instant | undefined => {
    const midnight = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
    if (!isInstant(midnight) || !new Date(midnight).toISOString().startsWith(text)) return undefined
    const there = DateTime.makeZoned(midnight + later * dayLength, { timeZone: zone, adjustForTimeZone: true })
    const at = Option.isSome(there) ? there.value.epochMilliseconds : Number.NaN
    return isInstant(at) ? at : undefined
  }

/** An instant in UTC; `""` for none. */
export const instantText = (at: Instant | undefined): string => (at === undefined ? "" : new Date(at).toISOString())

/** The day of an instant, written as `2026-10-05`. */
export const dayAt = (zone: DateTime.TimeZone, at: Instant): string =>
  DateTime.formatIsoDate(DateTime.makeZonedUnsafe(at, { timeZone: zone }))

/** Times that lists are filtered by, as they are named in addresses: since midnight, or the newest hours. */
export const spans = { today: undefined, "2h": 2, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const

/** The instant that a name of {@link spans}, or a day, stands for. */
const sinceOf =
  (zone: DateTime.TimeZone, now: Instant) =>
  (text: string): Instant | undefined => {
    if (!Object.hasOwn(spans, text)) return dayOf(zone)(text)
    const hours = spans[text as keyof typeof spans]
    return hours === undefined ? dayOf(zone)(dayAt(zone, now)) : now - hours * 60 * 60 * 1000
  }

/** The times of a filter for {@link readFields}. `to` is the last day that it selects. */
export const timeFields = Effect.fnUntraced(function* (zone: DateTime.TimeZone) {
  const { now, texts } = yield* Visit
  const { from, to } = texts.deliveryList.filters
  return { from: [from, sinceOf(zone, now)], to: [to, dayOf(zone, 1)] } as const
})

type Reader = readonly [label: string, read: (text: string) => unknown]

/** Reads a filter as typed: `undefined` for empty fields. Fails with `Unreadable` that names the wrong ones. */
export const readFields = Effect.fnUntraced(function* <F extends Readonly<Record<string, Reader>>>(
  typed: Readonly<Record<string, string>>,
  fields: F,
) {
  const { filters } = (yield* Visit).texts.deliveryList
  const found = Object.entries(fields).map(([name, [label, read]]) => {
    const text = typed[name] ?? ""
    return {
      name,
      label,
      value: text === "" ? undefined : read(text),
      isWrong: text !== "" && read(text) === undefined,
    }
  })
  const wrong = found.filter(({ isWrong }) => isWrong).map(({ label }) => label)
  if (wrong.length > 0) return yield* new Unreadable({ message: filters.wrong(wrong) })
  const values = Object.fromEntries(found.map(({ name, value }) => [name, value]))
  return values as { readonly [K in keyof F]: ReturnType<F[K][1]> | undefined }
})
