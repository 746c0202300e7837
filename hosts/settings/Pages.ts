import { Cause, Clock, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { inTime } from "../../core/api/InTime.ts"
import { isRouteNotFound, routerConfig } from "../../core/api/MatchedAsSent.ts"
import { pathPattern } from "../../core/api/Paths.ts"
import type { withoutSlash } from "../../core/api/Prefix.ts"
import type { makeAccess } from "./Access.ts"
import { errorPage, type Failed, failurePage } from "./Failure.tsx"
import { dropFlash, makeTakeFlash } from "./Flash.ts"
import { guarded } from "./Guard.ts"
import type { Route } from "./Routes.ts"
import { isSecure } from "./SealedCookie.ts"
import { beginSession, formKey, hasSession, type Session } from "./Session.ts"
import { type Site, Visit } from "./Visit.ts"

type Routed = Effect.Effect<HttpServerResponse.HttpServerResponse, Failed, Visit | HttpServerRequest.HttpServerRequest>

/** A path with more segments leads to no page. No page answers it: its links would be as long as the path. */
const deepest = 10

const isAt = (path: string, route: Route): boolean => pathPattern(route.path).test(path)

const methodsOf = ({ method }: Route) => (method === "GET" ? (["GET", "HEAD"] as const) : (["POST"] as const))

const makeRouted = Effect.fnUntraced(function* (prefix: ReturnType<typeof withoutSlash>, routes: ReadonlyArray<Route>) {
  const router = yield* HttpRouter.make.pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  for (const route of routes) {
    // The services that a handler needs from its request are provided by `makePages`.
    yield* router.add(route.method, `${prefix}${route.path}`, guarded(route)) as Effect.Effect<void>
  }
  return router.asHttpEffect() as Routed
})

const tooDeep = HttpServerResponse.text("There is no page at this address.", { status: 404 })

/** The response to a request that has no route, or that failed. */
const withoutPage = Effect.fnUntraced(function* (
  routes: ReadonlyArray<Route>,
  path: string,
  cause: Cause.Cause<Failed>,
) {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.interrupt
  if (!isRouteNotFound(cause)) return yield* failurePage(cause)
  const { method } = yield* HttpServerRequest.HttpServerRequest
  const { failures } = (yield* Visit).texts
  const allowed = routes.filter((route) => isAt(path, route)).flatMap(methodsOf)
  if (allowed.length === 0 || allowed.some((name) => name === method)) {
    return yield* errorPage(404, failures.titles.notFound, failures.noPage)
  }
  const page = yield* errorPage(405, failures.wrongMethod, failures.wrongMethodText)
  return HttpServerResponse.setHeader(page, "allow", allowed.join(", "))
})

/** Answers the current request with a page, by its path in the app. */
export const makePages = Effect.fnUntraced(function* ({
  access,
  api,
  prefix,
  routes,
  site,
}: {
  readonly access: Effect.Success<ReturnType<typeof makeAccess>>
  readonly api: string
  readonly prefix: ReturnType<typeof withoutSlash>
  readonly routes: ReadonlyArray<Route>
  readonly site: Site
}) {
  const routed = yield* makeRouted(prefix, routes)
  const takeFlash = makeTakeFlash()

  const visitOf = Effect.fnUntraced(function* (path: string, session: Session) {
    const depth = path.split("/").length - 2
    const request = yield* HttpServerRequest.HttpServerRequest
    const origin = `http${(yield* isSecure) ? "s" : ""}://${request.headers["host"] ?? "localhost"}`
    const visit: Visit["Service"] = {
      site,
      texts: site.language.texts,
      session,
      root: depth < 1 ? "./" : "../".repeat(depth),
      formKey: yield* formKey(session),
      flash: request.method === "GET" ? yield* takeFlash(session) : undefined,
      now: yield* Clock.currentTimeMillis,
      apiUrl: api.startsWith("/") ? origin + api : api,
    }
    return visit
  })

  return Effect.fnUntraced(function* (path: string) {
    if (path.split("/").length - 1 > deepest) return tooDeep
    const found = yield* Effect.exit(access.find)
    if (found._tag === "Failure") {
      const visit = yield* visitOf(path, yield* beginSession({ actor: null, shop: null }))
      return yield* Effect.provideService(withoutPage(routes, path, found.cause), Visit, visit)
    }
    const { isNew, session } = found.value
    const visit = yield* visitOf(path, session)
    const response = yield* Effect.provideService(
      Effect.catchCause(inTime(routed), (cause) => withoutPage(routes, path, cause)),
      Visit,
      visit,
    )
    const kept = isNew && !hasSession(response) ? yield* access.keep(response, session) : response
    return visit.flash === undefined ? kept : yield* dropFlash(kept)
  })
})
