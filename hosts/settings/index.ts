/**
 * The settings app, on which the owner of a store manages API tokens and webhooks in a browser, in an Effect application. It needs the packages preact and
 * preact-render-to-string.
 */
import { Effect } from "effect"
import { load } from "../../adapters/support/Packages.ts"
import { prefixProblem } from "../../core/api/Prefix.ts"
import { mountedAt } from "../../core/api/Routes.ts"
import { type Appearance, type Authorized, appearanceProblems } from "./Options.ts"

export type { Appearance, Authorized }

/** Where the settings app is mounted, who may use it and what it looks like. */
export interface SettingsOptions<R = never> extends Appearance {
  /** What its paths begin with when they arrive here, e.g. `/back-office/designs`. Its links are relative: proxies may change what stands before it. */
  readonly prefix: `/${string}`
  /** Tells whose settings the one who makes a request may change, `undefined` for anybody else: those get 403 everywhere. Must leave the request's body unread. */
  readonly authorize: (request: Request) => Effect.Effect<Authorized | undefined, never, R>
  /** Where the REST API is, for the examples: its whole address, or its path on the same host, e.g. the prefix of `layerApi`. */
  readonly api: string
  /** How often a delivery is attempted at most: one more than the retry schedule has waits. Default: 7. */
  readonly attempts?: number | undefined
  /** Origins, e.g. `https://admin.example.com`, whose pages may show the app in a frame. Default: none. */
  readonly frameAncestors?: ReadonlyArray<string> | undefined
}

const loaded = Effect.promise(() =>
  load(() => import("./App.ts"), "designwire/settings", ["preact", "preact-render-to-string"]),
)

/**
 * The settings app in an Effect application's own router, over the storage ports at hand. It answers everything below its prefix; options that can't be are a
 * defect.
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
      const wrong = prefixProblem(options.prefix)
      const problems = [
        ...(wrong === undefined ? [] : [wrong]),
        ...appearanceProblems(options).map(({ message, path }) => `${path} ${message}`),
      ]
      if (problems.length > 0) return yield* Effect.die(new Error(problems.join("; ")))
      const { make } = yield* loaded
      const run = Effect.runPromiseWith(yield* Effect.context<R>())
      return yield* make({ ...options, access: { authorize: (request) => run(authorize(request)) } })
    }),
  )
