import { type Context, Effect, type Scope } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { toResponse } from "../../../core/api/Answer.ts"
import { nothingHere } from "../../../core/api/ErrorAnswers.ts"
import type { Mountable } from "../../../core/api/Routes.ts"
import { InvalidInput } from "../DesignwireError.ts"
import { withReadBody } from "./ReadBefore.ts"
import type { WebHandler } from "./WebHandler.ts"

/** Some addresses and their handler. */
export interface WebPart {
  /** By the URL of a request or its path and query. */
  readonly answers: (url: string) => boolean
  /** `context` has only the services of this request. */
  readonly handle: (request: Request, context?: Context.Context<never>) => Promise<Response>
}

/** Whether it is a web `Request`, of any library: the headers of Node's request have no methods. */
const isRequest = (request: Partial<Request> | undefined): boolean =>
  typeof request?.url === "string" && typeof request.headers?.get === "function"

const noRequest =
  "The request must be a Request, as fetch takes it; " +
  "a framework's own is answered by its mount, such as toNodeHandler(designwire)"

/** Combines parts; a request goes to the first that answers its address. */
export const makeWebHandler = (parts: ReadonlyArray<WebPart>) => {
  const partFor = (url: string) => parts.find(({ answers }) => answers(url))
  const respond = async (request: Request, context?: Context.Context<never>) => {
    if (!isRequest(request)) throw new InvalidInput(noRequest, [{ path: "request", message: noRequest }])
    return partFor(request.url)?.handle(request.bodyUsed ? withReadBody(request) : request, context)
  }
  return {
    answers: ({ url }: { readonly url: string }): boolean => partFor(url) !== undefined,
    respond,
    handler: async (request: Request, context?: Context.Context<never>): Promise<Response> =>
      (await respond(request, context)) ?? HttpServerResponse.toWeb(toResponse(nothingHere)),
  } satisfies WebHandler
}

/** A part from what Effect applications mount, over the given services. Its promises never reject. */
export const webPart = ({ answers, app }: Mountable, services: Context.Context<never>): WebPart => ({
  answers,
  handle: HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(services)(
    Effect.interruptible(app),
  ),
})
