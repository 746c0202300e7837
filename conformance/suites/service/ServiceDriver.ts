/** Changes a service, for cases that need known content. The REST API itself only reads (§1). */

import { Data } from "effect"
import type { CustomizerInput } from "../../../core/model/catalog/Customizer.ts"
import type { Json } from "../../../core/model/json/Json.ts"
import type { OrderInput } from "../../../core/model/orders/Order.ts"
import type { ShopInput } from "../../../core/model/shops/Shop.ts"
import type { OptionInput } from "../../../core/model/webhooks/EndpointOptions.ts"

/** One attempt of a delivery in the log (D32). */
export interface LoggedAttempt {
  /** `null` without a status line. */
  readonly statusCode: number | null
  /** Whole milliseconds. */
  readonly durationMs: number
  /** The first 1,024 bytes of the response's body as text; `null` without a status line. */
  readonly responseStart: string | null
}

/** A delivery in the log. */
export interface LoggedDelivery {
  /** The value of `X-Service-Delivery`. */
  readonly id: string
  readonly eventId: string
  readonly status: "pending" | "succeeded" | "failed" | "dropped"
  /** Oldest first. */
  readonly attempts: ReadonlyArray<LoggedAttempt>
}

type Call<Given, Answer> = { readonly given: Given; readonly answer: Answer }

/**
 * The calls of a driver by name, with their results. `shop` is chosen by the case: 1 to 63 lower-case letters, digits
 * and hyphens.
 */
export interface DriverCalls {
  /** Creates the shop or replaces its fields. Defaults: plan `pro` and a rounding step of 1 cent (D8, F-38). */
  readonly putShop: Call<{ readonly shop: string; readonly input: ShopInput }, unknown>
  /** Creates a customizer or replaces its description. */
  readonly putCustomizer: Call<{ readonly shop: string; readonly id: number; readonly input: CustomizerInput }, unknown>
  /** Publishes a definition as the customizer's next version; refused if it is inconsistent. */
  readonly publish: Call<{ readonly shop: string; readonly id: number; readonly definition: Json }, unknown>
  /** Saves a design as a draft; refused if it is frozen or its selection is invalid. Default of `createdAt`: now. */
  readonly putDesign: Call<
    {
      readonly shop: string
      readonly id: string
      readonly input: {
        readonly customizerId: number
        readonly selection: Json
        readonly basePrice: number
        readonly createdAt?: string
      }
    },
    unknown
  >
  /** Reports an order of the platform; refused according to D6. */
  readonly putOrder: Call<{ readonly shop: string; readonly id: string; readonly input: OrderInput }, unknown>
  /** Reports that the platform cancelled an order. */
  readonly cancelOrder: Call<{ readonly shop: string; readonly id: string }, unknown>
  /** Creates a token. */
  readonly createToken: Call<{ readonly shop: string }, { readonly id: string; readonly token: string }>
  /** Creates a token with an end and scopes, or without what is left out; refused if D77 does not allow them. */
  readonly createLimitedToken: Call<
    { readonly shop: string; readonly expiresAt?: string; readonly scopes?: ReadonlyArray<string> },
    { readonly id: string; readonly token: string }
  >
  /** Revokes a token. */
  readonly deleteToken: Call<{ readonly shop: string; readonly id: string }, unknown>
  /** Adds a webhook endpoint; refused if its host is not public or the shop has 5. */
  readonly createEndpoint: Call<
    { readonly shop: string; readonly input: { readonly url: string; readonly events?: ReadonlyArray<string> } },
    { readonly id: string; readonly secret: string }
  >
  /** Pauses an endpoint. */
  readonly pause: Call<{ readonly shop: string; readonly endpoint: string }, unknown>
  /** Enables an endpoint that is paused or switched off; returns the number of events it missed. */
  readonly enable: Call<{ readonly shop: string; readonly endpoint: string }, { readonly missed: number }>
  /** Sends a test event to an endpoint. */
  readonly test: Call<{ readonly shop: string; readonly endpoint: string }, unknown>
  /** The endpoint's log, newest first. */
  readonly deliveries: Call<{ readonly shop: string; readonly endpoint: string }, ReadonlyArray<LoggedDelivery>>
  /** Redelivers a delivery of the log; returns the new delivery's id. */
  readonly redeliver: Call<
    { readonly shop: string; readonly endpoint: string; readonly delivery: string },
    { readonly id: string }
  >
  /** Creates deliveries of the events since then that the endpoint has missed; returns their number. */
  readonly recover: Call<
    { readonly shop: string; readonly endpoint: string; readonly since: string },
    { readonly deliveries: number }
  >
  /**
   * Creates a new signing secret and returns it. The old one signs until `promote`, or until `overlap` seconds have
   * passed. Default: a day; 0 replaces it at once; refused above 7 days.
   */
  readonly rotate: Call<
    { readonly shop: string; readonly endpoint: string; readonly overlap?: number },
    { readonly secret: string }
  >
  /** Lets the new signing secret sign from now on, and drops the old one. */
  readonly promote: Call<{ readonly shop: string; readonly endpoint: string }, unknown>
  /** Turns the headers of Standard Webhooks on or off for an endpoint. */
  readonly standardWebhooks: Call<
    { readonly shop: string; readonly endpoint: string; readonly enabled: boolean },
    unknown
  >
  /** Changes how an endpoint wants its deliveries; what is left out stays as it is. */
  readonly endpointOptions: Call<
    { readonly shop: string; readonly endpoint: string; readonly options: OptionInput },
    unknown
  >
  /** Drops all events of the shop that no delivery holds, as if their retention had ended. */
  readonly dropEvents: Call<{ readonly shop: string }, unknown>
}

/** Names of all calls. */
export const driverCalls = [
  ...["putShop", "putCustomizer", "publish", "putDesign", "putOrder", "cancelOrder", "createToken", "deleteToken"],
  ...["createEndpoint", "pause", "enable", "test", "deliveries", "redeliver", "recover"],
  ...["rotate", "promote", "standardWebhooks", "endpointOptions", "createLimitedToken", "dropEvents"],
] as ReadonlyArray<keyof DriverCalls>

/**
 * Changes the service under test. A call that the service refuses rejects with {@link CallRefused}. An unsupported call
 * is omitted or rejects with {@link CallUnsupported}, and cases that need it are skipped with that reason.
 */
export type ServiceDriver = {
  readonly [C in keyof DriverCalls]?: (given: DriverCalls[C]["given"]) => Promise<DriverCalls[C]["answer"]>
}

/** The service refuses a call and has changed nothing. */
export class CallRefused extends Error {
  /** The HTTP status of the refusal, if any: cases compare it with the one that the requirement names. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.name = "CallRefused"
    this.status = status
  }
}

/** The service lacks the feature, or the driver can't reach it. */
export class CallUnsupported extends Error {
  constructor(message: string) {
    super(message)
    this.name = "CallUnsupported"
  }
}

/** The service refused a call of the driver. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly message: string
  readonly status: number | undefined
}> {}

/** The driver failed without saying that the call is unsupported. */
export class DriverFailed extends Data.TaggedError("DriverFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}
