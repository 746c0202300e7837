import { Effect, Option } from "effect"
import { listenerOf, originOf } from "../Listener.ts"
import { type ConfigError, configError } from "../ReadConfig.ts"
import { innermostMessage } from "./Outgoing.ts"

/** The address of the running service: `--url`, or the address of a service with this environment. */
export const serviceUrl = (url: Option.Option<string>, part: "api" | "manage"): Effect.Effect<string, ConfigError> =>
  Option.isSome(url)
    ? Effect.succeed(url.value)
    : Effect.map(
        Effect.mapError(listenerOf(process.env, part), (problem) => configError(`${problem}. Or give --url`)),
        originOf,
      )

/** The sentence about a service that does not answer. */
export const notReached = (url: string, error: unknown): string =>
  `${url} can't be reached: ${innermostMessage(error)}. Is the service running? If it is elsewhere, give --url`
