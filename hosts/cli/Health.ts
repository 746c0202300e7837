import { get } from "node:http"
import { Data, Effect } from "effect"
import { listenerOf, originOf } from "./Listener.ts"

/** The service of this machine does not answer, or the configuration does not say where it listens. */
class NotHealthy extends Data.TaggedError("NotHealthy")<{ readonly message: string }> {}

/** The route that says whether the process lives. While the database is away, a restart would help nobody. */
const path = "/livez"

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
    const listener = yield* listenerOf(process.env, "api")
    const url = `${originOf(listener)}${path}`
    const status = yield* statusOf(listener).pipe(
      Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.fail("no answer within 2 seconds") }),
      Effect.mapError((reason) => `${url}: ${reason}`),
    )
    if (status !== 200) yield* Effect.fail(`${url}: answered with ${status}`)
  },
  Effect.mapError((message) => new NotHealthy({ message })),
)
