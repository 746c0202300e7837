import { Console, Effect, Option } from "effect"
import { printable } from "../../../core/model/log/Printable.ts"
import { DesignwireRequestError } from "../../client/index.ts"
import { configError } from "../ReadConfig.ts"
import { tokenVariable } from "../Variables.ts"
import { follow, secretOf } from "./Follow.ts"
import { type ListenOptions, prepare } from "./ListenOptions.ts"
import { makeSend } from "./Outgoing.ts"
import { notReached, serviceUrl } from "./ServiceUrl.ts"

/** A second: 60 requests a minute, half of what a token has. */
const interval = 1_000

/** `designwire listen`: follows the feed and forwards its events, until it is stopped. */
export const listen = Effect.fn("listen")(function* (options: ListenOptions) {
  const token = yield* tokenOf(options)
  if (options.printSecret) return yield* Console.log(secretOf(token))
  const following = yield* prepare({ ...options, url: yield* serviceUrl(options.url, "api"), token })
  const world = { send: makeSend(), print: (line: string) => console.log(line), interval, now: Date.now }
  yield* Effect.tryPromise({
    try: (signal) => follow(following, world, signal),
    catch: (error) => configError(printable(sentenceOf(following.url, error))),
  })
})

/** A service that does not answer may be another one than was meant, and so may one that answers otherwise. */
const sentenceOf = (url: string, error: unknown): string => {
  if (!(error instanceof DesignwireRequestError)) return (error as Error).message
  if (error.status === undefined) return notReached(url, error)
  return error.code === "unexpected_answer" ? `${error.message}. --url is ${url}` : error.message
}

const tokenOf = ({ token }: ListenOptions) => {
  const given = Option.getOrElse(token, () => process.env[tokenVariable] ?? "")
  return given === ""
    ? Effect.fail(configError(`Give an API token: --token cmz_…, or ${tokenVariable}`))
    : Effect.succeed(given)
}
