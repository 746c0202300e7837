import { Effect } from "effect"
import { prefixProblem } from "../../core/api/Prefix.ts"
import { mountedAt } from "../../core/api/Routes.ts"
import { defaultSettings, type PlatformSettings } from "../../core/model/ingest/PlatformSettings.ts"
import { keepApplying } from "../../core/usecases/ingest/ApplyEvent.ts"
import { ServiceSettings } from "../../core/usecases/ingest/Connections.ts"
import { type IngestRoute, makeIngest } from "./Ingest.ts"
import type { Platform } from "./Platform.ts"
import type { Secrets } from "./Secrets.ts"

/** The address of a platform's webhooks, and how they are verified and read. */
export interface IngestOptions<R = never> {
  /**
   * The beginning of the address, which the shop's id may follow: `/ingest/shopify` for `POST /ingest/shopify/acme`.
   * Without a shop, the shop is found by the domain of its connection.
   */
  readonly prefix: IngestRoute["path"]
  /**
   * The secrets with which the platform may sign, several while one is replaced; or a function that returns the secrets
   * of a shop, none for an unknown one. Default: only the secrets of connections are good.
   */
  readonly secret?: Secrets<R> | undefined
  /** The name of the line items' property that has the design's id. Default: `_designwire_id`. */
  readonly property?: string | undefined
  /** When an order is to be made, for all that a shop's connection does not say. Default: once it is paid. */
  readonly settings?: Partial<PlatformSettings> | undefined
}

/**
 * A platform's webhooks as a part of an Effect application's own router. Events that wait are applied as long as the
 * layer is there. An invalid prefix is a defect.
 */
export const layerIngest = <R = never>(
  platform: Platform,
  { prefix, property, secret = [], settings = {} }: IngestOptions<R>,
) =>
  mountedAt(
    prefix,
    Effect.gen(function* () {
      const problem = prefixProblem(prefix)
      if (problem !== undefined) return yield* Effect.die(new Error(problem))
      yield* keepApplying.pipe(Effect.withTracerEnabled(false), Effect.forkScoped)
      return yield* makeIngest(prefix, [{ platform, path: prefix, secret, property }])
    }).pipe(Effect.provideService(ServiceSettings, { ...defaultSettings, ...settings })),
  )
