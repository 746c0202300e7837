/**
 * The probe of `designwire conformance` before it checks a service: whether the options can be used, and which calls
 * and routes the service lacks.
 */
import { createServer } from "node:net"
import { Data, type Duration, Effect, Schedule } from "effect"
import type { ListenAddress, ServiceDriver, ServiceHarness } from "../../conformance/index.ts"

/** The check could not be made: the options can't be used, or the service does not answer. */
export class CouldNotRun extends Data.TaggedError("CouldNotRun")<{ readonly message: string }> {}

/** An error in a sentence, with its cause. */
export const sentence = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // An error of several addresses has no message.
  const cause =
    error.cause instanceof Error ? error.cause.message || (error.cause as { code?: string }).code : undefined
  return cause === undefined ? error.message : `${error.message} (${cause})`
}

/** A shop that the driver has made, and a token for it. */
export interface ProbedShop {
  readonly id: string
  readonly token: string
}

/** Milliseconds within which a driver must answer a first call; it may have to start the service. */
const driverPatience = 60_000

/** A call of the driver; fails if the driver does not have it. */
const call = <C extends keyof ServiceDriver>(
  driver: ServiceDriver,
  name: C,
  given: Parameters<NonNullable<ServiceDriver[C]>>[0],
) =>
  Effect.tryPromise({
    try: () => {
      const method = driver[name] as ((given: unknown) => Promise<unknown>) | undefined
      return method === undefined ? Promise.reject(new Error(`the driver has no ${name}`)) : method(given)
    },
    catch: (error) => error,
  }).pipe(
    Effect.timeoutOrElse({
      duration: driverPatience,
      orElse: () => Effect.fail(new Error(`no answer to ${name} within ${driverPatience / 1000} s`)),
    }),
  )

/** Creates a shop and a token for it, as every case does: a driver that can't do that is useless. */
export const makeShop = Effect.fnUntraced(function* (driver: ServiceDriver) {
  const id = `t-${crypto.randomUUID()}`
  const input = { domain: "shop.example.com", currency: "EUR", imageBase: "https://images.example.com" }
  const failed = (what: string) => (error: unknown) =>
    new CouldNotRun({ message: `The driver could not create a ${what}: ${sentence(error)}` })
  yield* Effect.mapError(call(driver, "putShop", { shop: id, input }), failed("shop"))
  const made = yield* Effect.mapError(call(driver, "createToken", { shop: id }), failed("token"))
  const token = typeof made === "object" && made !== null && "token" in made ? made.token : undefined
  if (typeof token !== "string") {
    return yield* failed("token")(new Error(`createToken must answer {id, token}, not ${JSON.stringify(made)}`))
  }
  const shop: ProbedShop = { id, token }
  return shop
})

/** The status of the answer from an address. */
const status = (url: string, token?: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await fetch(url, { headers, redirect: "manual", signal })
      await response.body?.cancel()
      return response.status
    },
    catch: (error) => new CouldNotRun({ message: `There is no answer from ${url}: ${sentence(error)}` }),
  })

/** Waits until the service answers anything at all: it may be starting. */
export const answering = (url: string, longest: Duration.Input) =>
  Effect.retry(status(`${url}/orders?limit=1`), {
    schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: longest })),
  })

/** Fails unless a token works at the REST API. 429 means that it works, and was used too often. */
export const tokenWorks = Effect.fnUntraced(function* (url: string, whose: string, token: string) {
  const answered = yield* status(`${url}/orders?limit=1`, token)
  if (answered === 200 || answered === 429) return
  const hint =
    answered === 404 ? "; is --url the address of the REST API, its version included?" : "; is it of this service?"
  return yield* new CouldNotRun({ message: `${whose} was answered with ${answered} at ${url}/orders${hint}` })
})

type Lacks = NonNullable<ServiceHarness["lacks"]>

const optionalCalls = [
  ["rotation", "promote"],
  ["rotation", "rotate"],
  ["standardWebhooks", "standardWebhooks"],
  ["endpointOptions", "endpointOptions"],
  ["tokenScopes", "createLimitedToken"],
  ["dropEvents", "dropEvents"],
] as const satisfies ReadonlyArray<readonly [keyof Lacks, keyof ServiceDriver]>

/**
 * The features that the service lacks, and why: it answers 404 at the feed, or its driver does not support the calls.
 */
export const lacking = Effect.fnUntraced(function* (
  url: string,
  token: string | undefined,
  changed: { readonly driver: ServiceDriver; readonly shop: ProbedShop } | undefined,
) {
  const { CallUnsupported } = yield* Effect.promise(() => import("../../conformance/index.ts"))
  const lacks: { -readonly [P in keyof Lacks]: string } = {}
  if (token !== undefined && (yield* status(`${url}/events?limit=1`, token)) === 404) {
    lacks.feed = "GET /events is answered with 404"
  }
  if (changed === undefined) return lacks
  for (const [part, name] of optionalCalls) {
    // For an unknown endpoint or a token that may read nothing: any other error of the driver shows that it knows the
    // call.
    const given = { shop: changed.shop.id, endpoint: "whe_none", enabled: false, scopes: [] }
    const error = yield* Effect.flip(call(changed.driver, name, given)).pipe(Effect.orElseSucceed(() => undefined))
    if (error instanceof CallUnsupported) lacks[part] = `the driver has no ${name}: ${error.message}`
  }
  return lacks
})

/** Features beyond the specification that a service can claim to have. */
const changedFeatures = ["rotation", "standardWebhooks", "endpointOptions", "tokenScopes"] as const

/** The features that the service has shown to have: nothing is known of those that could not be probed. */
export const claimsOf = (
  lacks: Lacks,
  { isChanged, isRead }: { readonly isRead: boolean; readonly isChanged: boolean },
): ReadonlyArray<string> =>
  [...(isRead ? (["feed"] as const) : []), ...(isChanged ? changedFeatures : [])].filter(
    (feature) => lacks[feature] === undefined,
  )

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: "something else listens there; port 0 takes any that is free",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no such name",
  EACCES: "this user may not listen on that port; port 0 takes any that is free",
}

/** Fails if the cases can't receive there. */
export const canListen = ({ host, port }: ListenAddress): Effect.Effect<void, CouldNotRun> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = listenProblems[error.code ?? ""] ?? error.message
      resume(Effect.fail(new CouldNotRun({ message: `--receive can't listen on ${host}:${port}: ${reason}` })))
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resume(Effect.void)))
  })
