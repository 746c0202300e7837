import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { AssertionFailed } from "../Assertion.ts"
import type { Case } from "../suite/Case.ts"
import type { CaseSkipped } from "../suite/CaseSkipped.ts"
import type { DriverFailed, Refused } from "./DriverFailures.ts"
import type { OpenReceiver, Reply } from "./Receiver.ts"
import type { DriverCalls } from "./ServiceDriver.ts"

/** A request to the REST API. */
export interface RestRequest {
  /** Default: GET. */
  readonly method?: string
  /** Behind the base address, with its query: `/orders?limit=1`. */
  readonly path: string
  /** The header of that name. It never appears in a message. */
  readonly authorization?: Redacted.Redacted<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What the REST API answered. */
export interface RestAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** The service's REST API. */
export class RestApi extends Context.Service<
  RestApi,
  {
    readonly send: (request: RestRequest) => Effect.Effect<RestAnswer, AssertionFailed>
    /** The base address, without a slash at its end. */
    readonly base: string
  }
>()("designwire/RestApi") {}

/** Changes the service, as `ServiceDriver` says. */
export class Driver extends Context.Service<
  Driver,
  {
    readonly [C in keyof DriverCalls]: (
      given: DriverCalls[C]["given"],
    ) => Effect.Effect<DriverCalls[C]["answer"], Refused | DriverFailed | CaseSkipped>
  }
>()("designwire/Driver") {}

/** A shop whose content nobody tells the case, and what reads it. */
export interface ObservedShop {
  readonly token: Redacted.Redacted<string>
}

/** Shops to look at: made by the driver where there is one, else those of the tokens that were given. */
export class ObservedShops extends Context.Service<
  ObservedShops,
  {
    readonly first: Effect.Effect<ObservedShop, AssertionFailed>
    /** Another shop. */
    readonly other: Effect.Effect<ObservedShop, AssertionFailed>
  }
>()("designwire/ObservedShops") {}

/** Receives webhooks. */
export class Receivers extends Context.Service<
  Receivers,
  {
    /** A new address. `reply` answers its requests, counted from 0; 200 where it is left out. */
    readonly open: (reply?: (index: number) => Reply) => Effect.Effect<OpenReceiver>
    /** The waits after failed attempts that the service was told, in milliseconds. */
    readonly schedule: ReadonlyArray<number>
  }
>()("designwire/Receivers") {}

/** Ends the service without a warning and starts it again. */
export class Restart extends Context.Service<Restart, Effect.Effect<void, AssertionFailed>>()("designwire/Restart") {}

/** What a case finds. */
export type ServiceSubjects = RestApi | Driver | ObservedShops | Receivers | Restart

/**
 * What not every check has at hand.
 *
 * - `token`: a shop to look at. `other`: a second one.
 * - `driver`: a way to change the service. Cases make shops of their own then, at random, so that runs may overlap.
 * - `receiver`: the service can send to the machine of the check. `schedule`: the waits between attempts are known and short.
 * - `restart`: the service can be ended and started.
 * - `feed`, `rotation`, `standardWebhooks`: the service has what the specification does not ask for: the event feed (D39), rotation of signing secrets (D40), the
 *   headers of Standard Webhooks (D41).
 * - `dropEvents`: the driver can drop events.
 */
export type ServiceCapability = "token" | "other" | "driver" | "receiver" | "schedule" | "restart" | OptionalPart

/** What a service or its driver may do without. */
export type OptionalPart = "feed" | "rotation" | "standardWebhooks" | "dropEvents"

/** One requirement that a service must meet, in whatever language it is written: judged by what it answers and sends. */
export interface ServiceCase extends Omit<Case<ServiceSubjects>, "needs" | "without"> {
  readonly needs?: ReadonlyArray<ServiceCapability>
  readonly without?: ServiceCapability
}

/** A case among others that need the same. */
export type ListedCase = Omit<ServiceCase, "ports"> & {
  readonly run: Effect.Effect<void, unknown, ServiceSubjects | Scope.Scope>
}

const listed =
  (ports: ReadonlyArray<string>, needs: ReadonlyArray<ServiceCapability>) =>
  (cases: ReadonlyArray<ListedCase>): ReadonlyArray<ServiceCase> =>
    cases.map((each) => ({ ...each, ports, needs: [...new Set([...needs, ...(each.needs ?? [])])] }))

/** Cases that look at whatever is there. */
export const observing = listed(["RestApi", "ObservedShops"], [])

/** Cases that put something into the service and read it. */
export const driving = listed(["RestApi", "Driver"], ["driver"])

/** Cases that have the service deliver. */
export const receiving = listed(["RestApi", "Driver", "Receivers"], ["driver", "receiver"])

/** Cases that end the service and start it again. Nothing else may run meanwhile. */
export const restarting = (cases: ReadonlyArray<ListedCase>): ReadonlyArray<ServiceCase> =>
  listed(
    ["RestApi", "Driver", "Receivers", "Restart"],
    ["driver", "restart"],
  )(cases).map((each) => ({ ...each, alone: true }))
