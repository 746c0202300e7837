import { Clock, Effect, Layer, Result } from "effect"
import { HttpServer } from "effect/http"
import { layerCertificateReader } from "../../adapters/node/CertificateReader.ts"
import { layerCrypto } from "../../adapters/node/Crypto.ts"
import { layerFileReader } from "../../adapters/node/FileReader.ts"
import { layerHostLookup } from "../../adapters/node/HostLookup.ts"
import { withOwnNetworks } from "../../adapters/node/OwnNetworks.ts"
import { optionalPackages } from "../../adapters/support/Packages.ts"
import { answersAt } from "../../core/api/Routes.ts"
import { InvalidInput } from "../../core/model/Errors.ts"
import { noticeOf } from "../../core/model/webhooks/Notice.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { NoticeNotSent, Notices } from "../../core/ports/Notices.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { layerOutageLog } from "../../core/support/OutageLog.ts"
import { layerStoreClock } from "../../core/support/StoreClock.ts"
import { perMinute, TokenRateLimit } from "../../core/usecases/access/LimitRequest.ts"
import { SettingsApp } from "../../core/usecases/access/SettingsLinks.ts"
import { ImageUrls } from "../../core/usecases/catalog/SaveDesign.ts"
import { applyWaiting, keepApplying } from "../../core/usecases/ingest/ApplyEvent.ts"
import { raiseAlarms } from "../../core/usecases/ingest/RaiseAlarms.ts"
import { keepRemovedShopsEmpty, PublicUrl } from "../../core/usecases/shops/ManageShops.ts"
import { ServiceName } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import type { Designwire } from "./Designwire.ts"
import { makeFacade } from "./Facade.ts"
import { callSite, from } from "./Failures.ts"
import { layerLog } from "./Log.ts"
import { makeWebHandler } from "./mount/WebPart.ts"
import type { DesignwireOptions } from "./Options.ts"
import { load, requireNode } from "./Packages.ts"
import { type EmbedConfig, readOptions, refused } from "./ReadOptions.ts"
import { RestApi, type SettingsPart } from "./RestApi.ts"
import { Runtime } from "./Runtime.ts"
import { OpenDatabase, type Stores, stores } from "./Stores.ts"
import { currentSpan, telemetryLayer } from "./Telemetry.ts"

/**
 * Creates the service: the REST API, webhooks, and management. It connects at the first call, and does not keep the
 * process alive before it. Rejects with `InvalidInput` if options are wrong; its `problems` name all of them.
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
 * await designwire.shops.put("acme", {
 *   domain: "acme.example.com",
 *   currency: "EUR",
 *   imageBase: "https://images.acme.example.com",
 * })
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
  const config = Result.getOrThrowWith(readOptions(options), (problems) => from(refused(problems), caller))
  const loaded = await Effect.runPromise(Effect.result(stores(config)))
  if (Result.isFailure(loaded)) throw from(refused([{ path: "database", message: loaded.failure.message }]), caller)
  const { layer, migrations } = loaded.success
  const app = await Effect.runPromise(Effect.result(settingsPart(config)))
  if (Result.isFailure(app)) throw from(refused([{ path: "settings", message: app.failure.message }]), caller)
  const runtime = new Runtime(services(config, layer, app.success), background(config), () =>
    currentSpan(config.telemetry),
  )
  const addresses = [
    answersAt(config.basePath, config.publicUrl),
    ...(app.success === undefined ? [] : [answersAt(app.success.options.prefix)]),
    ...(config.ingest === undefined ? [] : [answersAt(config.ingest.path)]),
  ]
  const web = makeWebHandler(addresses.map((answers) => ({ answers, handle: (request) => runtime.serve(request) })))

  const migrate = () =>
    runtime.run(
      OpenDatabase.use((database) => database.migrate),
      callSite(migrate),
      { onAnySchema: true },
    )
  const pendingSql = () =>
    runtime.run(
      OpenDatabase.use((database) => database.pendingSql),
      callSite(pendingSql),
      { onAnySchema: true },
    )
  const start = () => runtime.start(worker(config), callSite(start))
  const drain: Designwire["drain"] = (limits) =>
    runtime.run(drained(config, limits), callSite(drain), { endsAtStop: true })

  return {
    ...makeFacade(runtime),
    ...web,
    migrate,
    pendingSql,
    migrations,
    start,
    stop: () => runtime.stop(),
    drain,
    wake: () => runtime.wake(),
  }
}

/** Work that continues alongside the calls. */
const background = ({ ingest }: EmbedConfig) =>
  Effect.raceFirst(keepRemovedShopsEmpty, ingest === undefined ? Effect.never : keepApplying)

/** The services of every call, over the stores. */
const services = (config: EmbedConfig, layer: Stores["layer"], app: SettingsPart | undefined) => {
  const { settingsApp: settings } = config
  const surroundings = Layer.mergeAll(
    layerCrypto,
    layerHostLookup(),
    layerCertificateReader,
    layerFileReader(config.webhookProxy),
    Layer.succeed(KeyRing, config.keyRing),
    Layer.succeed(ServiceName, config.serviceName),
    Layer.succeed(TokenRateLimit, perMinute(config.rateLimit)),
    settings === undefined
      ? Layer.empty
      : Layer.succeed(SettingsApp, { url: (settings.url ?? settings.path).replace(/\/$/, ""), purpose: "embedded" }),
    Layer.succeed(WebhookPolicy, withOwnNetworks(config.webhookPolicy)),
    config.imageUrls === undefined ? Layer.empty : Layer.succeed(ImageUrls, config.imageUrls),
    Layer.succeed(PublicUrl, config.publicUrl),
  )
  const { basePath: prefix, ingest, publicUrl } = config
  return RestApi.layer({ prefix, ...(publicUrl === undefined ? {} : { publicUrl }) }, { ingest, settings: app }).pipe(
    Layer.provide(HttpServer.layerServices),
    Layer.provideMerge(layerStoreClock),
    Layer.provideMerge(Layer.merge(layer, surroundings)),
    Layer.provideMerge(Layer.provide(layerOutageLog, layerLog)),
    Layer.provideMerge(telemetryLayer(config.telemetry)),
  )
}

/** The settings app, if the options ask for it. */
const settingsPart = ({ basePath, publicUrl, settingsApp, worker }: EmbedConfig) =>
  settingsApp === undefined
    ? Effect.succeed(undefined)
    : Effect.map(
        load(() => import("../settings/App.ts"), "The settings app", optionalPackages.settings),
        ({ makeApp }): SettingsPart => {
          const { authorize, path, url: _url, ...appearance } = settingsApp
          return {
            make: makeApp,
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

const delivering = "Delivering webhooks"

const loadWorker = Effect.andThen(
  requireNode(delivering),
  load(
    async () => {
      await import("undici")
      return import("../worker/index.ts")
    },
    delivering,
    optionalPackages.worker,
  ),
)

/** How orders are read that are found at platforms. */
const foundBy = ({ ingest }: EmbedConfig) => ({
  properties: Object.fromEntries((ingest?.routes ?? []).map(({ platform, property }) => [platform.source, property])),
})

/** The worker that {@link Designwire.start} runs. */
const worker = (config: EmbedConfig) =>
  Effect.map(loadWorker, ({ layer }) => Layer.provide(layer({ ...config, found: foundBy(config) }), notices(config)))

/** Passes notices to the option `onNotice`. */
const notices = ({ onNotice }: EmbedConfig) =>
  onNotice === undefined
    ? Layer.empty
    : Layer.succeed(Notices, {
        send: (record) =>
          Effect.tryPromise({
            try: async () => onNotice(noticeOf(record)),
            catch: (cause) => new NoticeNotSent({ message: `onNotice failed: ${cause}` }),
          }),
      })

/** The effect of {@link Designwire.drain}. */
const drained = Effect.fnUntraced(function* (
  config: EmbedConfig,
  limits: Parameters<Designwire["drain"]>[0] | null | undefined,
) {
  // A caller without types may leave the limits out.
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
  // Orders of platforms come first, so that their deliveries are made now, and notices about those that fail.
  if (config.ingest !== undefined) {
    yield* Effect.timeoutOption(Effect.andThen(applyWaiting(), raiseAlarms()), seconds * 1000)
  }
  return yield* Effect.provide(drain({ ...config, found: foundBy(config) }, { max, deadline }), notices(config))
})
