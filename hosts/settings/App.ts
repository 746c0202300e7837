import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { matchedAsSent } from "../../core/api/MatchedAsSent.ts"
import { withoutSlash } from "../../core/api/Prefix.ts"
import { answersAt, type Mountable } from "../../core/api/Routes.ts"
import { noteRequest } from "../../core/model/log/RequestRecord.ts"
import { defaultSchedule } from "../../core/rules/webhooks/RetryPolicy.ts"
import { makeAccess } from "./Access.ts"
import { makeAssets } from "./Assets.ts"
import { makeWatchers } from "./live/Watchers.ts"
import type { AppOptions } from "./Options.ts"
import { makePages } from "./Pages.ts"
import { auditRoutes } from "./pages/Audit.tsx"
import { customizerRoutes } from "./pages/catalog/Customizer.tsx"
import { customizerListRoutes } from "./pages/catalog/Customizers.tsx"
import { designRoutes } from "./pages/catalog/Design.tsx"
import { draftRoutes } from "./pages/catalog/Drafts.tsx"
import { evaluateRoutes } from "./pages/catalog/Evaluate.tsx"
import { orderRoutes } from "./pages/catalog/Order.tsx"
import { orderListRoutes } from "./pages/catalog/Orders.tsx"
import { pictureRoutes } from "./pages/catalog/Pictures.ts"
import { productionRoutes } from "./pages/catalog/Production.tsx"
import { publishRoutes } from "./pages/catalog/Publish.tsx"
import { ticketRoutes } from "./pages/catalog/Ticket.tsx"
import { allDeliveriesRoutes } from "./pages/Deliveries.tsx"
import { deliveryRoutes } from "./pages/Delivery.tsx"
import { endpointRoutes } from "./pages/Endpoint.tsx"
import { endpointActionRoutes } from "./pages/EndpointActions.tsx"
import { eventRoutes } from "./pages/Events.tsx"
import { findRoutes } from "./pages/Find.tsx"
import { inboxRoutes } from "./pages/Inbox.tsx"
import { inboxEventRoutes } from "./pages/InboxEvent.tsx"
import { linkRoutes } from "./pages/Link.tsx"
import { liveRoutes } from "./pages/Live.ts"
import { newEndpointRoutes } from "./pages/NewEndpoint.tsx"
import { overviewRoutes } from "./pages/Overview.tsx"
import { platformRoutes } from "./pages/Platforms.tsx"
import { recoverRoutes } from "./pages/Recover.tsx"
import { resendRoutes } from "./pages/Resend.tsx"
import { rotateSecretRoutes } from "./pages/RotateSecret.tsx"
import { makeSignIn } from "./pages/SignIn.tsx"
import { signOutRoutes } from "./pages/SignOut.tsx"
import { storeRoutes } from "./pages/Stores.tsx"
import { tokenRoutes } from "./pages/Tokens.tsx"
import { tryNowRoutes } from "./pages/TryNow.ts"
import { webhookRoutes } from "./pages/Webhooks.tsx"
import type { Ports, Route } from "./Routes.ts"
import { IsFramed } from "./SealedCookie.ts"
import { contentPolicy, securityHeaders } from "./SecurityHeaders.ts"
import { languageOf } from "./texts/Languages.ts"

const storePages: ReadonlyArray<Route> = [
  ...overviewRoutes,
  ...tokenRoutes,
  ...webhookRoutes,
  ...newEndpointRoutes,
  ...endpointRoutes,
  ...endpointActionRoutes,
  ...tryNowRoutes,
  ...resendRoutes,
  ...recoverRoutes,
  ...rotateSecretRoutes,
  ...deliveryRoutes,
  ...allDeliveriesRoutes,
  ...findRoutes,
  ...eventRoutes,
  ...orderListRoutes,
  ...draftRoutes,
  ...orderRoutes,
  ...productionRoutes,
  ...ticketRoutes,
  ...inboxRoutes,
  ...inboxEventRoutes,
  ...platformRoutes,
  ...designRoutes,
  ...customizerListRoutes,
  ...customizerRoutes,
  ...evaluateRoutes,
  ...publishRoutes,
  ...auditRoutes,
]

/** Nothing keeps a page. A stream says more: nothing may compress it. */
const notStored = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.setHeaders(response, { "cache-control": "no-store", ...response.headers })

/** The settings app. */
export interface SettingsApp extends Mountable {
  /** Ends the streams by which pages hear of changes: a server that waits for its answers should call it first. */
  readonly endStreams: Effect.Effect<void>
}

/**
 * The settings app over the current storage ports. It answers every request below its prefix. All its links are
 * relative, so that it works behind proxies that change paths.
 */
export const makeApp = Effect.fnUntraced(function* (options: AppOptions) {
  const prefix = withoutSlash(options.prefix)
  const ports = yield* Effect.context<Ports>()
  const assets = yield* makeAssets(options)
  const headers = securityHeaders(options)
  const access = yield* makeAccess(options.access)
  const isStandalone = "key" in options.access
  const appRoutes =
    "key" in options.access
      ? [...(yield* makeSignIn(options.access, access)), ...storeRoutes, ...signOutRoutes(access.find)]
      : []
  const watchers = yield* makeWatchers
  const pageAt = yield* makePages({
    access,
    api: options.api,
    prefix,
    appRoutes,
    storeRoutes: [
      ...storePages,
      ...pictureRoutes(),
      ...signOutRoutes(access.find),
      ...linkRoutes(access.keep),
      ...liveRoutes(watchers),
    ],
    site: {
      ...options,
      name: options.name ?? "Designwire",
      language: languageOf(options.language),
      attempts: options.attempts ?? defaultSchedule.length + 1,
      isStandalone,
      version: assets.version,
      policy: contentPolicy(options),
    },
  })
  const app = HttpServerRequest.HttpServerRequest.use((request) => {
    const path = (request.url.split("?")[0] ?? "").slice(prefix.length)
    if (path === "" && prefix !== "") {
      const location = `${prefix.split("/").at(-1)}/`
      return Effect.succeed(HttpServerResponse.empty({ status: 307, headers: { location } }))
    }
    const asset =
      request.method === "GET" || request.method === "HEAD" ? assets.responses.get(path.slice(1)) : undefined
    return asset === undefined
      ? Effect.map(pageAt(path), notStored)
      : Effect.andThen(noteRequest({ route: `${prefix}/:asset` }), asset)
  })
  const mountable: SettingsApp = {
    endStreams: watchers.stop,
    answers: answersAt(options.prefix),
    app: matchedAsSent(
      prefix,
      Effect.map(app, (response) => HttpServerResponse.setHeaders(response, { ...headers, ...response.headers })),
    ).pipe(Effect.provideService(IsFramed, (options.frameAncestors ?? []).length > 0), Effect.provideContext(ports)),
  }
  return mountable
})
