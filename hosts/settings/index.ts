/**
 * The settings app for an Effect application. In it, the owner of a store manages API tokens and webhooks. It needs the
 * packages client-zip, preact, preact-render-to-string and uqr.
 */
import { Effect } from "effect"
import { load, optionalPackages } from "../../adapters/support/Packages.ts"
import { prefixProblem } from "../../core/api/Prefix.ts"
import { mountedAt } from "../../core/api/Routes.ts"
import { type Appearance, type Authorized, appearanceProblems } from "./Options.ts"

export { english } from "./texts/English.ts"
export { german } from "./texts/German.ts"
export type { Inline } from "./texts/Inline.ts"
export type { Language, Texts } from "./texts/Language.ts"
export type { Appearance, Authorized }

/** The address of the settings app, its users and its look. */
export interface SettingsOptions<R = never> extends Appearance {
  /**
   * The beginning of its paths as requests arrive, e.g. `/back-office/designs`. All links of the app are relative, so
   * proxies may change this part.
   */
  readonly prefix: `/${string}`
  /**
   * Returns the person behind a request and their store. If it returns `undefined` or `null`, the app answers 403.
   * Must leave the request's body unread.
   */
  readonly authorize: (request: Request) => Effect.Effect<Authorized | null | undefined, never, R>
  /** The URL of the REST API, for the examples, or its path on the same host, e.g. the prefix of `layerApi`. */
  readonly api: string
  /** The most attempts that a delivery gets: one more than the retry schedule has waits. Default: 7. */
  readonly attempts?: number | undefined
  /** Origins, e.g. `https://admin.example.com`, whose pages may show the app in a frame. Default: none. */
  readonly frameAncestors?: ReadonlyArray<string> | undefined
}

const loaded = Effect.promise(() => load(() => import("./App.ts"), "designwire/settings", optionalPackages.settings))

/**
 * The settings app as a part of an Effect application's own router, over the current storage ports. It answers every
 * request below its prefix. Invalid options are a defect.
 *
 * ```ts
 * const Settings = layerSettings({
 *   prefix: "/back-office/designs",
 *   api: "/integrations/designs/v1",
 *   authorize: (request) => Sessions.use((sessions) => sessions.ownerOf(request.headers.get("cookie"))),
 * })
 * HttpRouter.serve(Layer.mergeAll(MyApi, Settings))
 * ```
 */
export const layerSettings = <R = never>({ authorize, ...options }: SettingsOptions<R>) =>
  mountedAt(
    options.prefix,
    Effect.gen(function* () {
      const wrongPrefix = prefixProblem(options.prefix)
      const problems = [
        ...(wrongPrefix === undefined ? [] : [wrongPrefix]),
        ...appearanceProblems(options).map(({ message, path }) => `${path} ${message}`),
      ]
      if (problems.length > 0) return yield* Effect.die(new Error(problems.join("; ")))
      const { makeApp } = yield* loaded
      const run = Effect.runPromiseWith(yield* Effect.context<R>())
      return yield* makeApp({ ...options, access: { authorize: (request) => run(authorize(request)) } })
    }),
  )
