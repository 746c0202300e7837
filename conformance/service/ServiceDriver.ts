/** What changes a service, for cases that need to know what is in it. The REST API itself only reads (§1). */

import type { Json } from "../../core/model/Json.ts"

/** A shop's settings; `pro` and a rounding step of 1 cent where they are left out (D8, F-38). */
export interface ShopSettings {
  readonly domain: string
  readonly currency: string
  readonly plan?: "free" | "pro" | "plus"
  /** Integer cents. */
  readonly roundingStep?: number
  /** What the URLs of images begin with (D7). */
  readonly imageBase: string
}

/** One attempt of a delivery, as the log has it (D32). */
export interface LoggedAttempt {
  /** `null` where no status line came. */
  readonly statusCode: number | null
  /** Whole milliseconds. */
  readonly durationMs: number
  /** The first 1,024 bytes of the response's body as text; `null` where no status line came. */
  readonly responseStart: string | null
}

/** A delivery, as the log has it. */
export interface LoggedDelivery {
  /** The value of `X-Service-Delivery`. */
  readonly id: string
  readonly eventId: string
  readonly status: "pending" | "succeeded" | "failed"
  /** Oldest first. */
  readonly attempts: ReadonlyArray<LoggedAttempt>
}

type Call<Given, Answer> = { readonly given: Given; readonly answer: Answer }

/** What a driver is told to do, by name, and what it answers. `shop` is a text that the case made up: 1 to 63 lower-case letters, digits and hyphens. */
export interface DriverCalls {
  /** Makes the shop or replaces its settings. */
  readonly putShop: Call<{ readonly shop: string; readonly input: ShopSettings }, unknown>
  /** Makes a customizer or replaces what describes it. */
  readonly putCustomizer: Call<
    {
      readonly shop: string
      readonly id: number
      readonly input: { readonly title: string; readonly platformProductId: string; readonly assetBase: string }
    },
    unknown
  >
  /** Publishes a definition as the customizer's next version; refused where it is inconsistent. */
  readonly publish: Call<{ readonly shop: string; readonly id: number; readonly definition: Json }, unknown>
  /** Saves a design as a draft; refused where it is frozen or its selection not allowed. `createdAt` is now where it is left out. */
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
  /** Tells of an order of the platform; refused as D6 says. */
  readonly putOrder: Call<
    {
      readonly shop: string
      readonly id: string
      readonly input: {
        readonly name: string
        readonly orderedAt: string
        readonly lines: ReadonlyArray<{ readonly designId: string; readonly lineItemId: string }>
      }
    },
    unknown
  >
  /** Tells that the platform cancelled an order. */
  readonly cancelOrder: Call<{ readonly shop: string; readonly id: string }, unknown>
  /** Makes a token. */
  readonly createToken: Call<{ readonly shop: string }, { readonly id: string; readonly token: string }>
  /** Revokes a token. */
  readonly revokeToken: Call<{ readonly shop: string; readonly id: string }, unknown>
  /** Adds a webhook endpoint; refused where its host is not public or the shop has 5. */
  readonly addEndpoint: Call<
    { readonly shop: string; readonly input: { readonly url: string; readonly events?: ReadonlyArray<string> } },
    { readonly id: string; readonly secret: string }
  >
  /** Turns on an endpoint that was switched off; answers how many events it missed. */
  readonly enable: Call<{ readonly shop: string; readonly endpoint: string }, { readonly missed: number }>
  /** Sends a test event to an endpoint. */
  readonly test: Call<{ readonly shop: string; readonly endpoint: string }, unknown>
  /** The endpoint's log, newest first. */
  readonly deliveries: Call<{ readonly shop: string; readonly endpoint: string }, ReadonlyArray<LoggedDelivery>>
  /** Sends a delivery of the log again; answers the new delivery's id. */
  readonly redeliver: Call<
    { readonly shop: string; readonly endpoint: string; readonly delivery: string },
    { readonly id: string }
  >
  /** Makes deliveries for the events since then that the endpoint should have received and did not; answers how many. */
  readonly recover: Call<
    { readonly shop: string; readonly endpoint: string; readonly since: string },
    { readonly deliveries: number }
  >
  /**
   * Makes a new signing secret and answers it. The old one signs until `promote`, or until `overlap` seconds have passed: a day where it is left out, and at
   * once for 0; refused above 7 days.
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
  /** Drops all events of the shop that no delivery holds, as if the time for which they are kept had passed. */
  readonly dropEvents: Call<{ readonly shop: string }, unknown>
}

/** Every call. */
export const driverCalls = [
  ...["putShop", "putCustomizer", "publish", "putDesign", "putOrder", "cancelOrder", "createToken", "revokeToken"],
  ...["addEndpoint", "enable", "test", "deliveries", "redeliver", "recover"],
  ...["rotate", "promote", "standardWebhooks", "dropEvents"],
] as ReadonlyArray<keyof DriverCalls>

/**
 * Changes the service under test. A call that the service refuses rejects with {@link CallRefused}; one that it can't do is left out, or rejects with
 * {@link CallUnsupported}: cases that need it are left out then and say so.
 */
export type ServiceDriver = {
  readonly [C in keyof DriverCalls]?: (given: DriverCalls[C]["given"]) => Promise<DriverCalls[C]["answer"]>
}

/** The service refuses what it was told, and has changed nothing. */
export class CallRefused extends Error {
  /** The HTTP status that stands for the refusal, where there is one: the cases compare it with the one that the requirement names. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.name = "CallRefused"
    this.status = status
  }
}

/** The service has no such thing, or the driver no way to it. */
export class CallUnsupported extends Error {
  constructor(message: string) {
    super(message)
    this.name = "CallUnsupported"
  }
}
