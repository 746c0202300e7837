import { Context, Effect, Redacted } from "effect"
import { AssertionFailed, show } from "../Assertion.ts"
import type { Calls } from "../suite/Calls.ts"
import type { Case } from "../suite/Case.ts"
import { CaseSkipped } from "../suite/CaseSkipped.ts"
import { picked } from "../suite/picked.ts"
import { makeSuite, type Selection, type Suite } from "../suite/Suite.ts"
import { serviceCases } from "./cases.ts"
import { DriverFailed, Refused } from "./DriverFailures.ts"
import { newShop, newToken, type OwnShop, placeOrder, publishVector, saveDesign } from "./Filling.ts"
import { type ListenAddress, listen } from "./Receiver.ts"
import {
  Driver,
  ObservedShops,
  type OptionalPart,
  Receivers,
  type RestAnswer,
  RestApi,
  Restart,
  type ServiceCapability,
  type ServiceSubjects,
} from "./ServiceCase.ts"
import { CallRefused, CallUnsupported, driverCalls, type ServiceDriver } from "./ServiceDriver.ts"

/** How the cases get at a service. What is left out leaves out the cases that need it, which say so. */
export interface ServiceHarness extends Selection {
  /** What the suite is called: `service`, if nothing is said. */
  readonly name?: string
  /** The address of the REST API, its version included: `https://api.example.com/api/v1`. */
  readonly url: string
  /** Sends a request to the REST API: over the network with `fetch`, if nothing is said; or a handler in this process. It must not follow redirects. */
  readonly request?: (request: Request) => Response | Promise<Response>
  /** A token of a shop that the cases may look at, where there is no {@link driver}. */
  readonly token?: string
  /** A token of another shop. */
  readonly otherToken?: string
  /** What changes the service. Cases make shops of their own with it. */
  readonly driver?: ServiceDriver
  /** Where the cases receive webhooks, by plain http. The service must be allowed to send there. */
  readonly receive?: ListenAddress
  /** The waits after failed attempts that the service was told, in milliseconds; the whole must be short enough to wait for. */
  readonly schedule?: ReadonlyArray<number>
  /** Ends the service as a crash would and starts it again; resolves once it answers. */
  readonly restart?: () => Promise<void>
  /** What the service does without, and why: the event feed (D39), the rotation of secrets (D40), the headers of Standard Webhooks (D41), a way to drop events (D33). */
  readonly lacks?: { readonly [P in OptionalPart]?: string }
}

/**
 * The cases that a service must pass, whatever it is written in: what it answers to requests, and what it delivers.
 *
 * @example
 * const { failed } = await check(service({ url: "https://api.example.com/api/v1", token }))
 */
export const service = (harness: ServiceHarness): Suite => {
  const { driver, name = "service", receive, restart, schedule, token } = harness
  const lacks = {
    token: driver === undefined && token === undefined ? "there is neither a token nor a driver" : undefined,
    other:
      driver === undefined && harness.otherToken === undefined
        ? "there is neither a token of another shop nor a driver"
        : undefined,
    driver: driver === undefined ? "there is no driver: nothing can be put into the service" : undefined,
    receiver: receive === undefined ? "nothing was said of where to receive webhooks" : undefined,
    schedule: schedule === undefined ? "the waits between attempts are not known" : undefined,
    restart: restart === undefined ? "nothing was said of how to restart the service" : undefined,
    feed: harness.lacks?.feed,
    rotation: harness.lacks?.rotation ?? lacking(driver, ["rotate", "promote"]),
    standardWebhooks: harness.lacks?.standardWebhooks ?? lacking(driver, ["standardWebhooks"]),
    dropEvents: harness.lacks?.dropEvents ?? lacking(driver, ["dropEvents"]),
  } satisfies Record<ServiceCapability, string | undefined>
  return makeSuite<ServiceSubjects>({
    name,
    cases: serviceCases,
    selection: harness,
    lacks,
    open: Effect.gen(function* () {
      const api = restApi(harness)
      const calling = driver === undefined ? undefined : calls(driver)
      let subjects: Context.Context<never> = Context.make(RestApi, api)
      if (calling !== undefined) subjects = Context.merge(subjects, Context.make(Driver, calling))
      if (receive !== undefined) {
        const receivers = { open: yield* listen(receive), schedule: schedule ?? [] }
        subjects = Context.merge(subjects, Context.make(Receivers, receivers))
      }
      const observed = ObservedShops.of(calling === undefined ? givenShops(harness) : filledShops(calling))
      subjects = Context.merge(subjects, Context.make(ObservedShops, observed))
      if (restart !== undefined) {
        const failed = (cause: unknown) => new AssertionFailed({ message: `The restart failed: ${show(cause)}` })
        subjects = Context.merge(
          subjects,
          Context.make(Restart, Effect.tryPromise({ try: () => restart(), catch: failed })),
        )
      }
      return ({ ports }: Pick<Case, "ports">, watch: Calls) => picked<ServiceSubjects>(subjects, ports, watch)
    }),
  })
}

/** Which of these calls a driver does not have. */
const lacking = (driver: ServiceDriver | undefined, calls: ReadonlyArray<keyof ServiceDriver>): string | undefined => {
  const missing = calls.find((call) => driver !== undefined && driver[call] === undefined)
  return missing === undefined ? undefined : `the driver has no ${missing}`
}

/** Milliseconds after which a request is given up. */
const requestTimeout = 30_000

const restApi = ({ otherToken, request: given, token, url }: ServiceHarness): RestApi["Service"] => {
  const base = url.replace(/\/+$/, "")
  const request = given ?? ((one: Request) => fetch(one))
  // The only tokens whose requests add up over several cases, and so the only ones that a case may have to wait for.
  const shared = [token, otherToken].flatMap((text) => (text === undefined ? [] : [`Bearer ${text}`]))
  const once = (input: Request): Effect.Effect<RestAnswer, AssertionFailed> =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await request(new Request(input, { signal }))
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await response.text(),
        }
      },
      catch: (cause) =>
        new AssertionFailed({ message: `${input.method} ${input.url}: got no answer: ${reason(cause)}` }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: requestTimeout,
        orElse: () => Effect.fail(new AssertionFailed({ message: `${input.method} ${input.url}: got no answer` })),
      }),
    )
  return {
    base,
    send: Effect.fnUntraced(function* ({ authorization, body, headers, method = "GET", path }) {
      const credential = authorization === undefined ? undefined : Redacted.value(authorization)
      const input = new Request(`${base}${path}`, {
        method,
        headers: { ...headers, ...(credential === undefined ? {} : { authorization: credential }) },
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
      })
      const answer = yield* once(input.clone())
      if (answer.status !== 429 || credential === undefined || !shared.includes(credential)) return answer
      const wait = Number(answer.headers["retry-after"] ?? 60)
      yield* Effect.sleep(`${Math.min(Math.max(wait, 1), 60)} seconds`)
      return yield* once(input)
    }),
  }
}

/** What `fetch` says of why there is no answer stands in the cause. */
const reason = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : show(error)

const calls = (driver: ServiceDriver): Driver["Service"] =>
  Object.fromEntries(
    driverCalls.map((name) => [
      name,
      (given: never) => {
        const call = driver[name] as ((given: never) => Promise<unknown>) | undefined
        if (call === undefined) return Effect.fail(new CaseSkipped({ message: `the driver has no ${name}` }))
        return Effect.tryPromise({ try: () => call(given), catch: (error) => failure(name, error) })
      },
    ]),
  ) as unknown as Driver["Service"]

const failure = (name: string, error: unknown): Refused | CaseSkipped | DriverFailed => {
  if (error instanceof CallRefused) return new Refused({ message: error.message, status: error.status })
  if (error instanceof CallUnsupported)
    return new CaseSkipped({ message: `the driver has no ${name}: ${error.message}` })
  return new DriverFailed({ message: `the driver failed on ${name}: ${show(error)}`, cause: error })
}

const givenShops = ({ otherToken, token }: ServiceHarness): ObservedShops["Service"] => ({
  first: Effect.succeed({ token: Redacted.make(token ?? "") }),
  other: Effect.succeed({ token: Redacted.make(otherToken ?? "") }),
})

/** Shops with something of every kind, made when they are first asked for. Each time they are read with a token of their own. */
const filledShops = (driver: Driver["Service"]): ObservedShops["Service"] => {
  const filled = () => {
    let made: Promise<OwnShop> | undefined
    const run = <A>(effect: Effect.Effect<A, unknown, Driver>) => Effect.provideService(effect, Driver, driver)
    return Effect.gen(function* () {
      made ??= Effect.runPromise(run(fill))
      const failed = (cause: unknown) => new AssertionFailed({ message: `No shop could be made: ${show(cause)}` })
      const shop = yield* Effect.tryPromise({ try: () => made as Promise<OwnShop>, catch: failed })
      return yield* Effect.mapError(run(newToken(shop.id)), failed)
    })
  }
  return { first: filled(), other: filled() }
}

/** Three orders, one of them cancelled and one of two designs, and a draft. */
const fill = Effect.gen(function* () {
  const shop = yield* newShop()
  const driver = yield* Driver
  yield* publishVector(shop.id, 102)
  for (const id of ["one", "two", "three", "four", "draft"]) yield* saveDesign(shop, id)
  yield* placeOrder(shop, "1001", ["one"], "2026-10-05T14:48:00Z")
  yield* placeOrder(shop, "1002", ["two", "three"], "2026-10-06T08:00:00Z")
  yield* placeOrder(shop, "1003", ["four"], "2026-10-07T09:30:00Z")
  yield* driver.cancelOrder({ shop: shop.id, id: "1001" })
  return shop
})
