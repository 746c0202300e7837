/** Which addresses a part of a host has, and what it answers at the others (D11, D15). */
import { Cause, Effect } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { errorResponse } from "./Errors.ts"

/** How paths are told apart: to the letter, with ids of up to 255 characters, percent-encoded. */
export const routerConfig = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 4096,
}

/** Part of a host: a contract and the prefix that all of its addresses have. */
export interface Area {
  /** Without a slash at its end, e.g. `/api/v1`; empty for every address. */
  readonly prefix: string
  /** The methods that a path answers, HEAD with every GET; none where there is nothing at this path. */
  readonly methodsAt: (path: string) => ReadonlyArray<string>
}

/** The area that a contract describes, with documents that are read at paths in it. */
export const area = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  prefix: string,
  api: HttpApi.HttpApi<Id, Groups>,
  documents: ReadonlyArray<string> = [],
): Area => {
  const addresses: Array<{ readonly method: string; readonly pattern: RegExp }> = []
  const add = (method: string, path: string) => {
    const pattern = path.replaceAll(".", "\\.").replace(/:[^/]+/g, "[^/]+")
    addresses.push({ method, pattern: new RegExp(`^${pattern}$`) })
  }
  HttpApi.reflect(api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { method, path } }) => add(method, path),
  })
  for (const path of documents) add("GET", path)
  return {
    prefix,
    methodsAt: (path) => {
      const methods = addresses.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
      return methods.includes("GET") ? ["GET", "HEAD", ...methods.filter((method) => method !== "GET")] : methods
    },
  }
}

/** Whether a path, with or without a query, is a prefix or begins with its segments. */
export const isBelow = (prefix: string, url: string): boolean =>
  url.startsWith(prefix) && (url.length === prefix.length || "/?".includes(url[prefix.length] as string))

const pathOf = (url: string): string => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

/** Empty segments are no part of any address, though the router would take one for an empty id. */
const hasEmptySegment = (path: string): boolean => path.includes("//") || path.endsWith("/")

/**
 * Answers an area's requests that have no route: 405 with `Allow` where the path has other methods, else 404. Neither is told to
 * those whom `admit` refuses with an answer of its own.
 */
export const answerUnknown = <R2>(
  area: Area,
  admit: Effect.Effect<unknown, HttpServerResponse.HttpServerResponse, R2>,
) => {
  const unknown = HttpServerRequest.HttpServerRequest.use(({ method, url }) =>
    Effect.match(admit, {
      onFailure: (refusal) => refusal,
      onSuccess: () => {
        const path = pathOf(url)
        const allowed = hasEmptySegment(path) ? [] : area.methodsAt(path)
        return allowed.length === 0 || allowed.includes(method) ? nothingHere : notAllowed(allowed)
      },
    }),
  )
  return <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | R2 | HttpServerRequest.HttpServerRequest> => {
    const routed = Effect.catchCause(app, (cause) => (isRouteNotFound(cause) ? unknown : Effect.failCause(cause)))
    return HttpServerRequest.HttpServerRequest.use(({ url }) => {
      if (!isBelow(area.prefix, url)) return app
      return hasEmptySegment(pathOf(url)) ? unknown : routed
    })
  }
}

/** There is no such address. */
export const nothingHere = errorResponse(404, "There is nothing at this address")

const notAllowed = (allowed: ReadonlyArray<string>) => {
  const others = allowed.slice(0, -1).join(", ")
  const names = others === "" ? `${allowed.at(-1)} is` : `${others} and ${allowed.at(-1)} are`
  return errorResponse(405, `Only ${names} allowed here`, { allow: allowed.join(", ") })
}

/** Whether the router had nothing for a request. */
export const isRouteNotFound = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some(
    (reason) =>
      Cause.isFailReason(reason) &&
      reason.error instanceof HttpServerError.HttpServerError &&
      reason.error.reason._tag === "RouteNotFound",
  )

/**
 * Lets an application match paths as they were sent (D15). The router takes `;` and `#` for the beginning of a query: here they are
 * part of their segment. Letters, digits and `-._~` mean the same percent-encoded or not (RFC 3986 §6.2.2.2).
 */
export const matchedAsSent = <A, E, R>(
  app: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
  HttpServerRequest.HttpServerRequest.use((request) => {
    const url = routable(request.url)
    return url === request.url
      ? app
      : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })

const unreserved = /%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi
const malformed = /%(?![0-9A-F]{2})/i

/** The path and query of a request, as a router can match them. */
export const routable = (target: string): string => {
  // A client may send the whole address (RFC 9112 §3.2.2), and a `Request` of the web has it.
  const url = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "")
  const path = pathOf(url)
  if (!/[;#%]/.test(path)) return url
  const segments = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  // Decoding a part of what is malformed could make it well-formed.
  const plain = malformed.test(segments) ? segments : segments.replace(unreserved, decodeURIComponent)
  return plain + url.slice(path.length)
}
