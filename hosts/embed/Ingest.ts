/** Orders from shop platforms, as the option `ingest` of `createDesignwire` asks for them. */
import { Effect, Result } from "effect"
import { prefixProblem } from "../../core/api/Prefix.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { parsePlatformSecrets, parseProperty } from "../../core/rules/catalog/ConfigValues.ts"
import type { IngestRoute } from "../ingest/Ingest.ts"
import type { Platform } from "../ingest/Platform.ts"
import type { Secrets, ValidSecrets } from "../ingest/Secrets.ts"
import { shopify } from "../ingest/shopify/Shopify.ts"
import { wooCommerce } from "../ingest/woocommerce/WooCommerce.ts"
import type { Ingest, PlatformWebhooks } from "./Options.ts"
import type { Report } from "./Report.ts"

/** The webhooks of shop platforms, and their common path. */
export interface IngestConfig {
  readonly path: `/${string}`
  readonly routes: ReadonlyArray<IngestRoute>
}

const platforms = { shopify, woocommerce: wooCommerce } as const

/** The usual path. */
const defaultPath = "/ingest"

const isRecord = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

/** Reads the option, and notes its problems. */
export const readIngest = (report: Report, ingest: unknown): IngestConfig | undefined => {
  if (ingest === undefined) return undefined
  if (!isRecord(ingest)) {
    report.note("ingest", "must be { shopify, woocommerce }")
    return undefined
  }
  const parts = report.part("ingest", ingest)
  const names = Object.keys(platforms) as ReadonlyArray<keyof typeof platforms>
  parts.noteUnknown(["path", ...names])
  const path = parts.judge("path", prefixProblem, defaultPath) as IngestConfig["path"]
  const given = names.filter((name) => ingest[name] !== undefined)
  if (given.length === 0) report.note("ingest", "must have shopify or woocommerce")
  const routes = given.flatMap((name) => readPlatform(parts, name, ingest[name], path))
  return { path, routes }
}

const readPlatform = (
  report: Report,
  name: keyof typeof platforms & keyof Ingest,
  given: unknown,
  path: IngestConfig["path"],
): ReadonlyArray<IngestRoute> => {
  if (!isRecord(given)) {
    report.note(name, "must be { secret }")
    return []
  }
  const parts = report.part(name, given)
  parts.noteUnknown(["secret", "property"])
  const property = parts.parse("property", parseProperty)
  // Left out, as against an environment variable that is not set: shops have connections with secrets of their own.
  const secret = Object.hasOwn(given, "secret") ? readSecret(platforms[name], given["secret"]) : noSecret
  if (Result.isFailure(secret)) {
    parts.note("secret", secret.failure)
    return []
  }
  return [{ platform: platforms[name], path: `${path === "/" ? "" : path}/${name}`, secret: secret.success, property }]
}

const noSecret: Result.Result<Secrets, string> = Result.succeed([])

type SecretOption = Exclude<PlatformWebhooks["secret"], string | ReadonlyArray<string> | undefined>

/** A wrong secret is refused; those that a function returns are judged when it returns them. */
const readSecret = ({ source }: Platform, given: unknown): Result.Result<Secrets, string> => {
  // An environment variable that is not set is often given as the empty text.
  if (given === undefined || given === "") return Result.fail("is needed")
  if (typeof given === "function") return Result.succeed(secretsOf(source, given as SecretOption))
  return Result.mapError(parsed(given), (expected) => `must be ${expected}, or a function that returns it`)
}

const parsed = (given: unknown): Result.Result<ValidSecrets, string> => {
  const texts = Array.isArray(given) ? given : [given]
  const isText = texts.length > 0 && texts.every((text) => typeof text === "string")
  return parsePlatformSecrets(isText ? texts.join(",") : "")
}

/** The secrets of a shop by the application's function. If that fails, the answer is 503. */
const secretsOf =
  (source: Platform["source"], of: SecretOption): Secrets =>
  (shop) =>
    Effect.tryPromise({
      try: async () => of(shop),
      catch: (cause) => failed(`ingest.${source}.secret failed: ${cause}`, cause),
    }).pipe(
      Effect.flatMap((given) => {
        if (given === undefined || given === null) return Effect.succeed([])
        return Effect.mapError(Effect.fromResult(parsed(given)), (expected) =>
          failed(`ingest.${source}.secret returned something else than ${expected}`, undefined),
        )
      }),
    )

const failed = (message: string, cause: unknown): StorageError =>
  new StorageError({ message, cause, isRetryable: true })
