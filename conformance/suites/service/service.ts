import { Context, Effect, Redacted } from "effect"
import { AssertionFailed, show } from "../Assertion.ts"
import type { Calls, Heard } from "../runner/Calls.ts"
import { type Case, defaultTimeoutMs } from "../runner/Case.ts"
import { CaseSkipped } from "../runner/CaseSkipped.ts"
import { picked } from "../runner/picked.ts"
import { makeSuite, type Selection, type Suite } from "../runner/Suite.ts"
import { readText } from "./Bounded.ts"
import { serviceCases } from "./cases.ts"
import { newShop, newToken, type OwnShop, placeOrder, publishVector, saveDesign } from "./Filling.ts"
import { type ListenAddress, listen } from "./Receiver.ts"
import {
  Driver,
  ObservedShops,
  type OptionalPart,
  type Platform,
  Receivers,
  type RestAnswer,
  RestApi,
  Restart,
  type ServiceCapability,
  type ServiceSubjects,
  ShopPlatform,
} from "./ServiceCase.ts"
import {
  CallRefused,
  CallUnsupported,
  DriverFailed,
  driverCalls,
  Refused,
  type ServiceDriver,
} from "./ServiceDriver.ts"
import { exchange } from "./Wire.ts"

/** Access to a service for the cases. Cases that need an omitted option are skipped, with that reason. */
export interface ServiceHarness extends Selection {
  /** Name of the suite. Default: `service`. */
  readonly name?: string
  /** The address of the REST API including the version: `https://api.example.com/api/v1`. */
  readonly url: string
  /**
   * Sends a request to the REST API, for example to a handler in this process, without following redirects. Default:
   * `fetch`.
   */
  readonly request?: (request: Request) => Response | Promise<Response>
  /** A token of a shop that the cases may look at, if there is no {@link driver}. */
  readonly token?: string
  /** A token of another shop. */
  readonly otherToken?: string
  /** Changes the service. Cases create their own shops with it. */
  readonly driver?: ServiceDriver
  /** Address at which the cases receive webhooks over plain http. The service must be allowed to send there. */
  readonly receive?: ListenAddress
  /** The service's waits after failed attempts in milliseconds; short enough in total to wait for. */
  readonly schedule?: ReadonlyArray<number>
  /** The webhooks by which orders of shop platforms come in. */
  readonly platform?: Platform
  /** Kills the service and starts it again; resolves once it answers. */
  readonly restart?: () => Promise<void>
  /**
   * Features that the service lacks, and why: event feed (D39), rotation of secrets (D40), headers of Standard Webhooks
   * (D41), dropping events (D33).
   */
  readonly lacks?: { readonly [P in OptionalPart]?: string }
  /** Factor for the time that cases and requests may take, for a slow service. Default: 1. */
  readonly patience?: number
  /**
   * Receives what a case asked and was answered, once it has ended.
   *
   * @internal
   */
  readonly hear?: (id: string, heard: Heard) => void
}

/**
 * The cases that a service in any language must pass: its responses and its deliveries.
 *
 * @example
 * const { failed } = await check(service({ url: "https://api.example.com/api/v1", token }))
 */
export const service = (harness: ServiceHarness): Suite => {
  const { driver, name = "service", patience = 1, platform, receive, restart, schedule, token } = harness
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
    connection: harness.request === undefined ? undefined : "requests go through a function, not over a connection",
    platform: platform === undefined ? "nothing was said of webhooks of shop platforms" : undefined,
    feed: harness.lacks?.feed,
    rotation: harness.lacks?.rotation ?? lacking(driver, ["rotate", "promote"]),
    standardWebhooks: harness.lacks?.standardWebhooks ?? lacking(driver, ["standardWebhooks"]),
    endpointOptions: harness.lacks?.endpointOptions ?? lacking(driver, ["endpointOptions"]),
    tokenScopes: harness.lacks?.tokenScopes ?? lacking(driver, ["createLimitedToken"]),
    dropEvents: harness.lacks?.dropEvents ?? lacking(driver, ["dropEvents"]),
  } satisfies Record<ServiceCapability, string | undefined>
  return makeSuite<ServiceSubjects>({
    name,
    cases: serviceCases.map(withTime(patience, token === undefined ? 0 : longestWait)),
    selection: harness,
    lacks,
    hear: harness.hear,
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
      if (platform !== undefined) subjects = Context.merge(subjects, Context.make(ShopPlatform, platform))
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

/** Longest wait in milliseconds for the rate limit of a token that cases share. */
const longestWait = 60_000

/** Waiting for the rate limit takes nothing from the time of a case, which may be longer for a slow service. */
const withTime =
  (patience: number, wait: number) =>
  <R>(each: Case<R>): Case<R> => ({ ...each, timeoutMs: (each.timeoutMs ?? defaultTimeoutMs) * patience + wait })

/** Which of these calls a driver lacks. */
const lacking = (driver: ServiceDriver | undefined, calls: ReadonlyArray<keyof ServiceDriver>): string | undefined => {
  const missing = calls.find((call) => driver !== undefined && driver[call] === undefined)
  return missing === undefined ? undefined : `the driver has no ${missing}`
}

/** Timeout of a request in milliseconds. */
const requestTimeout = 30_000

const restApi = ({ otherToken, patience = 1, request: given, token, url }: ServiceHarness): RestApi["Service"] => {
  const base = url.replace(/\/+$/, "")
  const request = given ?? ((one: Request) => fetch(one))
  // The only tokens used by several cases, and therefore the only ones that may reach their limit.
  const shared = [token, otherToken].flatMap((text) => (text === undefined ? [] : [`Bearer ${text}`]))
  const once = (input: Request, raw: boolean): Effect.Effect<RestAnswer, AssertionFailed> =>
    Effect.tryPromise({
      try: async (signal) => {
        if (raw) return await exchange(input, signal)
        const response = await request(new Request(input, { signal }))
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          text: await readText(response),
        }
      },
      catch: (cause) =>
        new AssertionFailed({ message: `${input.method} ${input.url}: got no answer: ${reason(cause)}` }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: requestTimeout * patience,
        orElse: () => Effect.fail(new AssertionFailed({ message: `${input.method} ${input.url}: got no answer` })),
      }),
    )
  return {
    base,
    send: Effect.fnUntraced(function* ({ authorization, body, headers, method = "GET", path, prefix, raw = false }) {
      const credential = authorization === undefined ? undefined : Redacted.value(authorization)
      const input = new Request(`${prefix === undefined ? base : new URL(base).origin + prefix}${path}`, {
        method,
        headers: { ...headers, ...(credential === undefined ? {} : { authorization: credential }) },
        redirect: "manual",
        ...(body === undefined ? {} : { body }),
      })
      const answer = yield* once(input.clone(), raw)
      if (answer.status !== 429 || credential === undefined || !shared.includes(credential)) return answer
      const wait = Number(answer.headers["retry-after"] ?? 60)
      yield* Effect.sleep(`${Math.min(Math.max(wait, 1), longestWait / 1000)} seconds`)
      return yield* once(input, raw)
    }),
  }
}

/** `fetch` gives the reason for a missing response in the cause. */
const reason = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : show(error)

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

/** Shops with objects of every kind, created on first use. Each use gets a new token. */
const filledShops = (driver: Driver["Service"]): ObservedShops["Service"] => {
  const filled = () => {
    let made: Promise<OwnShop> | undefined
    const run = <A>(effect: Effect.Effect<A, unknown, Driver>) => Effect.provideService(effect, Driver, driver)
    return Effect.gen(function* () {
      made ??= Effect.runPromise(run(fill))
      // A driver without the calls skips the case.
      const failed = (cause: unknown) =>
        cause instanceof CaseSkipped ? cause : new AssertionFailed({ message: `No shop could be made: ${show(cause)}` })
      const shop = yield* Effect.tryPromise({ try: () => made as Promise<OwnShop>, catch: failed })
      return yield* Effect.mapError(run(newToken(shop.id)), failed)
    })
  }
  return { first: filled(), other: filled() }
}

/** Three orders, one cancelled and one with two designs, and a draft. */
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
