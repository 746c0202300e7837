import { Context, Effect, Layer, Tracer } from "effect"
import { HttpMiddleware, HttpServerResponse, UrlParams } from "effect/http"
import { compressor } from "../../adapters/node/Compression.ts"
import type { ActiveSpan } from "../../adapters/opentelemetry/ApiTracer.ts"
import { versionHeaders } from "../../core/api/Answer.ts"
import { Compression } from "../../core/api/ContentCoding.ts"
import { errorResponse } from "../../core/api/ErrorAnswers.ts"
import { answersAt, makeRoutes } from "../../core/api/Routes.ts"
import { notAvailable } from "../../core/api/Unavailable.ts"
import { TraceState } from "../../core/support/Tracing.ts"
import { makeIngest } from "../ingest/Ingest.ts"
import { queryNames } from "../server/Tracing.ts"
import type { makeApp } from "../settings/App.ts"
import type { AppOptions } from "../settings/Options.ts"
import type { IngestConfig } from "./Ingest.ts"
import { makeWebHandler, webPart } from "./mount/WebPart.ts"

/** The settings app, and its options. */
export interface SettingsPart {
  readonly make: typeof makeApp
  readonly options: AppOptions
}

/** Longer paths first, because a path may lie within a shorter one. */
const longestFirst = <A>(parts: ReadonlyArray<A>, pathOf: (part: A) => string): ReadonlyArray<A> =>
  [...parts].sort((left, right) => pathOf(right).length - pathOf(left).length)

/** The REST API, the settings app and the webhooks of platforms: answers the requests that are for them. */
export class RestApi extends Context.Service<
  RestApi,
  (request: Request, active: ActiveSpan | undefined) => Promise<Response>
>()("designwire/embed/RestApi") {
  static layer(
    options: Parameters<typeof makeRoutes>[0],
    { ingest, settings }: { readonly ingest: IngestConfig | undefined; readonly settings: SettingsPart | undefined },
  ) {
    return Layer.effect(
      RestApi,
      Effect.gen(function* () {
        const restApi = yield* Effect.provideService(makeRoutes(options), Compression, compressor)
        const api = { path: options.prefix, mountable: { ...restApi, answers: answersAt(options.prefix) } }
        const app =
          settings === undefined
            ? []
            : [{ path: settings.options.prefix, mountable: yield* settings.make(settings.options) }]
        const webhooks =
          ingest === undefined ? [] : [{ path: ingest.path, mountable: yield* makeIngest(ingest.path, ingest.routes) }]
        const parts = longestFirst([api, ...app, ...webhooks], ({ path }) => path)
        // The address of a shop may have the form of another part's path.
        const ofShops = { path: options.prefix, mountable: restApi }
        const services = spanServices(yield* Tracer.Tracer)
        const { handler } = makeWebHandler([...parts, ofShops].map(({ mountable }) => webPart(mountable, services)))
        return (request, active) => handler(request, active === undefined ? undefined : contextOf(active))
      }),
    )
  }
}

/** The services with which Effect makes spans of requests, if the tracer is not its own. */
const spanServices = (tracer: Tracer.Tracer): Context.Context<never> =>
  tracer === Tracer.nativeTracer
    ? Context.empty()
    : Context.make(Tracer.Tracer, tracer).pipe(Context.add(UrlParams.CurrentRedactedNames, queryNames))

/** The services of a request that the application has a span for: it needs no other. */
const contextOf = ({ span, state }: ActiveSpan) =>
  Context.make(Tracer.ParentSpan, span).pipe(
    Context.add(TraceState, state),
    Context.add(HttpMiddleware.TracerDisabledWhen, () => true),
  ) as Context.Context<never>

/** The answer while the database can't be used, and after `stop()`. */
export const unavailable = (): Response => HttpServerResponse.toWeb(errorResponse(503, notAvailable, versionHeaders))
