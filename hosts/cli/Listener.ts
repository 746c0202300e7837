import { Effect, Result } from "effect"
import { parsePort } from "../../core/rules/catalog/ConfigValues.ts"
import { type Environment, textOf } from "./Variables.ts"

/** The address that a server listens on. */
interface Listener {
  readonly host: string
  readonly port: number
}

/** Addresses to listen on that stand for all addresses of the machine, and one of these. */
const ownAddresses: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The first variable that has a text, and this text. */
const firstOf = Effect.fnUntraced(function* (
  environment: Environment,
  names: ReadonlyArray<string>,
  otherwise: string,
) {
  for (const name of names) {
    const text = yield* Effect.fromResult(textOf(environment, name))
    if (text !== undefined) return { name, text }
  }
  return { name: names.join(), text: otherwise }
})

/**
 * Where `designwire serve` listens on this machine, from the variables that it has too: for the REST API, or for the
 * management API. Fails with a sentence that begins with the name of a variable.
 */
export const listenerOf = Effect.fnUntraced(function* (environment: Environment, part: "api" | "manage") {
  const own = (name: string) => (part === "manage" ? [`DESIGNWIRE_MANAGE_${name}`, name] : [name])
  const host = (yield* firstOf(environment, own("HOST"), "127.0.0.1")).text
  const { name, text } = yield* firstOf(environment, own("PORT"), "3000")
  const port = yield* Effect.fromResult(Result.mapError(parsePort(text), (expected) => `${name}: must be ${expected}`))
  if (port === 0) return yield* Effect.fail(`${name}: is 0, so the service listens on a port that only its log has`)
  const listener: Listener = { host: ownAddresses[host] ?? host, port }
  return listener
})

/** The address of a server, without a path. */
export const originOf = ({ host, port }: Listener): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${port}`
