import { Cause, Clock, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isRouteNotFound, matchedAsSent, routerConfig } from "../../core/api/Addresses.ts"
import { withoutSlash } from "../../core/api/Prefix.ts"
import { answersAt, type Mountable } from "../../core/api/Routes.ts"
import { defaultSchedule } from "../../core/rules/RetryPolicy.ts"
import { answered } from "./Answer.ts"
import { makeAssets } from "./Assets.ts"
import { errorPage, type Failed, failurePage } from "./Failure.tsx"
import type { AppOptions } from "./Options.ts"
import { deliveryRoutes } from "./pages/Delivery.tsx"
import { endpointRoutes } from "./pages/Endpoint.tsx"
import { endpointChangeRoutes } from "./pages/EndpointChanges.tsx"
import { eventRoutes } from "./pages/Events.tsx"
import { newEndpointRoutes } from "./pages/NewEndpoint.tsx"
import { overviewRoutes } from "./pages/Overview.tsx"
import { rotateSecretRoutes } from "./pages/RotateSecret.tsx"
import { makeSignIn } from "./pages/SignIn.tsx"
import { storeRoutes } from "./pages/Stores.tsx"
import { tokenRoutes } from "./pages/Tokens.tsx"
import { webhookRoutes } from "./pages/Webhooks.tsx"
import type { Ports, Route } from "./Routes.ts"
import { contentPolicy, securityHeaders } from "./SecurityHeaders.ts"
import { begin, dropNotice, formKey, holdsSession, isSecure, readNotice, type Session } from "./Session.ts"
import { type Site, Visit } from "./Visit.ts"
import { makeWayIn } from "./WayIn.ts"

type Routed = Effect.Effect<HttpServerResponse.HttpServerResponse, Failed, Visit | HttpServerRequest.HttpServerRequest>

/** Whether a path in the app is one of a route's. */
const fits = (route: Route, path: string): boolean =>
  new RegExp(`^${route.path.replaceAll(".", "\\.").replace(/:[^/]+/g, "[^/]+")}$`).test(path)

/**
 * The settings app over the storage ports at hand. It answers everything below its prefix. All its links are relative, so that it works behind proxies that
 * change paths.
 */
export const make = Effect.fnUntraced(function* (options: AppOptions) {
  const { access, api } = options
  const prefix = withoutSlash(options.prefix)
  const ports = yield* Effect.context<Ports>()
  const assets = yield* makeAssets(options)
  const headers = securityHeaders(options)
  const wayIn = yield* makeWayIn(access)
  const site: Site = {
    ...options,
    name: options.name ?? "Designwire",
    attempts: options.attempts ?? defaultSchedule.length + 1,
    standsAlone: "key" in access,
    version: assets.version,
    policy: contentPolicy(options),
  }
  const routes: ReadonlyArray<Route> = [
    ...("key" in access ? [...(yield* makeSignIn(access, wayIn)), ...storeRoutes(wayIn.keep)] : []),
    ...overviewRoutes,
    ...tokenRoutes,
    ...webhookRoutes,
    ...newEndpointRoutes,
    ...endpointRoutes,
    ...endpointChangeRoutes,
    ...rotateSecretRoutes,
    ...deliveryRoutes,
    ...eventRoutes,
  ]
  const router = yield* HttpRouter.make.pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  for (const route of routes) {
    // What an answer needs of its request is provided where the request comes in.
    yield* router.add(route.method, `${prefix}${route.path}`, answered(route)) as Effect.Effect<void>
  }
  const routed = router.asHttpEffect() as Routed

  const visitOf = Effect.fnUntraced(function* (path: string, session: Session) {
    const depth = path.split("/").length - 2
    const request = yield* HttpServerRequest.HttpServerRequest
    const origin = `http${(yield* isSecure) ? "s" : ""}://${request.headers["host"] ?? "localhost"}`
    const visit: Visit["Service"] = {
      site,
      session,
      root: depth < 1 ? "./" : "../".repeat(depth),
      formKey: yield* formKey(session),
      notice: request.method === "GET" ? Option.getOrUndefined(yield* readNotice(session)) : undefined,
      now: yield* Clock.currentTimeMillis,
      apiUrl: api.startsWith("/") ? origin + api : api,
    }
    return visit
  })

  /** What has no route, and what should not have happened. */
  const unanswered = Effect.fnUntraced(function* (path: string, cause: Cause.Cause<Failed>) {
    if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
    if (!isRouteNotFound(cause)) return yield* failurePage(cause)
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const allowed = routes.filter((route) => fits(route, path)).flatMap(methodsOf)
    if (allowed.length === 0 || allowed.some((name) => name === method)) {
      return yield* errorPage(404, "There is nothing here", "There is no page at this address.")
    }
    const page = yield* errorPage(405, "That can't be done here", "This page can't be asked for in that way.")
    return HttpServerResponse.setHeader(page, "allow", allowed.join(", "))
  })

  const pageAt = Effect.fnUntraced(function* (path: string) {
    const entered = yield* Effect.exit(wayIn.find)
    if (entered._tag === "Failure") {
      const visit = yield* visitOf(path, yield* begin({ actor: null, shop: null }))
      return yield* Effect.provideService(unanswered(path, entered.cause), Visit, visit)
    }
    const { isNew, session } = entered.value
    const visit = yield* visitOf(path, session)
    const response = yield* Effect.provideService(
      Effect.catchCause(routed, (cause) => unanswered(path, cause)),
      Visit,
      visit,
    )
    const kept = isNew && !holdsSession(response) ? yield* wayIn.keep(response, session) : response
    return visit.notice !== undefined && kept.status === 200 ? yield* dropNotice(kept) : kept
  })

  const app = HttpServerRequest.HttpServerRequest.use((request) => {
    const path = (request.url.split("?")[0] ?? "").slice(prefix.length)
    if (path === "" && prefix !== "") {
      const location = `${prefix.split("/").at(-1)}/`
      return Effect.succeed(HttpServerResponse.empty({ status: 307, headers: { location } }))
    }
    const asset = request.method === "GET" || request.method === "HEAD" ? assets.answers.get(path.slice(1)) : undefined
    return asset === undefined
      ? Effect.map(pageAt(path), HttpServerResponse.setHeader("cache-control", "no-store"))
      : asset
  })
  const mountable: Mountable = {
    answers: answersAt(options.prefix),
    app: matchedAsSent(
      Effect.map(app, (response) => HttpServerResponse.setHeaders(response, { ...headers, ...response.headers })),
    ).pipe(Effect.provideContext(ports)),
  }
  return mountable
})

const methodsOf = ({ method }: Route) => (method === "GET" ? (["GET", "HEAD"] as const) : (["POST"] as const))
