import { Effect, Option } from "effect"
import { defaultPrefix } from "../../../core/api/Prefix.ts"
import { EndpointKind } from "../../../core/model/events/Event.ts"
import type { FeedEvent } from "../../client/index.ts"
import { type ConfigError, configError } from "../ReadConfig.ts"

/** The options of `designwire listen`. */
export interface ListenOptions {
  /** Default: the address of a service with this environment. */
  readonly url: Option.Option<string>
  readonly token: Option.Option<string>
  readonly forwardTo: Option.Option<string>
  readonly types: Option.Option<string>
  readonly since: Option.Option<string>
  readonly printSecret: boolean
}

/** The feed to follow, according to valid options. */
export interface Following {
  readonly url: string
  readonly token: string
  readonly forwardTo: string | undefined
  readonly types: ReadonlyArray<FeedEvent["event"]> | undefined
  /** In milliseconds; `undefined`: from now on. */
  readonly since: number | undefined
}

const kinds: ReadonlyArray<string> = EndpointKind.literals

/** Reads the options. Fails with the accepted form of an invalid option. */
export const prepare = Effect.fnUntraced(function* (
  options: Omit<ListenOptions, "token" | "url"> & { readonly token: string; readonly url: string },
  now: number = Date.now(),
): Effect.fn.Return<Following, ConfigError> {
  const url = addressOf(options.url)
  if (url === undefined)
    return yield* configError(`--url must be the service's address, e.g. https://designs.example.com`)
  if (url.pathname === "/") url.pathname = defaultPrefix
  const forwardTo = Option.map(options.forwardTo, addressOf)
  if (Option.isSome(forwardTo) && forwardTo.value === undefined) {
    return yield* configError("--forward-to must be an http(s) address, e.g. http://localhost:3000/hooks")
  }
  const types = Option.map(options.types, (text) => text.split(","))
  if (Option.isSome(types) && !types.value.every((type) => kinds.includes(type))) {
    return yield* configError(`--types must be one or more of ${kinds.join(", ")}, separated by commas`)
  }
  const since = Option.map(options.since, (text) => timeOf(text, now))
  if (Option.isSome(since) && since.value === undefined) {
    return yield* configError("--since must be a time, e.g. 2026-11-20T12:00:00Z, or how long ago, e.g. 10m, 2h or 3d")
  }
  return {
    url: url.href,
    token: options.token,
    forwardTo: Option.getOrUndefined(forwardTo)?.href,
    types: Option.getOrUndefined(types) as Following["types"],
    since: Option.getOrUndefined(since),
  }
})

const addressOf = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The time that `10m`, `2h` or `3d` ago was; `undefined` for another text. */
export const agoOf = (text: string, now: number): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return count === undefined ? undefined : now - Number(count) * (units[unit] ?? 0)
}

const timeOf = (text: string, now: number): number | undefined => {
  const ago = agoOf(text, now)
  if (ago !== undefined) return ago
  const time = /^\d{4}-\d\d-\d\d(?:T.+(?:Z|[+-]\d\d:\d\d))?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}
