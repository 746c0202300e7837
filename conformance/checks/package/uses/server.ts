import * as Memory from "designwire/memory"
import * as Server from "designwire/server"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"

const server = Server.layer({
  host: "127.0.0.1",
  port: 0,
  manageKey: Redacted.make("manage-key"),
  keyRing: { keys: [Redacted.make(new Uint8Array(32))] },
})
const status = await Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  if (address._tag !== "InetAddressV4") throw new Error(`The server listens at ${address._tag}`)
  const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${address.port}/livez`))
  return response.status
}).pipe(Effect.provide(server.pipe(Layer.provide(Memory.layer))), Effect.runPromise)
if (status !== 200) throw new Error(`/livez answers ${status}`)
