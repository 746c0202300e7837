import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { InvalidInput } from "../../core/model/Errors.ts"
import { type Instant, isInstant } from "../../core/model/Instant.ts"

/** A parameter of the current request's query; `""` if it is missing. */
export const queryParameter = (name: string) =>
  HttpServerRequest.HttpServerRequest.use(({ url }) =>
    Effect.succeed(new URLSearchParams(url.split("?")[1]).get(name) ?? ""),
  )

/** The failure of a page whose query can't be read. */
export const unreadable = (message: string) => new InvalidInput({ message, problems: [] })

const day = 24 * 60 * 60 * 1000

/** The beginning of a day in UTC, written as `2026-10-05`. */
export const dayOf = (text: string): Instant | undefined => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return isInstant(at) && new Date(at).toISOString().startsWith(text) ? at : undefined
}

/** Times that lists are filtered by, as they are named in addresses: since midnight in UTC, or for so many hours. */
export const spans = { today: undefined, "2h": 2, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const

/** The instant that a name of {@link spans}, or a day, stands for. */
export const sinceOf =
  (now: Instant) =>
  (text: string): Instant | undefined => {
    if (!Object.hasOwn(spans, text)) return dayOf(text)
    const hours = spans[text as keyof typeof spans]
    return hours === undefined ? now - (now % day) : now - hours * 60 * 60 * 1000
  }

/** The end of a day in UTC: the beginning of the next. */
export const dayAfter = (text: string): Instant | undefined => {
  const begin = dayOf(text)
  return begin !== undefined && isInstant(begin + day) ? begin + day : undefined
}
