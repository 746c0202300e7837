import { Clock, Effect, Layer, Result } from "effect"
import { HttpServer } from "effect/http"
import { layer as layerLookup } from "../../adapters/node/HostLookup.ts"
import { withOwnNetworks } from "../../adapters/node/OwnNetworks.ts"
import { answersAt } from "../../core/api/Routes.ts"
import { InvalidInput } from "../../core/model/Errors.ts"
import { noticeOf } from "../../core/model/Notice.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { NoticeNotTold, Notices } from "../../core/ports/Notices.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { layerCrypto } from "../../core/support/WebCrypto.ts"
import { ServiceName } from "../../core/usecases/dispatch/Dispatch.ts"
import { ImageUrls } from "../../core/usecases/SaveDesign.ts"
import type { Designwire } from "./Designwire.ts"
import { Engine } from "./Engine.ts"
import { callSite, from } from "./Failures.ts"
import { makeWebHandler } from "./mount/WebPart.ts"
import { makeNouns } from "./Nouns.ts"
import { OpenDatabase } from "./OpenDatabase.ts"
import type { DesignwireOptions } from "./Options.ts"
import { load, settingsPackages, workerPackages } from "./Packages.ts"
import { RestApi, type SettingsPart } from "./RestApi.ts"
import { readOptions, refused, type Settings } from "./Settings.ts"
import { type Stores, stores } from "./Stores.ts"

/**
 * Makes the service: REST API, webhooks and everything that is managed, for a backend of any kind. It connects at the first call, and keeps no process alive
 * before that. Rejects with `InvalidInput`, whose `problems` are all that is wrong with the options.
 *
 * ```ts
 * import { createDesignwire } from "designwire/embed"
 *
 * const designwire = await createDesignwire({
 *   database: { url: process.env.DATABASE_URL! },
 *   encryptionKeys: process.env.DESIGNWIRE_ENCRYPTION_KEYS!,
 * })
 * await designwire.migrate()
 * await designwire.start()
 * await designwire.shops.put("acme", { domain: "acme.example.com", currency: "EUR", imageBase: "https://images.acme.example.com" })
 * const { token } = await designwire.tokens.create("acme", { name: "ERP" })
 * const answer = await designwire.handler(
 *   new Request("http://localhost/api/v1/orders", { headers: { authorization: `Bearer ${token}` } }),
 * )
 * console.log(await answer.json())
 * await designwire.stop()
 * ```
 */
export const createDesignwire = async (options: DesignwireOptions): Promise<Designwire> => {
  const caller = callSite(createDesignwire)
  const settings = Result.getOrThrowWith(readOptions(options), (problems) => from(refused(problems), caller))
  const loaded = await Effect.runPromise(Effect.result(stores(settings)))
  if (Result.isFailure(loaded)) throw from(refused([{ path: "database", message: loaded.failure.message }]), caller)
  const { layer, migrations } = loaded.success
  const app = await Effect.runPromise(Effect.result(settingsPart(settings)))
  if (Result.isFailure(app)) throw from(refused([{ path: "settings", message: app.failure.message }]), caller)
  const engine = new Engine(services(settings, layer, app.success))
  const paths = [settings.basePath, ...(app.success === undefined ? [] : [app.success.options.prefix])]
  const web = makeWebHandler(
    paths.map((path) => ({ answers: answersAt(path), handle: (request) => engine.serve(request) })),
  )

  const migrate = () =>
    engine.run(
      OpenDatabase.use((database) => database.migrate),
      callSite(migrate),
      { onAnySchema: true },
    )
  const pendingSql = () =>
    engine.run(
      OpenDatabase.use((database) => database.pendingSql),
      callSite(pendingSql),
      { onAnySchema: true },
    )
  const start = () => engine.start(worker(settings), callSite(start))
  const drain: Designwire["drain"] = (limits) =>
    engine.run(drained(settings, limits), callSite(drain), { endsAtStop: true })

  return {
    ...makeNouns(engine),
    ...web,
    migrate,
    pendingSql,
    migrations,
    start,
    stop: () => engine.stop(),
    drain,
    wake: () => engine.wake(),
  }
}

/** What every call has at hand, over the stores. */
const services = (settings: Settings, layer: Stores["layer"], app: SettingsPart | undefined) => {
  const surroundings = Layer.mergeAll(
    layerCrypto,
    layerLookup(),
    Layer.succeed(KeyRing, settings.keyRing),
    Layer.succeed(ServiceName, settings.serviceName),
    Layer.succeed(WebhookPolicy, withOwnNetworks(settings.webhookPolicy)),
    settings.imageUrls === undefined ? Layer.empty : Layer.succeed(ImageUrls, settings.imageUrls),
  )
  const { basePath: prefix, publicUrl } = settings
  return RestApi.layer({ prefix, ...(publicUrl === undefined ? {} : { publicUrl }) }, app).pipe(
    Layer.provide(HttpServer.layerServices),
    Layer.provideMerge(Layer.merge(layer, surroundings)),
  )
}

/** The settings app, where the options ask for it. */
const settingsPart = ({ basePath, publicUrl, settingsApp, worker }: Settings) =>
  settingsApp === undefined
    ? Effect.succeed(undefined)
    : Effect.map(
        load(() => import("../settings/App.ts"), "The settings app", settingsPackages),
        ({ make }): SettingsPart => {
          const { authorize, path, ...appearance } = settingsApp
          return {
            make,
            options: {
              ...appearance,
              prefix: path as `/${string}`,
              access: { authorize },
              api: publicUrl ?? basePath,
              attempts: worker.schedule.length + 1,
            },
          }
        },
      )

const loadWorker = load(
  async () => {
    await Promise.all([import("@effect/platform-node/NodeCrypto"), import("undici")])
    return import("../worker/index.ts")
  },
  "Delivering webhooks",
  workerPackages,
)

/** The worker that {@link Designwire.start} runs. */
const worker = (settings: Settings) =>
  Effect.map(loadWorker, ({ layer }) => Layer.provide(layer(settings), notices(settings)))

/** Who is told of notices. */
const notices = ({ onNotice }: Settings) =>
  onNotice === undefined
    ? Layer.empty
    : Layer.succeed(Notices, {
        tell: (record) =>
          Effect.tryPromise({
            try: async () => onNotice(noticeOf(record)),
            catch: (cause) => new NoticeNotTold({ message: `onNotice failed: ${cause}` }),
          }),
      })

/** What {@link Designwire.drain} does. */
const drained = Effect.fnUntraced(function* (
  settings: Settings,
  limits: Parameters<Designwire["drain"]>[0] | null | undefined,
) {
  // Whoever has no types may leave them out.
  const { max, seconds } = limits ?? { max: Number.NaN, seconds: Number.NaN }
  const problems = [
    ...(Number.isSafeInteger(max) && max >= 1 ? [] : [{ path: "max", message: "must be an integer, 1 or more" }]),
    ...(Number.isFinite(seconds) && seconds > 0 ? [] : [{ path: "seconds", message: "must be a number above 0" }]),
  ]
  if (problems.length > 0) {
    const message = problems.map((problem) => `${problem.path} ${problem.message}`).join("; ")
    return yield* new InvalidInput({ message, problems })
  }
  const { drain } = yield* loadWorker
  const deadline = (yield* Clock.currentTimeMillis) + seconds * 1000
  return yield* Effect.provide(drain(settings, { max, deadline }), notices(settings))
})
