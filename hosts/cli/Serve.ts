import { Console, Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerCrypto, layerLookup } from "../../adapters/node/index.ts"
import { reasonOf } from "../../adapters/sql/Reason.ts"
import type { HostPolicy } from "../../core/model/HostPolicy.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import { ServiceName } from "../../core/usecases/dispatch/Dispatch.ts"
import * as Server from "../server/index.ts"
import * as Worker from "../worker/index.ts"
import { demo, demoShop, requireDemoSettings, welcome } from "./Demo.ts"
import { demoReceiver, registerReceiver } from "./DemoReceiver.ts"
import { readKeyRing, readManageKey } from "./Keys.ts"
import { newLinkKey } from "./NewKey.ts"
import { warnOfUnopenedSecrets } from "./Secrets.ts"
import { readSettings } from "./Settings.ts"
import { requireCurrent, stores } from "./Stores.ts"

/** `designwire serve`: REST API, management API and worker in one process, until it is told to stop. */
export const serve = Effect.fn("serve")(function* (options: { readonly demo: boolean }) {
  const settings = yield* readSettings(process.env)
  if (options.demo) yield* requireDemoSettings(settings)
  const keys = { manageKey: yield* readManageKey(settings), keyRing: yield* readKeyRing(settings) }
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const sample = options.demo ? { token: yield* demo(), receiver: yield* demoReceiver(console.log) } : undefined
    const webhookPolicy: HostPolicy = {
      ...settings.webhookPolicy,
      ...(sample === undefined ? {} : { exceptions: [{ shop: demoShop, url: sample.receiver.url }] }),
    }
    yield* Effect.forkScoped(Effect.provideService(warnOfUnopenedSecrets, KeyRing, keys.keyRing))
    yield* Layer.build(Worker.layer({ ...settings, ...keys, webhookPolicy }))
    const oneTimeKey = options.demo ? yield* newLinkKey : undefined
    const listen = Effect.fnUntraced(function* (
      at: { readonly host: string; readonly port: number },
      serves: Server.Served,
      apiUrl: string | undefined,
    ) {
      const ready = requireCurrent.pipe(
        Effect.mapError((error) => ({ message: reasonOf(error) })),
        Effect.provideService(SqlClient.SqlClient, sql),
      )
      const told: Server.ServerOptions = {
        ...keys,
        host: at.host,
        port: at.port,
        webhookPolicy,
        ready,
        serves,
        docs: settings.docs,
        settings: { ...settings.appearance, apiUrl, oneTimeKey, attempts: settings.worker.schedule.length + 1 },
      }
      const server = yield* Layer.build(Server.layer(told)).pipe(
        Effect.provideService(ServiceName, settings.serviceName),
      )
      return HttpServer.formatAddress(Context.get(server, HttpServer.HttpServer).address)
    })
    const { manage } = settings
    const { publicUrl } = settings
    const apiUrl = (address: string) => `${address}/api/v1`
    const listening = yield* listen(
      settings,
      manage === undefined ? "all" : "api",
      publicUrl === undefined ? undefined : apiUrl(publicUrl),
    )
    const address = publicUrl ?? listening
    const managing = manage === undefined ? address : yield* listen(manage, "manage", apiUrl(address))
    if (manage !== undefined) yield* Effect.log(`Management listens at ${managing}`)
    if (sample !== undefined && oneTimeKey !== undefined) {
      const signIn = `${managing}/settings/sign-in?once=${Redacted.value(oneTimeKey)}`
      yield* Console.log(welcome({ address, signIn, token: sample.token, manageKey: keys.manageKey }))
      yield* registerReceiver(demoShop, sample.receiver).pipe(
        Effect.provide(layerLookup()),
        Effect.provideService(KeyRing, keys.keyRing),
        Effect.provideService(WebhookPolicy, webhookPolicy),
      )
    }
    yield* Effect.log(`Designwire is ready at ${address}`)
    yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(stores(settings)))
}, Effect.provide(layerCrypto))

/** `designwire worker`: deliveries alone, until it is told to stop. */
export const worker = Effect.fn("worker")(function* () {
  const settings = yield* readSettings(process.env, ["DESIGNWIRE_ENCRYPTION_KEYS"])
  const keyRing = yield* readKeyRing(settings)
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(Effect.provideService(warnOfUnopenedSecrets, KeyRing, keyRing))
    yield* Layer.build(Worker.layer({ ...settings, keyRing }))
    yield* Effect.log("Designwire's worker is ready")
    yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(stores(settings)))
}, Effect.provide(layerCrypto))
