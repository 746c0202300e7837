/** An application's own addresses over the `Request` and `Response` of the web. */
import type { Context, Scope } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { nothingHere } from "../../../core/api/Addresses.ts"
import type { Mountable } from "../../../core/api/Routes.ts"

/** What every mount builds on. None of its promises is rejected because of what a request says or does. */
export interface WebHandler {
  /** Answers a request; one that is for nothing here with 404. A request whose `signal` is aborted is interrupted. */
  readonly handler: (request: Request) => Promise<Response>
  /** The same, but `undefined` at once for a request that is for nothing here: its body was not touched. */
  readonly respond: (request: Request) => Promise<Response | undefined>
  /** Whether a request is for something here, by its URL or its path and query. */
  readonly answers: (request: { readonly url: string }) => boolean
}

/** Serves mountable parts, each at addresses of its own, with the services at hand. */
export const makeWebHandler = (parts: ReadonlyArray<Mountable>, services: Context.Context<never>): WebHandler => {
  const toHandle = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(services)
  const handlers = parts.map(({ answers, app }) => ({ answers, handle: toHandle(app) }))
  const handlerOf = (url: string) => handlers.find(({ answers }) => answers(url))?.handle
  const respond = async (request: Request) => handlerOf(request.url)?.(request)
  return {
    answers: ({ url }) => handlerOf(url) !== undefined,
    respond,
    handler: async (request) => (await respond(request)) ?? HttpServerResponse.toWeb(nothingHere),
  }
}
