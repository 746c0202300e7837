import { type Context, Effect, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { nothingHere } from "../../../core/api/Addresses.ts"
import type { Mountable } from "../../../core/api/Routes.ts"
import type { WebHandler } from "./WebHandler.ts"

/** Some addresses and what answers requests there. */
export interface WebPart {
  /** By the URL of a request or its path and query. */
  readonly answers: (url: string) => boolean
  readonly handle: (request: Request) => Promise<Response>
}

/** Puts parts together; a request goes to the first that it is for. */
export const makeWebHandler = (parts: ReadonlyArray<WebPart>): WebHandler => {
  const partFor = (url: string) => parts.find(({ answers }) => answers(url))
  const respond = async (request: Request) => partFor(request.url)?.handle(request)
  return {
    answers: ({ url }) => partFor(url) !== undefined,
    respond,
    handler: async (request) => (await respond(request)) ?? HttpServerResponse.toWeb(nothingHere),
  }
}

/** Serves what Effect applications mount too, with the services at hand. Its promises are never rejected. */
export const webPart = ({ answers, app }: Mountable, services: Context.Context<never>): WebPart => ({
  answers,
  handle: HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(services)(
    Effect.interruptible(app),
  ),
})
