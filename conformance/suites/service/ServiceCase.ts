import { Context, type Effect, type Redacted, type Scope } from "effect"
import type { AssertionFailed } from "../Assertion.ts"
import type { Case } from "../runner/Case.ts"
import type { CaseSkipped } from "../runner/CaseSkipped.ts"
import type { OpenReceiver, Reply } from "./Receiver.ts"
import type { DriverCalls, DriverFailed, Refused } from "./ServiceDriver.ts"

/** A request to the REST API. */
export interface RestRequest {
  /** Default: GET. */
  readonly method?: string
  /** Path below the base address, with the query: `/orders?limit=1`. */
  readonly path: string
  /** Replaces the path of the base address. */
  readonly prefix?: string
  /** The header of that name. It never appears in a message. */
  readonly authorization?: Redacted.Redacted<string>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * Sends it over a connection of its own, and takes everything behind the headers until the service closes it as the
   * text. Clients ignore bytes behind an answer without a body.
   */
  readonly raw?: true
}

/** A response of the REST API. */
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
    /** The base address without a trailing slash. */
    readonly base: string
  }
>()("designwire/RestApi") {}

/** Changes the service, see `ServiceDriver`. */
export class Driver extends Context.Service<
  Driver,
  {
    readonly [C in keyof DriverCalls]: (
      given: DriverCalls[C]["given"],
    ) => Effect.Effect<DriverCalls[C]["answer"], Refused | DriverFailed | CaseSkipped>
  }
>()("designwire/Driver") {}

/** A shop with unknown content, and a token that reads it. */
export interface ObservedShop {
  readonly token: Redacted.Redacted<string>
}

/** Shops to look at: created by the driver if there is one, otherwise the shops of the given tokens. */
export class ObservedShops extends Context.Service<
  ObservedShops,
  {
    readonly first: Effect.Effect<ObservedShop, AssertionFailed | CaseSkipped>
    /** Another shop. */
    readonly other: Effect.Effect<ObservedShop, AssertionFailed | CaseSkipped>
  }
>()("designwire/ObservedShops") {}

/** Receives webhooks. */
export class Receivers extends Context.Service<
  Receivers,
  {
    /** A new URL. `reply` answers its requests, counted from 0. Default: 200. */
    readonly open: (reply?: (index: number) => Reply) => Effect.Effect<OpenReceiver>
    /** The service's waits after failed attempts, in milliseconds. */
    readonly schedule: ReadonlyArray<number>
  }
>()("designwire/Receivers") {}

/** Kills the service and starts it again. */
export class Restart extends Context.Service<Restart, Effect.Effect<void, AssertionFailed>>()("designwire/Restart") {}

/** Signed webhooks of a shop's platform. */
export interface Platform {
  /** The address of a shop's webhooks, over plain http. They are signed as Shopify signs them. */
  readonly url: (shop: string) => string
  /** The secret of the webhooks. */
  readonly secret: string
  /** Addresses of this machine from which the cases may connect: one, and several others. */
  readonly addresses: { readonly one: string; readonly others: ReadonlyArray<string> }
}

/** The platform of the shops under test. */
export class ShopPlatform extends Context.Service<ShopPlatform, Platform>()("designwire/ShopPlatform") {}

/** The services that a case can use. */
export type ServiceSubjects = RestApi | Driver | ObservedShops | Receivers | Restart | ShopPlatform

/**
 * Optional capabilities of a check.
 *
 * - `token`: a shop to look at. `other`: a second one.
 * - `driver`: a way to change the service. Cases then create their own random shops, so that runs may overlap.
 * - `receiver`: the service can send to the machine of the check. `schedule`: the waits between attempts are known and
 *   short.
 * - `restart`: the service can be killed and started.
 * - `connection`: requests go over connections of the cases.
 * - `platform`: orders come in by signed webhooks, to an address that the cases know.
 * - `feed`, `rotation`, `standardWebhooks`, `endpointOptions`, `tokenScopes`: the service has features that the
 *   specification does not require: the event feed (D39), rotation of signing secrets (D40), the headers of Standard
 *   Webhooks (D41), deliveries as each endpoint wants them (D55, D71, D72), tokens with an end and scopes (D77).
 * - `dropEvents`: the driver can drop events.
 */
export type ServiceCapability =
  | "token"
  | "other"
  | "driver"
  | "receiver"
  | "schedule"
  | "restart"
  | "connection"
  | "platform"
  | OptionalPart

/** Capabilities that a service or its driver may lack. */
export type OptionalPart = "feed" | "rotation" | "standardWebhooks" | "endpointOptions" | "tokenScopes" | "dropEvents"

/** One requirement for a service in any language, judged by its responses and deliveries. */
export interface ServiceCase extends Omit<Case<ServiceSubjects>, "needs" | "without"> {
  readonly needs?: ReadonlyArray<ServiceCapability>
  readonly without?: ServiceCapability
}

/** A case of a group with the same needs. */
export type ListedCase = Omit<ServiceCase, "ports"> & {
  readonly run: Effect.Effect<void, unknown, ServiceSubjects | Scope.Scope>
}

const listed =
  (ports: ReadonlyArray<string>, needs: ReadonlyArray<ServiceCapability>) =>
  (cases: ReadonlyArray<ListedCase>): ReadonlyArray<ServiceCase> =>
    cases.map((each) => ({ ...each, ports, needs: [...new Set([...needs, ...(each.needs ?? [])])] }))

/** Cases that only look at existing content. */
export const observing = listed(["RestApi", "ObservedShops"], [])

/** Cases that put content into the service and read it. */
export const driving = listed(["RestApi", "Driver"], ["driver"])

/** Cases that make the service deliver. */
export const receiving = listed(["RestApi", "Driver", "Receivers"], ["driver", "receiver"])

/** Cases that kill and restart the service. Nothing else may run meanwhile. */
export const restarting = (cases: ReadonlyArray<ListedCase>): ReadonlyArray<ServiceCase> =>
  listed(
    ["RestApi", "Driver", "Receivers", "Restart"],
    ["driver", "restart"],
  )(cases).map((each) => ({ ...each, alone: true }))

/** Cases in which unknown callers hold on to the service. Nothing else may run meanwhile, which could make room. */
export const withStrangers = (cases: ReadonlyArray<ListedCase>): ReadonlyArray<ServiceCase> =>
  listed(["Driver", "ShopPlatform"], ["driver", "platform"])(cases).map((each) => ({ ...each, alone: true }))
