/** The state that the pages and forms for sending deliveries again pass to each other. */

import { DateTime, Effect, Option } from "effect"
import { parse } from "../../../../core/model/Instant.ts"
import type { ResendInput } from "../../../../core/model/webhooks/Resend.ts"
import { addressOf } from "../../DeliveryQuery.ts"
import { currentZone, dayAt } from "../../Query.ts"

/** The content of a time field of a zone, as a time in UTC. A text with a zone of its own, or without a time, stays. */
export const inUtc = (text: string, timeZone: DateTime.TimeZone): string => {
  const there = /^[\dT:.-]+$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  const at = DateTime.makeZoned(there, { timeZone, adjustForTimeZone: true })
  return Option.match(at, { onNone: () => text, onSome: DateTime.formatIso })
}

/** A time as a time field of a zone shows it, or the text itself if it is none. */
export const asField = (text: string, timeZone: DateTime.TimeZone): string =>
  Option.match(DateTime.makeZoned(text, { timeZone }), {
    onNone: () => text,
    onSome: (at) => DateTime.formatIsoZoned(at).slice(0, 19),
  })

/** Which deliveries, as a form or an address names them. Empty texts restrict nothing. */
export interface ResendChoice {
  readonly state?: string
  readonly kind?: string
  readonly from?: string
  readonly to?: string
  /** `yes`, or empty. */
  readonly tests?: string
  /** `selected` if only those with these ids are meant, and the state and the kind are the filter of their list. */
  readonly only?: string
  /** The ids of selected deliveries. */
  readonly ids?: ReadonlyArray<string>
}

/** How far a run has come, as a form or an address names it. */
export interface ResendProgress {
  /** The text of the run (`ResendRun.encode`). */
  readonly next: string
  /** Deliveries that were sent again before. */
  readonly sent: number
  /** The deliveries counted at its beginning. */
  readonly total: number
}

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** The fields of a form, or the parameters of an address. */
export const pairsOf = ({ ids = [], ...choice }: ResendChoice, progress?: ResendProgress): Pairs => [
  ...Object.entries(choice).filter(([, value]) => value !== ""),
  ...ids.map((id) => ["id", id] as const),
  ...Object.entries(progress ?? {}).map(([name, value]) => [name, String(value)] as const),
]

/** The address of the question, or of the progress, relative to the store's first page. */
export const resendPath = (endpointId: string, choice: ResendChoice, progress?: ResendProgress): string => {
  const query = new URLSearchParams(pairsOf(choice, progress).map(([name, value]) => [name, value]))
  return `webhooks/${endpointId}/resend${query.size === 0 ? "" : `?${query}`}`
}

/** The page of the endpoint that the choice was made on, with the filter of its list, by the days of its times. */
export const logPath = Effect.fnUntraced(function* (endpointId: string, choice: Required<ResendChoice>) {
  const zone = yield* currentZone
  const { kind, state } = choice
  const [from, to] = [parse(choice.from), parse(choice.to)]
  return addressOf(`webhooks/${endpointId}`, {
    ...{ state, event: kind },
    from: from === undefined ? "" : dayAt(zone, from),
    to: to === undefined ? "" : dayAt(zone, to - 1),
  })
})

interface Fields {
  readonly text: (name: string) => string
  readonly all: (name: string) => ReadonlyArray<string>
}

/** Reads a choice from the fields of a form or the parameters of an address. */
export const readChoice = ({ all, text }: Fields, zone: DateTime.TimeZone): Required<ResendChoice> => ({
  state: text("state"),
  kind: text("kind"),
  from: inUtc(text("from"), zone),
  to: inUtc(text("to"), zone),
  tests: text("tests") === "" ? "" : "yes",
  only: text("only") === "" && all("id").length === 0 ? "" : "selected",
  ids: all("id"),
})

const numberOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0)

/** Reads how far a run has come. It has not begun if `next` is empty. */
export const readProgress = ({ text }: Fields): ResendProgress => ({
  next: text("next"),
  sent: numberOf(text("sent")),
  total: numberOf(text("total")),
})

/** The choice as the input of the use case. Tests that somebody has selected are sent. */
export const inputOf = (choice: Required<ResendChoice>, next = ""): ResendInput => {
  const { from, kind, only, state, tests, to } = choice
  const given = only === "" ? { state, kind, from, to, next } : { next }
  const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""))
  return { ...named, ...(tests === "" && only === "" ? {} : { tests: true }) }
}
