import { Console, Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql"
import { layerCrypto, layerLookup } from "../../adapters/node/index.ts"
import { layerEnvironment } from "../../adapters/opentelemetry/Environment.ts"
import { requireCurrent, untilNewer } from "../../adapters/sql/index.ts"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import { defaultPrefix } from "../../core/api/Prefix.ts"
import { logged } from "../../core/model/log/LogEvent.ts"
import type { HostPolicy } from "../../core/model/webhooks/HostPolicy.ts"
import { addressOf, generalAddress } from "../../core/model/webhooks/PublicAddress.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { MetricsShops } from "../../core/support/MetricsShops.ts"
import { layerStoreClock } from "../../core/support/StoreClock.ts"
import { perMinute, TokenRateLimit } from "../../core/usecases/access/LimitRequest.ts"
import { ServiceName } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import * as Server from "../server/index.ts"
import { layerProbes } from "../server/Probes.ts"
import * as Worker from "../worker/index.ts"
import { demo, demoShop, requireDemoConfig, welcome } from "./Demo.ts"
import { demoReceiver, registerReceiver } from "./DemoReceiver.ts"
import { readKeyRing, readManageKey } from "./Keys.ts"
import { layerLog } from "./Log.ts"
import { newLinkKey } from "./NewKey.ts"
import { warnOfPooler } from "./Pooler.ts"
import { type HostConfig, readConfig } from "./ReadConfig.ts"
import { warnOfUnopenedSecrets } from "./Secrets.ts"
import { stores } from "./Stores.ts"

const untraced = Effect.withTracerEnabled(false)

/** How orders are read that are found at platforms. */
export const foundBy = ({ ingest: { property, settings } }: Pick<HostConfig, "ingest">) => ({
  ...{ properties: { shopify: property, woocommerce: property }, settings },
})

/** Runs a process with its stores and signals, until a newer version has migrated the database. */
const untilReplaced =
  (config: HostConfig) =>
  <E, R>(running: Effect.Effect<void, E, R>) =>
    Effect.andThen(running, untilNewer).pipe(
      Effect.scoped,
      Effect.provide(layerStoreClock),
      Effect.provide(stores(config)),
      Effect.provide(layerEnvironment(process.env)),
      Effect.provideService(MetricsShops, new Set(config.metricsShops)),
    )

/** Fails while hosts can't serve. */
const readiness = Effect.map(Effect.context<SqlClient.SqlClient>(), (context) =>
  requireCurrent.pipe(
    Effect.mapError((error) => ({ message: reasonOf(error) })),
    Effect.provideContext(context),
  ),
)

/** `designwire serve`: REST API, management API and worker in one process, until a signal stops it. */
// Without a span: everything that the process ever does would be within it.
export const serve = Effect.fnUntraced(
  function* (options: { readonly demo: boolean }) {
    const config = yield* readConfig(process.env)
    if (options.demo) yield* requireDemoConfig(config)
    const keys = { manageKey: yield* readManageKey(config), keyRing: yield* readKeyRing(config) }
    yield* Effect.gen(function* () {
      const ready = yield* readiness
      const sample = options.demo ? { token: yield* demo(), receiver: yield* demoReceiver(console.log) } : undefined
      const webhookPolicy: HostPolicy = {
        ...config.webhookPolicy,
        ...(sample === undefined ? {} : { exceptions: [{ shop: demoShop, url: sample.receiver.url }] }),
      }
      yield* Effect.forkScoped(untraced(Effect.provideService(warnOfUnopenedSecrets, KeyRing, keys.keyRing)))
      yield* Effect.forkScoped(warnOfPooler(config))
      yield* Layer.build(Worker.layer({ ...config, ...keys, webhookPolicy, found: foundBy(config) }))
      const isOneListener = config.manage === undefined
      const settingsUrl =
        config.publicUrl === undefined || !isOneListener ? undefined : `${generalAddress(config.publicUrl)}/settings`
      const oneTimeKey = options.demo ? yield* newLinkKey : undefined
      const listen = Effect.fnUntraced(function* (
        at: { readonly host: string; readonly port: number },
        serves: Server.Served,
        apiUrl: string | undefined,
      ) {
        const told: Server.ServerOptions = {
          ...keys,
          host: at.host,
          port: at.port,
          webhookPolicy,
          webhookProxy: config.webhookProxy,
          ready,
          serves,
          docs: config.docs,
          ingest: config.ingest,
          limits: config.limits,
          accessLog: config.log.access,
          apiUrl,
          settings: {
            ...config.appearance,
            oneTimeKey,
            url: settingsUrl,
            attempts: config.worker.schedule.length + 1,
          },
        }
        const server = yield* Layer.build(Server.layer(told)).pipe(
          Effect.provideService(ServiceName, config.serviceName),
          Effect.provideService(TokenRateLimit, perMinute(config.rateLimit)),
        )
        return HttpServer.formatAddress(Context.get(server, HttpServer.HttpServer).address)
      })
      const { manage } = config
      const { publicUrl } = config
      const apiUrl = (address: string) => address + defaultPrefix
      const listening = yield* listen(
        config,
        manage === undefined ? "all" : "api",
        publicUrl === undefined ? undefined : apiUrl(publicUrl),
      )
      const address = publicUrl ?? listening
      const managing = manage === undefined ? address : yield* listen(manage, "manage", apiUrl(address))
      if (manage !== undefined)
        yield* Effect.log(`Management listens at ${managing}`).pipe(logged("server.management", { address: managing }))
      if (sample !== undefined && oneTimeKey !== undefined) {
        const ofPages = (base: string) => addressOf(generalAddress(base), demoShop)
        const signIn = `${ofPages(managing)}/settings/sign-in?once=${Redacted.value(oneTimeKey)}`
        const addresses = { address: addressOf(address, demoShop), docs: `${ofPages(address)}/docs`, signIn }
        yield* Console.log(welcome({ ...addresses, token: sample.token, manageKey: keys.manageKey }))
        yield* registerReceiver(demoShop, sample.receiver).pipe(
          Effect.provide(layerLookup()),
          Effect.provideService(KeyRing, keys.keyRing),
          Effect.provideService(WebhookPolicy, webhookPolicy),
        )
      }
      yield* Effect.log(`Designwire is ready at ${address}`).pipe(logged("server.ready", { address }))
    }).pipe(untilReplaced(config))
  },
  Effect.provide(layerCrypto),
  (running, { demo }) => Effect.provide(running, layerLog(demo)),
)

/** `designwire worker`: only deliveries, until a signal stops it. */
export const worker = Effect.fnUntraced(
  function* () {
    const config = yield* readConfig(process.env, ["DESIGNWIRE_ENCRYPTION_KEYS"])
    const keyRing = yield* readKeyRing(config)
    yield* Effect.gen(function* () {
      yield* Effect.forkScoped(untraced(Effect.provideService(warnOfUnopenedSecrets, KeyRing, keyRing)))
      yield* Effect.forkScoped(warnOfPooler(config))
      yield* Layer.build(Worker.layer({ ...config, keyRing, found: foundBy(config) }))
      if (config.workerPort !== undefined) {
        const ready = yield* readiness
        const probes = yield* Layer.build(layerProbes({ host: config.host, port: config.workerPort, ready }))
        const address = HttpServer.formatAddress(Context.get(probes, HttpServer.HttpServer).address)
        yield* Effect.log(`Probes and metrics listen at ${address}`).pipe(logged("worker.listening", { address }))
      }
      yield* Effect.log("Designwire's worker is ready").pipe(logged("worker.ready"))
    }).pipe(untilReplaced(config))
  },
  Effect.provide(layerCrypto),
  Effect.provide(layerLog(false)),
)
