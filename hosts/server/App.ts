/** What a host over the storage ports at hand answers: the REST API, the management API, the settings app and the addresses of the process. */
import { ByteSize, Effect, Layer, type Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest } from "effect/http"
import { compressor } from "../../adapters/node/index.ts"
import { load } from "../../adapters/support/Packages.ts"
import { routerConfig } from "../../core/api/Addresses.ts"
import { type Answer, versionHeaders } from "../../core/api/Answer.ts"
import { Compression } from "../../core/api/Compression.ts"
import { contractAt } from "../../core/api/Contract.ts"
import { layerDocument, layerPage } from "../../core/api/Docs.ts"
import { restExamples } from "../../core/api/Examples.ts"
import { answerErrors } from "../../core/api/Failures.ts"
import { answersAt, make as makeRestApi } from "../../core/api/Routes.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import * as Manage from "../manage/index.ts"
import type { Appearance } from "../settings/Options.ts"
import * as Health from "./Health.ts"
import * as Metrics from "./Metrics.ts"

/** Which addresses a server has: those for stores (`api`), those for who runs the service (`manage`), or all of them. */
export type Served = "all" | "api" | "manage"

/** What the settings app is told, at `/settings`. */
export interface SettingsAppOptions extends Appearance {
  /** How often a delivery is attempted at most. Default: 7. */
  readonly attempts?: number | undefined
  /** The address of the REST API, where that is not `/api/v1` on the host that the app is read from. */
  readonly apiUrl?: string | undefined
  /** Signs in once, within five minutes of the start, by the link `/settings/sign-in?once=…`. */
  readonly oneTimeKey?: Redacted.Redacted<string> | undefined
}

/** What an application is told. */
export interface AppOptions {
  readonly manageKey: Redacted.Redacted<string>
  /** Fails with what is wrong while the store can't serve. Where it is left out: while the store can't find a shop, because it is down or has no tables. */
  readonly ready?: Health.Ready
  /** All where it is left out. `/livez` and `/readyz` are always among them. */
  readonly serves?: Served
  /** The settings app, which is there where the management API is. */
  readonly settings?: SettingsAppOptions
  /** Whether there are pages to read the documentation, `/docs` and `/manage/docs`; so it is where it is left out. */
  readonly docs?: boolean
}

/** The optional packages of the settings app. */
export const settingsPackages = ["preact", "preact-render-to-string"] as const

/** The body of a request may have this many bytes (D38). */
const maximumBody = ByteSize.mebibytes(1)

/** Where the REST API is (§4). */
const prefix = "/api/v1"

/** The documentation of the REST API, where people look for it first. */
const layerRestDocs = (docs: boolean) => {
  const contract = contractAt(prefix)
  const page = docs ? layerPage("/docs", contract, restExamples) : Layer.empty
  return Layer.merge(layerDocument("/openapi.json", contract, restExamples), page)
}

const isOfRestApi = answersAt(prefix)

/** The headers of every answer to an address, the server's own answers included. */
export const headersAt = (url: string): Answer["headers"] => (isOfRestApi(url) ? versionHeaders : {})

/** Makes one effect per request, and what answers reads that need no more. */
export const make = Effect.fnUntraced(function* ({
  docs = true,
  manageKey,
  ready,
  serves = "all",
  settings = {},
}: AppOptions) {
  const compare = yield* Manage.makeKeyComparison(manageKey)
  const check = Manage.keyCheck(compare)
  const shops = yield* ShopStore
  const manage = Layer.mergeAll(Manage.layer(check), docs ? Manage.layerDocs : Layer.empty, Metrics.layer)
  const routed = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(
      serves === "manage" ? Layer.empty : layerRestDocs(docs),
      serves === "api" ? Layer.empty : manage,
      Health.layer(ready ?? Effect.asVoid(shops.find("readyz"))),
    ),
  ).pipe(Effect.provideService(HttpRouter.RouterConfig, routerConfig))
  const others = answerErrors(serves === "api" ? routed : Manage.answerUnknown(check)(routed))
  const restApi =
    serves === "manage"
      ? undefined
      : yield* Effect.provideService(makeRestApi({ prefix, docs: false }), Compression, compressor)
  const { apiUrl, oneTimeKey, ...appearance } = settings
  const settingsApp = hasSettings({ serves })
    ? yield* (yield* settingsModule).make({
        ...appearance,
        prefix: "/settings",
        api: apiUrl ?? prefix,
        access: { key: manageKey, compare, oneTimeKey },
      })
    : undefined
  const answered = HttpServerRequest.HttpServerRequest.use(({ url }) => {
    if (restApi?.answers(url)) return restApi.app
    return settingsApp?.answers(url) ? settingsApp.app : others
  })
  return {
    app: Effect.provideService(answered, HttpIncomingMessage.MaxBodySize, maximumBody),
    direct: restApi?.direct,
  }
})

/** Whether the settings app is among what a server has. */
export const hasSettings = ({ serves }: Pick<AppOptions, "serves">): boolean => serves !== "api"

const settingsModule = Effect.promise(() =>
  load(() => import("../settings/App.ts"), "The settings app", settingsPackages),
)
