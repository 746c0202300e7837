import type { IncomingHttpHeaders } from "node:http"
import type { ServiceDriver } from "../../../suites/service/ServiceDriver.ts"

/** An answer of the REST API on its way through the proxy. Headers by lower-case name. */
export interface PassedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Written behind the body whatever HTTP says. */
  readonly behind?: string
}

/** A request to the REST API that the proxy has passed on. */
export interface PassedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A delivery on its way through the proxy. */
export interface PassedDelivery {
  /** The receiver. */
  readonly target: string
  /** By name, as it is written. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a receiver has answered. */
export interface ReceiverAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Asks the service, with another path or with other headers; undefined removes one. */
export type Pass = (change?: {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}) => Promise<PassedAnswer>

/** What the cases have made, as far as a fault has to know. */
export interface World {
  /** The shops of tokens, and their ids. */
  readonly tokens: Map<string, { readonly shop: string; readonly id: string }>
  /** The signing secrets of receivers. */
  readonly secrets: Map<string, string>
}

/** The calls of a driver that every service of ours has. */
export type WholeDriver = Omit<Required<ServiceDriver>, "dropEvents">

/** What a proxy before a running service changes. */
export interface ServiceFault {
  readonly title: string
  /** The id of the case that must fail. */
  readonly caughtBy: string
  /** Changes a request to the REST API: its path and query. */
  readonly asks?: (path: string) => string
  /** Changes an answer of the REST API. */
  readonly answers?: (answer: PassedAnswer, asked: PassedRequest) => PassedAnswer
  /** Answers a request to the REST API itself. */
  readonly handles?: (asked: PassedRequest, pass: Pass, world: World) => Promise<PassedAnswer>
  /** Carries out calls of the driver in another way. */
  readonly drives?: (driver: WholeDriver, world: World) => Partial<WholeDriver>
  /** Sends a delivery in another way; resolves with the answer that the service gets. */
  readonly sends?: (
    delivery: PassedDelivery,
    send: (change?: Partial<PassedDelivery>) => Promise<ReceiverAnswer>,
    world: World,
  ) => Promise<ReceiverAnswer>
}
