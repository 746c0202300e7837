import { NodeCrypto } from "@effect/platform-node"
import { Console, Context, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { SaveDesign } from "../../core/usecases/SaveDesign.ts"
import * as Server from "../server/index.ts"
import { demo, welcome } from "./Demo.ts"
import { requireCurrent, stores } from "./Stores.ts"

/** `designwire serve`: everything in one process, until it is told to stop. */
export const serve = Effect.fn("serve")(function* (options: { readonly demo: boolean }) {
  const settings = yield* Server.readSettings(process.env)
  const keys = yield* Server.readKeys(settings)
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const token = options.demo ? yield* Effect.provide(demo(), SaveDesign.layer) : undefined
    const server = yield* Layer.build(
      Server.layer({
        ...keys,
        host: settings.host,
        port: settings.port,
        ready: Effect.provideService(requireCurrent, SqlClient.SqlClient, sql),
      }),
    )
    const address = settings.publicUrl ?? HttpServer.formatAddress(Context.get(server, HttpServer.HttpServer).address)
    if (token !== undefined) yield* Console.log(welcome(address, token, keys.manageKey))
    yield* Effect.log(`Designwire is ready at ${address}`)
    yield* Effect.never
  }).pipe(Effect.scoped, Effect.provide(stores(settings)))
}, Effect.provide(NodeCrypto.layer))
