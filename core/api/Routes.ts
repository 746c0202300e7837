/** The REST API of §4 with every answer of its own, to be mounted in an application that serves HTTP. */
import { Context, Effect, Layer, type Scope, Tracer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, OpenApi } from "effect/http-api"
import { KnownTokens } from "../usecases/Authenticate.ts"
import { answerUnknown, area, isBelow, isRouteNotFound, matchedAsSent, routable, routerConfig } from "./Addresses.ts"
import { toResponse, versionHeaders } from "./Answer.ts"
import * as Authorization from "./Authorization.ts"
import { contractAt } from "./Contract.ts"
import { type DirectReads, type DirectServices, makeDirectReads } from "./DirectReads.ts"
import { layerDocument, layerPage } from "./Docs.ts"
import { restExamples } from "./Examples.ts"
import { withoutFailures } from "./Failures.ts"
import * as Handlers from "./Handlers.ts"
import { prefixProblem, publicUrlProblem, withoutSlash } from "./Prefix.ts"

type Path = `/${string}`

/** Where the REST API is mounted. */
export interface ApiOptions {
  /**
   * What its paths begin with when they arrive here, e.g. `/integrations/designs/v1`; `/` for an application that is nothing else.
   * Segments of letters, digits and `-._~`.
   */
  readonly prefix: Path
  /** Whether the OpenAPI document is at `openapi.json` below the prefix, and a page to read it at `docs`; so it is where it is left out. */
  readonly docs?: boolean
  /**
   * The address that clients know the prefix by, e.g. `https://api.example.com/designs`, where it is another: behind a proxy that
   * changes paths. The OpenAPI document names it. What a request says about its proxy is not trusted.
   */
  readonly publicUrl?: string
}

/** Something that answers requests at addresses of its own, whatever they are. */
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
  /** What `app` answers to requests that need no router, for a server that writes answers itself. */
  readonly direct: DirectReads
}

/** Whether a request is for what is mounted at a prefix, by its URL or its path and query. */
export const answersAt = (prefix: Path) => {
  const begin = withoutSlash(prefix)
  return (url: string): boolean => isBelow(begin, routable(url))
}

/**
 * The REST API over the storage ports at hand, until the scope closes. It answers everything below its prefix: unknown paths and
 * methods are told only to who may know (D11), paths are matched as they were sent (D15), and every answer carries `X-Api-Version`
 * (D19).
 */
export const make = Effect.fnUntraced(function* ({ docs = true, prefix: place, publicUrl }: ApiOptions) {
  const problem = prefixProblem(place) ?? (publicUrl === undefined ? undefined : publicUrlProblem(publicUrl))
  if (problem !== undefined) return yield* Effect.die(new Error(problem))
  const prefix = withoutSlash(place)
  const contract = contractAt(place)
  const documented = documentedAt(place, publicUrl)
  const document: Path = `${prefix}/openapi.json`
  const page: Path = `${prefix}/docs`
  const router = yield* HttpRouter.make.pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  const routes = Layer.mergeAll(
    HttpApiBuilder.layer(contract),
    docs
      ? Layer.merge(layerDocument(document, documented, restExamples), layerPage(page, documented, restExamples))
      : Layer.empty,
  ).pipe(
    Layer.provide(Handlers.layer(contract)),
    Layer.provide(Authorization.layer),
    Layer.provideMerge(KnownTokens.layer),
    Layer.provide(Layer.succeed(HttpRouter.HttpRouter, router)),
  )
  const built = yield* Layer.build(routes as WithPorts<typeof routes>)
  const services = Context.merge(yield* Effect.context<Exclude<DirectServices, KnownTokens>>(), built)
  const admit = Effect.provideContext(Authorization.admitRequest, services)
  const restApi = area(prefix, contract, docs ? [document, page] : [])
  const routed = withoutFailures(answerUnknown(restApi, admit)(router.asHttpEffect()))
  // Effect's router adds to the spans of requests: where somebody wants them, it gets all requests.
  const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer
  const direct = isTraced ? () => undefined : makeDirectReads(contract, services)
  const api: RestApi = {
    answers: answersAt(place),
    direct,
    app: matchedAsSent(
      HttpServerRequest.HttpServerRequest.use((request) => {
        const answer = direct(request)
        if (answer !== undefined) return Effect.interruptible(Effect.map(answer, toResponse))
        return isBelow(prefix, request.url) ? Effect.map(routed, HttpServerResponse.setHeaders(versionHeaders)) : routed
      }),
    ),
  }
  return api
})

/** What handlers need for each request they take from where they are built. */
type WithPorts<Routes> =
  Routes extends Layer.Layer<infer A, infer E, infer R>
    ? Layer.Layer<A, E, HttpRouter.Request.Only<"Requires", R> | HttpRouter.Request.Without<R>>
    : never

/** The contract as clients see it. */
const documentedAt = (prefix: Path, publicUrl: string | undefined) => {
  if (publicUrl === undefined) return contractAt(prefix)
  const { origin, pathname } = new URL(publicUrl)
  return contractAt(pathname as Path).annotate(OpenApi.Servers, [{ url: origin }])
}

/**
 * The REST API in an Effect application's own router, whatever that is configured to. It answers everything below its prefix and nothing
 * else; of what the application has below the prefix, its own routes come first.
 *
 * ```ts
 * const Api = layerApi({ prefix: "/integrations/designs/v1" })
 * HttpRouter.serve(Layer.mergeAll(MyApi, Api)).pipe(Layer.provide([layerCrypto, Postgres.layer({ url })]))
 * ```
 */
export const layerApi = (options: ApiOptions) => mountedAt(options.prefix, make(options))

/**
 * Mounts something in an Effect application's own router, whatever that is configured to. What the application has below the prefix comes first; middleware
 * that it provides to the layer goes around all of it.
 */
export const mountedAt = <E, R>(prefix: Path, mountable: Effect.Effect<Mountable, E, R>) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const { answers, app } = yield* Effect.updateContext(mountable, withoutMiddleware<R>)
      yield* router.add("*", prefix === "/" ? "*" : `${prefix}/*`, app)
      // The application's router finds no route at all for what it can't decode and for methods that it doesn't know.
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
