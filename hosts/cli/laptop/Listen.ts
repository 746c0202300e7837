import { Console, Effect, Option } from "effect"
import { configError } from "../ReadConfig.ts"
import { tokenVariable } from "../UnknownVariables.ts"
import { follow } from "./Follow.ts"
import { type ListenOptions, prepare } from "./ListenOptions.ts"
import { secretOf } from "./ListenSecret.ts"
import { makeSend, printable } from "./Outgoing.ts"

/** A second: 60 requests a minute, half of what a token has. */
const interval = 1_000

/** `designwire listen`: follows the feed and forwards its events, until it is stopped. */
export const listen = Effect.fn("listen")(function* (options: ListenOptions) {
  const token = yield* tokenOf(options)
  if (options.printSecret) return yield* Console.log(secretOf(token))
  const following = yield* prepare({ ...options, token })
  const world = { send: makeSend(), print: (line: string) => console.log(line), interval, now: Date.now }
  yield* Effect.tryPromise({
    try: (signal) => follow(following, world, signal),
    catch: (error) => configError(printable((error as Error).message)),
  })
})

const tokenOf = ({ token }: ListenOptions) => {
  const given = Option.getOrElse(token, () => process.env[tokenVariable] ?? "")
  return given === ""
    ? Effect.fail(configError(`Give an API token: --token cmz_…, or ${tokenVariable}`))
    : Effect.succeed(given)
}
