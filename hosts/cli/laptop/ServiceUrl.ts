import { Effect, Option } from "effect"
import { addressOf, generalAddress, shopPart } from "../../../core/model/webhooks/PublicAddress.ts"
import { listenerOf, originOf } from "../Listener.ts"
import { type ConfigError, configError } from "../ReadConfig.ts"
import { innermostMessage } from "./Outgoing.ts"

/**
 * The address of the running service: `--url`, with the shop in the place of `{shop}`, or the address of a service with
 * this environment.
 */
export const serviceUrl = (
  url: Option.Option<string>,
  part: "api" | "manage",
  shop: Option.Option<string> = Option.none(),
): Effect.Effect<string, ConfigError> => {
  if (Option.isNone(url)) {
    return Effect.map(
      Effect.mapError(listenerOf(process.env, part), (problem) => configError(`${problem}. Or give --url`)),
      originOf,
    )
  }
  if (shopPart(url.value) === undefined) return Effect.succeed(url.value)
  if (Option.isSome(shop)) return Effect.succeed(addressOf(generalAddress(url.value), shop.value))
  return configError(
    `--url has {shop}: ${part === "api" ? "write the shop's id in its place" : "name the shop by --shop"}`,
  )
}

/** The sentence about a service that does not answer. */
export const notReached = (url: string, error: unknown): string =>
  `${url} can't be reached: ${innermostMessage(error)}. Is the service running? If it is elsewhere, give --url`
