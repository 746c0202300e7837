import { Context, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { compressor } from "../../adapters/node/Compression.ts"
import { versionHeaders } from "../../core/api/Answer.ts"
import { Compression } from "../../core/api/Compression.ts"
import { errorResponse } from "../../core/api/ErrorAnswers.ts"
import { notAvailable } from "../../core/api/Errors.ts"
import { make } from "../../core/api/Routes.ts"
import type { make as makeSettings } from "../settings/App.ts"
import type { AppOptions } from "../settings/Options.ts"
import { makeWebHandler, webPart } from "./mount/WebPart.ts"

/** The settings app, and its options. */
export interface SettingsPart {
  readonly make: typeof makeSettings
  readonly options: AppOptions
}

/** Longer paths first, because a path may lie within a shorter one. */
const longestFirst = <A>(parts: ReadonlyArray<A>, pathOf: (part: A) => string): ReadonlyArray<A> =>
  [...parts].sort((left, right) => pathOf(right).length - pathOf(left).length)

/** The REST API and the settings app over the services at hand: answers the requests that are for them. */
export class RestApi extends Context.Service<RestApi, (request: Request) => Promise<Response>>()(
  "designwire/embed/RestApi",
) {
  static layer(options: Parameters<typeof make>[0], settings: SettingsPart | undefined) {
    return Layer.effect(
      RestApi,
      Effect.gen(function* () {
        const api = {
          path: options.prefix,
          mountable: yield* Effect.provideService(make(options), Compression, compressor),
        }
        const app =
          settings === undefined
            ? []
            : [{ path: settings.options.prefix, mountable: yield* settings.make(settings.options) }]
        const parts = longestFirst([api, ...app], ({ path }) => path)
        return makeWebHandler(parts.map(({ mountable }) => webPart(mountable, Context.empty()))).handler
      }),
    )
  }
}

/** The answer while the database can't be used, and after `stop()`. */
export const unavailable = (): Response => HttpServerResponse.toWeb(errorResponse(503, notAvailable, versionHeaders))
