/** The HTTP interface of a host: the REST API, the management API, the settings app, health and metrics. */
import { ByteSize, Effect, Layer, type Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { compressor } from "../../adapters/node/index.ts"
import { load, optionalPackages } from "../../adapters/support/Packages.ts"
import { toResponse, versionHeaders } from "../../core/api/Answer.ts"
import { Compression } from "../../core/api/ContentCoding.ts"
import { documentAnswer, layerAt, pageAnswer } from "../../core/api/Docs.ts"
import { answerOf, nothingHere, unexpected } from "../../core/api/ErrorAnswers.ts"
import { restExamples } from "../../core/api/Examples.ts"
import { isRouteNotFound, matchedAsSent, noteRoute, routerConfig } from "../../core/api/MatchedAsSent.ts"
import { isBelow, pathAndQueryOf } from "../../core/api/Paths.ts"
import { defaultPrefix } from "../../core/api/Prefix.ts"
import { answersAt, documentedAt, makeRoutes } from "../../core/api/Routes.ts"
import { inTime } from "../../core/api/Unavailable.ts"
import { defaultSettings, type PlatformSettings } from "../../core/model/ingest/PlatformSettings.ts"
import { shopPart } from "../../core/model/webhooks/PublicAddress.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { SettingsApp } from "../../core/usecases/access/SettingsLinks.ts"
import { keepApplying } from "../../core/usecases/ingest/ApplyEvent.ts"
import { ServiceSettings } from "../../core/usecases/ingest/Connections.ts"
import { keepRemovedShopsEmpty, PublicUrl } from "../../core/usecases/shops/ManageShops.ts"
import { type IngestRoute, makeIngest } from "../ingest/Ingest.ts"
import type { ValidSecrets } from "../ingest/Secrets.ts"
import { shopify } from "../ingest/shopify/Shopify.ts"
import { wooCommerce } from "../ingest/woocommerce/WooCommerce.ts"
import * as Manage from "../manage/index.ts"
import { purposeOf } from "../settings/Access.ts"
import type { Appearance } from "../settings/Options.ts"
import { layerHealth, type Ready } from "./Health.ts"
import { layerMetrics } from "./Metrics.ts"
import type { OwnAnswers } from "./Refusals.ts"

/** The addresses that a server has: for stores (`api`), for the operators of the service (`manage`), or all of them. */
export type Served = "all" | "api" | "manage"

/** Options of the settings app, at `/settings`. */
export interface SettingsAppOptions extends Appearance {
  /** How many times a delivery is attempted at most. Default: 7. */
  readonly attempts?: number | undefined
  /**
   * Its public address, e.g. `https://api.example.com/settings`, for links. It may have `{shop}`. Default: the path
   * `/settings`.
   */
  readonly url?: string | undefined
  /** Signs in once, within five minutes of the start, by the link `/settings/sign-in?once=…`. */
  readonly oneTimeKey?: Redacted.Redacted<string> | undefined
}

/**
 * Orders from shop platforms, at `/ingest/shopify` and `/ingest/woocommerce`, with or without `/{shop}`. Alongside
 * these secrets those of the shops' connections are good.
 */
export interface IngestOptions {
  /** The client secret of the app, several while one is replaced. Default: none. */
  readonly shopify?: ValidSecrets | undefined
  /** The secret of the webhooks. Default: none. */
  readonly woocommerce?: ValidSecrets | undefined
  /** The name of the line items' property that has the design's id. Default: `_designwire_id`. */
  readonly property?: string | undefined
  /** When an order is to be made (D80). Default: once it is paid. */
  readonly settings?: PlatformSettings | undefined
}

/** Options of a host. */
export interface AppOptions {
  readonly manageKey: Redacted.Redacted<string>
  /** Fails, with the reason, while the store can't serve. Default: while the store is down or has no tables. */
  readonly ready?: Ready
  /**
   * The public address of the REST API, as the settings app shows it. Default: `/api/v1` on the host that serves the
   * app. With `{shop}`, as in `https://{shop}.designs.example.com/api/v1` and
   * `https://designs.example.com/{shop}/api/v1`, the REST API is served at the addresses of shops too, and its OpenAPI
   * document names them.
   */
  readonly apiUrl?: string | undefined
  /** Default: all. `/livez` and `/readyz` are always served. */
  readonly serves?: Served
  /** The settings app, which is served along with the management API. */
  readonly settings?: SettingsAppOptions
  /** Orders from shop platforms, which are served along with the REST API. Default: none. */
  readonly ingest?: IngestOptions
  /** Whether to serve pages that show the documentation, `/docs` and `/manage/docs`. Default: true. */
  readonly docs?: boolean
}

/** The maximum size of a request's body (D38). */
const maximumBody = ByteSize.mebibytes(1)

/** The documentation of the REST API, at the paths that people try first. */
const layerRestDocs = (docs: boolean, shopUrl: string | undefined) => {
  const contract = documentedAt(defaultPrefix, shopUrl)
  const page = docs ? layerAt("/docs", pageAnswer(contract, restExamples)) : Layer.empty
  return Layer.merge(layerAt("/openapi.json", documentAnswer(contract, restExamples)), page)
}

/** The public address of the REST API, if it names the shop. Without one, documents are relative to their own. */
const shopUrlOf = ({ apiUrl }: Pick<AppOptions, "apiUrl">): string | undefined =>
  apiUrl === undefined || shopPart(apiUrl) === undefined ? undefined : apiUrl

const isOfManagement = (url: string): boolean => isBelow("/manage/v1", pathAndQueryOf(url))

/** What every answer at an address has, including the server's own answers. */
export const ownAnswersOf = (options: Pick<AppOptions, "apiUrl">): Required<OwnAnswers> => {
  const isOfRestApi = answersAt(defaultPrefix, shopUrlOf(options))
  return {
    headersAt: (url) => (isOfRestApi(url) ? versionHeaders : {}),
    bodyAt: (url, status, message) =>
      isOfManagement(url) ? Manage.errorBody(status, message) : JSON.stringify({ message }),
  }
}

/** The addresses of the platforms. */
const ingestRoutes = ({ property, shopify: client, woocommerce: site }: IngestOptions): ReadonlyArray<IngestRoute> => [
  { platform: shopify, path: "/ingest/shopify", secret: client ?? [], property },
  { platform: wooCommerce, path: "/ingest/woocommerce", secret: site ?? [], property },
]

/** Answers a request that an application has no route for with 404, and any other failure with 500 (D11). */
export const answerFailures = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.catchCause(app, (cause) =>
    Effect.map(isRouteNotFound(cause) ? Effect.succeed(nothingHere) : unexpected(cause), toResponse),
  )

/** Makes the application, which runs once for each request, and the REST API that is part of it. */
export const makeApp = (options: AppOptions) =>
  Effect.provideService(makeMounts(options), ServiceSettings, options.ingest?.settings ?? defaultSettings)

const makeMounts = Effect.fnUntraced(function* ({
  apiUrl,
  docs = true,
  ingest,
  manageKey,
  ready,
  serves = "all",
  settings = {},
}: AppOptions) {
  const shopUrl = shopUrlOf({ apiUrl })
  // There may be no worker.
  if (serves !== "api") yield* keepRemovedShopsEmpty.pipe(Effect.withTracerEnabled(false), Effect.forkScoped)
  const compare = yield* Manage.makeKeyComparison(manageKey)
  const check = Manage.keyCheck(compare)
  const shops = yield* ShopStore
  const manage = Layer.mergeAll(Manage.layer(check), docs ? Manage.layerDocs : Layer.empty, layerMetrics)
  const routed = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(
      serves === "manage" ? Layer.empty : layerRestDocs(docs, shopUrl),
      serves === "api" ? Layer.empty : manage,
      layerHealth(ready ?? Effect.asVoid(shops.find("readyz"))),
    ).pipe(Layer.provide(HttpRouter.middleware(noteRoute).layer)),
  ).pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  const managed = serves === "api" ? routed : Manage.answerFailures(check)(routed)
  const inTimeOrAnswer = Effect.catchTag(inTime(answerFailures(managed)), "Unavailable", (error) =>
    Effect.succeed(toResponse(answerOf(error))),
  )
  const answers = HttpServerRequest.HttpServerRequest.use(({ url }) =>
    serves !== "api" && isOfManagement(url) ? Effect.map(inTimeOrAnswer, Manage.withRetryable) : inTimeOrAnswer,
  )
  const others = matchedAsSent("/manage/v1", answers)
  const restApi =
    serves === "manage"
      ? undefined
      : yield* makeRoutes({
          prefix: defaultPrefix,
          docs: false,
          ...(shopUrl === undefined ? {} : { publicUrl: shopUrl }),
        }).pipe(Effect.provideService(Compression, compressor))
  const { oneTimeKey, url = "/settings", ...appearance } = settings
  const links = { url, purpose: yield* purposeOf(manageKey) }
  const settingsApp = hasSettings({ serves })
    ? yield* (yield* settingsModule).makeApp({
        ...appearance,
        prefix: "/settings",
        api: apiUrl ?? defaultPrefix,
        access: { key: manageKey, compare, oneTimeKey },
      })
    : undefined
  const platforms = serves === "manage" || ingest === undefined ? [] : ingestRoutes(ingest)
  const ingestApp = platforms.length === 0 ? undefined : yield* makeIngest("/ingest", platforms)
  if (ingestApp !== undefined) yield* keepApplying.pipe(Effect.withTracerEnabled(false), Effect.forkScoped)
  const app = HttpServerRequest.HttpServerRequest.use(({ url }) => {
    if (restApi?.answers(url)) return restApi.app
    if (ingestApp?.answers(url)) return ingestApp.app
    return settingsApp?.answers(url) ? settingsApp.app : others
  })
  const limited = Effect.provideService(app, HttpIncomingMessage.MaxBodySize, maximumBody)
  return {
    app: limited.pipe(Effect.provideService(SettingsApp, links), Effect.provideService(PublicUrl, shopUrl)),
    restApi,
    /** Ends the answers that continue until somebody ends them. */
    endStreams: settingsApp?.endStreams ?? Effect.void,
  }
})

/** Whether a server has the settings app. */
export const hasSettings = ({ serves }: Pick<AppOptions, "serves">): boolean => serves !== "api"

const settingsModule = Effect.promise(() =>
  load(() => import("../settings/App.ts"), "The settings app", optionalPackages.settings),
)
