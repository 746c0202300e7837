import { Cause, Clock, Effect } from "effect"
import { type Headers, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { isRouteNotFound, noteRoute, routerConfig } from "../../core/api/MatchedAsSent.ts"
import { pathPattern } from "../../core/api/Paths.ts"
import type { withoutSlash } from "../../core/api/Prefix.ts"
import { inTime } from "../../core/api/Unavailable.ts"
import { addressOf } from "../../core/model/webhooks/PublicAddress.ts"
import { type makeAccess, nobody, type Visitor } from "./Access.ts"
import { errorPage, type Failed, failurePage } from "./Failure.tsx"
import { dropFlash, type Flash, takeFlash, waitingFlash } from "./Flash.ts"
import { formKeyOf } from "./FormKey.ts"
import { guarded } from "./Guard.ts"
import { type PagePath, pagePathOf } from "./PagePath.ts"
import { firstPageRoutes, toOnlyStore } from "./pages/FirstPage.ts"
import { figuresOf } from "./parts/Figures.ts"
import type { Route } from "./Routes.ts"
import { isSecure } from "./SealedCookie.ts"
import { localeOf } from "./texts/Language.ts"
import { type Site, Visit } from "./Visit.ts"

type Routed = Effect.Effect<HttpServerResponse.HttpServerResponse, Failed, Visit | HttpServerRequest.HttpServerRequest>

/** A path with more segments leads to no page. No page answers it: its links would be as long as the path. */
const deepest = 10

const isAt = (path: string, route: Route): boolean => pathPattern(route.path).test(path)

const methodsOf = ({ method }: Route) => (method === "GET" ? (["GET", "HEAD"] as const) : (["POST"] as const))

/** A route of a store's page, below the store's id. */
const inStore = (route: Route): Route => ({ ...route, path: `/:shop${route.path}` })

const makeRouted = Effect.fnUntraced(function* (prefix: ReturnType<typeof withoutSlash>, routes: ReadonlyArray<Route>) {
  const router = yield* HttpRouter.make.pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  for (const route of routes) {
    // The services that a handler needs from its request are provided by `makePages`.
    yield* router.add(route.method, `${prefix}${route.path}`, noteRoute(guarded(route))) as Effect.Effect<void>
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

/**
 * Whether the answer to a request is shown as a page. A page that brings itself up to date while the next one is on its
 * way has the cookie of the next one's message already: it would take a token that nobody sees.
 */
const isShown = (headers: Headers.Headers): boolean => (headers["sec-fetch-mode"] ?? "navigate") === "navigate"

/** Answers the current request with a page, by its path in the app. */
export const makePages = Effect.fnUntraced(function* ({
  access,
  api,
  appRoutes,
  prefix,
  site,
  storeRoutes,
}: {
  readonly access: Effect.Success<ReturnType<typeof makeAccess>>
  readonly api: string
  readonly prefix: ReturnType<typeof withoutSlash>
  /** The pages of no store. */
  readonly appRoutes: ReadonlyArray<Route>
  readonly storeRoutes: ReadonlyArray<Route>
  readonly site: Site
}) {
  const pagesOfStores = storeRoutes.filter(({ method, path }) => method === "GET" && path !== "/")
  /** Whether a path was one of a store's pages before paths had the store. */
  const isFormerPage = (path: string) => pagesOfStores.some((route) => isAt(path, route))
  const routes = [...appRoutes, ...firstPageRoutes(isFormerPage), ...storeRoutes.map(inStore)]
  const forEveryone = routes.filter((route) => route.for === "everyone")
  const routed = yield* makeRouted(prefix, routes)
  const services =
    yield* Effect.context<
      Exclude<Effect.Services<ReturnType<typeof access.find>>, HttpServerRequest.HttpServerRequest>
    >()

  /** Looks again whether a request is one of the same person, for the same store. */
  const isStill = (shopId: string | null, { actor, shop }: Visitor) =>
    Effect.match(Effect.sandbox(access.find(shopId, false)), {
      onFailure: () => false,
      onSuccess: (found) => found.actor === actor && found.shop === shop,
    }).pipe(Effect.provideContext(services))

  const visitOf = Effect.fnUntraced(function* (place: PagePath, visitor: Visitor, flash?: Flash) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const origin = `http${(yield* isSecure) ? "s" : ""}://${request.headers["host"] ?? "localhost"}`
    const now = yield* Clock.currentTimeMillis
    const { shopId } = place
    const visit: Visit["Service"] = {
      ...place,
      site,
      texts: site.language.texts,
      figures: figuresOf(localeOf(site.language)),
      visitor,
      isStillAllowed: Effect.provideService(isStill(shopId, visitor), HttpServerRequest.HttpServerRequest, request),
      path: request.url.slice(prefix.length),
      formKey: yield* formKeyOf({ actor: visitor.actor, shop: shopId }, now),
      flash,
      now,
      apiUrl: api.startsWith("/") ? origin + api : shopId === null ? api : addressOf(api, shopId),
    }
    return visit
  })

  const pageFor = Effect.fnUntraced(function* (path: string, visit: Visit["Service"]) {
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const elsewhere = Effect.fnUntraced(function* (cause: Cause.Cause<Failed>) {
      if (isRouteNotFound(cause) && (method === "GET" || method === "HEAD") && isFormerPage(path)) {
        return yield* Effect.catchCause(toOnlyStore(visit.path.slice(1)), failurePage)
      }
      return yield* withoutPage(routes, path, cause)
    })
    return yield* Effect.catchCause(inTime(routed), elsewhere)
  })

  return Effect.fnUntraced(function* (path: string) {
    if (path.split("/").length - 1 > deepest) return tooDeep
    const { headers, method } = yield* HttpServerRequest.HttpServerRequest
    const place = pagePathOf(path)
    const { shopId } = place
    const isForEveryone = forEveryone.some((route) => isAt(path, route))
    const found = yield* Effect.exit(
      Effect.gen(function* () {
        const visitor = yield* inTime(access.find(shopId, isForEveryone))
        const waiting = method === "GET" && isShown(headers) ? yield* waitingFlash({ shopId, visitor }) : undefined
        return { waiting, visit: yield* visitOf(place, visitor, waiting?.flash) }
      }),
    )
    if (found._tag === "Failure") {
      const visit = yield* visitOf(place, nobody)
      return yield* Effect.provideService(withoutPage(routes, path, found.cause), Visit, visit)
    }
    const { visit, waiting } = found.value
    const answer = (visit: Visit["Service"]) => Effect.provideService(pageFor(path, visit), Visit, visit)
    const response = yield* answer(visit)
    if (waiting === undefined || response.status >= 500) return response
    // Once the page is there: a token that it shows would be lost if the rest of the page failed.
    const taken = yield* Effect.exit(inTime(takeFlash(waiting, visit)))
    const without = { ...visit, flash: undefined }
    if (taken._tag === "Failure") {
      return yield* Effect.provideService(withoutPage(routes, path, taken.cause), Visit, without)
    }
    return yield* dropFlash(taken.value ? response : yield* answer(without), visit)
  })
})
