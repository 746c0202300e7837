import { get } from "node:http"
import { Data, Effect, Result } from "effect"
import { parsePort } from "../../core/rules/ConfigValues.ts"
import { type Environment, textOf } from "./Variable.ts"

/** The service of this machine does not answer, or the configuration does not say where it listens. */
class NotHealthy extends Data.TaggedError("NotHealthy")<{ readonly message: string }> {}

/** Addresses to listen on that stand for all addresses of the machine, and one of these. */
const ownAddresses: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The route that says whether the process lives. While the database is away, a restart would help nobody. */
const path = "/livez"

/** The listener of `designwire serve`, from the same variables. */
const listenerOf = (environment: Environment) =>
  Effect.gen(function* () {
    const host = (yield* Effect.fromResult(textOf(environment, "HOST"))) ?? "127.0.0.1"
    const text = (yield* Effect.fromResult(textOf(environment, "PORT"))) ?? "3000"
    const port = yield* Effect.fromResult(Result.mapError(parsePort(text), (expected) => `PORT: must be ${expected}`))
    if (port === 0) return yield* Effect.fail("PORT: is 0, so the service listens on a port that only its log has")
    return { host: ownAddresses[host] ?? host, port }
  })

const statusOf = (listener: { readonly host: string; readonly port: number }) =>
  Effect.callback<number | undefined, string>((resume) => {
    const request = get({ ...listener, path, agent: false }, (response) => {
      response.resume()
      resume(Effect.succeed(response.statusCode))
    })
    request.once("error", (error: NodeJS.ErrnoException) => resume(Effect.fail(error.code ?? error.message)))
    return Effect.sync(() => request.destroy())
  })

/** `designwire health`: succeeds if the service on this machine answers within two seconds. */
export const health = Effect.fn("health")(
  function* () {
    const listener = yield* listenerOf(process.env)
    const { host, port } = listener
    const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}${path}`
    const status = yield* statusOf(listener).pipe(
      Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.fail("no answer within 2 seconds") }),
      Effect.mapError((reason) => `${url}: ${reason}`),
    )
    if (status !== 200) yield* Effect.fail(`${url}: answered with ${status}`)
  },
  Effect.mapError((message) => new NotHealthy({ message })),
)
