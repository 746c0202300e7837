/** A listener for those who watch a process that serves nothing else. */
import { createServer } from "node:http"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer, type HttpServerError } from "effect/http"
import { load, optionalPackages } from "../../adapters/support/Packages.ts"
import type { Upkeep } from "../../core/ports/Upkeep.ts"
import { answerFailures } from "./App.ts"
import { layerHealth, type Ready } from "./Health.ts"
import { layerMetrics } from "./Metrics.ts"

/** Options of {@link layerProbes}. */
export interface ProbeOptions {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Fails, with the reason, while the process can't work. */
  readonly ready: Ready
}

/** Serves `/livez`, `/readyz` and `/metrics` until its scope closes. */
export const layerProbes = (
  options: ProbeOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, Upkeep> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const platform = yield* Effect.promise(() =>
        load(() => import("@effect/platform-node/NodeHttpServer"), "designwire/server", optionalPackages.server),
      )
      const app = yield* HttpRouter.toHttpEffect(Layer.merge(layerHealth(options.ready), layerMetrics))
      return Layer.provideMerge(
        HttpServer.serve(answerFailures(app)),
        platform.layer(createServer, { host: options.host, port: options.port }),
      )
    }),
  )
