/** The REST API of §4, mounted in an application that serves HTTP. */
import { Context, Effect, Layer, type Scope } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { noteRequest } from "../model/log/RequestRecord.ts"
import { shopPart, splitAtShop } from "../model/webhooks/PublicAddress.ts"
import { KnownTokens } from "../usecases/access/Authenticate.ts"
import { toCountedResponse, toResponse, versionHeaders } from "./Answer.ts"
import type { AnswerBytes } from "./AnswerBytes.ts"
import { contractAt } from "./Contract.ts"
import { documentAnswer, pageAnswer } from "./Docs.ts"
import { unexpected } from "./ErrorAnswers.ts"
import { restExamples } from "./Examples.ts"
import { isRouteNotFound, routeNotFound } from "./MatchedAsSent.ts"
import { ProcessAnswers } from "./PagesUnderWay.ts"
import { isBelow, pathAndQueryOf, pathOf, routable } from "./Paths.ts"
import { addressesOf, prefixProblem, publicUrlProblem, withoutSlash } from "./Prefix.ts"
import { isRead, makeReads, type Reads } from "./Reads.ts"
import type { SharedAnswer } from "./SharedAnswer.ts"

type Path = `/${string}`

/** Options of the REST API. */
export interface ApiOptions {
  /**
   * The prefix of its paths as they arrive here, e.g. `/integrations/designs/v1`; `/` if it is the whole application.
   * It has segments of letters, digits and `-._~`.
   */
  readonly prefix: Path
  /**
   * Whether to serve the OpenAPI document at `openapi.json` below the prefix, and a page that shows it at `docs`.
   * Default: true.
   */
  readonly docs?: boolean
  /**
   * The address of the prefix for clients, e.g. `https://api.example.com/designs`, if a proxy changes paths. The
   * OpenAPI document names it. The headers in which a request describes its proxy are not trusted.
   *
   * It may have `{shop}` as a label of its host or a segment of its path: `https://{shop}.designs.example.com/api/v1`,
   * `https://designs.example.com/{shop}/api/v1`. Then each shop has an address of its own, to which tokens of other
   * shops are unknown. Requests arrive with that host at the prefix, or at that path. Those at the prefix that have
   * another host name no shop.
   */
  readonly publicUrl?: string
}

/** An application that answers all requests at its own addresses. */
export interface Mountable {
  /** Whether a request is for it, by its URL or its path and query. */
  readonly answers: (url: string) => boolean
  readonly app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
}

/** The REST API of a host. */
export interface RestApi extends Mountable {
  /** The bytes of answers, for a server that writes answers itself. */
  readonly bytes: AnswerBytes
  /** Answers requests that are for it, for a server that writes answers itself. */
  readonly reads: Reads
}

/**
 * Makes a test of whether a request is for an application at a prefix, by its URL or its path and query. The prefix
 * matches byte for byte: a percent-encoded letter in it is another address, as it is for guards in front. For
 * `publicUrl` see {@link ApiOptions}.
 */
export const answersAt = (prefix: Path, publicUrl?: string) => {
  const begin = withoutSlash(prefix)
  const { isOfShop } = addressesOf(begin, publicUrl)
  return (url: string): boolean => isBelow(begin, pathAndQueryOf(url)) || isOfShop(url)
}

/**
 * Makes the REST API over the current storage ports, until the scope closes. It answers every request below its prefix.
 */
export const makeRoutes = Effect.fnUntraced(function* ({ docs = true, prefix: place, publicUrl }: ApiOptions) {
  const problem = prefixProblem(place) ?? (publicUrl === undefined ? undefined : publicUrlProblem(publicUrl))
  if (problem !== undefined) return yield* Effect.die(new Error(problem))
  const prefix = withoutSlash(place)
  const documents = new Map<string, SharedAnswer>()
  if (docs) {
    const contract = documentedAt(place, publicUrl)
    documents.set(`${prefix}/openapi.json`, yield* documentAnswer(contract, restExamples))
    documents.set(`${prefix}/docs`, yield* pageAnswer(contract, restExamples))
  }
  const knownTokens = yield* Layer.build(KnownTokens.layer)
  const { name } = addressesOf(prefix, publicUrl)
  const reads = yield* Effect.provideContext(makeReads(prefix, [...documents.keys()], name), knownTokens)
  const { bytes } = yield* ProcessAnswers
  const api: RestApi = {
    bytes,
    answers: answersAt(place, publicUrl),
    reads,
    app: HttpServerRequest.HttpServerRequest.use((request) => {
      const document = isRead(request.method) ? documents.get(pathOf(routable(name(request).url, prefix))) : undefined
      return document === undefined
        ? Effect.flatMap(reads(request), (answer) => {
            const { caller, route } = answer
            const note = noteRequest({ route, shop: caller?.shop.id, tokenId: caller?.tokenId })
            return Effect.as(note, toCountedResponse(answer, bytes))
          })
        : document.pipe(
            Effect.catchCause((cause) => Effect.map(unexpected(cause), toResponse)),
            Effect.map(HttpServerResponse.setHeaders(versionHeaders)),
          )
    }).pipe(Effect.interruptible),
  }
  return api
})

/** The contract with the addresses that clients use. */
export const documentedAt = (prefix: Path, publicUrl: string | undefined) => {
  if (publicUrl === undefined) return contractAt(prefix)
  if (shopPart(publicUrl) === undefined) {
    const { origin, pathname } = new URL(publicUrl)
    return contractAt(pathname as Path).annotate(OpenApi.Servers, [{ url: origin }])
  }
  const { path, server } = splitAtShop(publicUrl)
  return contractAt((path || "/") as Path).annotate(OpenApi.Servers, [
    {
      url: server,
      description: "The address of a shop",
      variables: { shop: { default: "your-shop", description: "The shop's id" } },
    },
  ])
}

/**
 * The REST API in an Effect application's own router, with any configuration of that router. It answers every request
 * below its prefix, except for routes that the application itself has there.
 *
 * ```ts
 * const Api = layerApi({ prefix: "/integrations/designs/v1" })
 * HttpRouter.serve(Layer.mergeAll(MyApi, Api)).pipe(Layer.provide([layerCrypto, Postgres.layer({ url })]))
 * ```
 */
export const layerApi = (options: ApiOptions) => mountedAt(options.prefix, makeRoutes(options))

/**
 * Mounts an application in an Effect application's own router, with any configuration of that router. Routes that the
 * router has below the prefix come first. Middleware that is provided to the layer applies to every request.
 */
export const mountedAt = <E, R>(prefix: Path, mountable: Effect.Effect<Mountable, E, R>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { answers, app } = yield* Effect.updateContext(mountable, withoutMiddleware<R>)
      // The router decodes paths before it matches them.
      const asSent = HttpServerRequest.HttpServerRequest.use(({ url }) => (answers(url) ? app : routeNotFound))
      yield* router.add("*", prefix === "/" ? "*" : `${prefix}/*`, asSent)
      // The router finds no route for paths that it can't decode, and for methods that it doesn't know.
      yield* router.addGlobalMiddleware((routed) =>
        HttpServerRequest.HttpServerRequest.use(({ url }) =>
          answers(url)
            ? Effect.catchCause(routed, (cause) => (isRouteNotFound(cause) ? app : Effect.failCause(cause)))
            : routed,
        ),
      )
    }),
  )

/** The routes inside would apply the application's middleware a second time. */
const withoutMiddleware = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(
    new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("effect/http/HttpRouter/Middleware-"))),
  )
