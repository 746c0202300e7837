import { Console, Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { layerCrypto, layerLookup } from "../../adapters/node/index.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../core/ports/WebhookPolicy.ts"
import * as Server from "../server/index.ts"
import * as Worker from "../worker/index.ts"
import { demo, demoShop, welcome } from "./Demo.ts"
import { demoReceiver, withDemoReceiver } from "./DemoReceiver.ts"
import { readKeys } from "./Keys.ts"
import { readSettings } from "./Settings.ts"
import { requireCurrent, stores } from "./Stores.ts"

/** `designwire serve`: REST API, management API and worker in one process, until it is told to stop. */
export const serve = Effect.fn("serve")(function* (options: { readonly demo: boolean }) {
  const settings = yield* readSettings(process.env)
  const keys = yield* readKeys(settings)
  const webhookPolicy = options.demo ? withDemoReceiver(settings.webhookPolicy) : settings.webhookPolicy
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const token = options.demo ? yield* demo() : undefined
    yield* Layer.build(Worker.layer({ ...settings, ...keys, webhookPolicy }))
    const listen = Effect.fnUntraced(function* (
      at: { readonly host: string; readonly port: number },
      serves: Server.Served,
    ) {
      const ready = Effect.provideService(requireCurrent, SqlClient.SqlClient, sql)
      const options = { ...keys, webhookPolicy, ready, serves, docs: settings.docs, host: at.host, port: at.port }
      const server = yield* Layer.build(Server.layer(options))
      return HttpServer.formatAddress(Context.get(server, HttpServer.HttpServer).address)
    })
    const { manage } = settings
    const listening = yield* listen(settings, manage === undefined ? "all" : "api")
    if (manage !== undefined) yield* Effect.log(`Management listens at ${yield* listen(manage, "manage")}`)
    const address = settings.publicUrl ?? listening
    if (token !== undefined) {
      yield* Console.log(welcome(address, token, keys.manageKey))
      yield* demoReceiver(demoShop, console.log).pipe(
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
  const settings = yield* readSettings(process.env)
  const keys = yield* readKeys(settings)
  yield* Effect.gen(function* () {
    yield* Layer.build(Worker.layer({ ...settings, ...keys }))
    yield* Effect.log("Designwire's worker is ready")
    yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(stores(settings)))
}, Effect.provide(layerCrypto))
