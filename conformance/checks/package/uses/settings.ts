import { layerCrypto } from "designwire"
import * as Memory from "designwire/memory"
import { HostLookup, KeyRing } from "designwire/ports"
import { layerSettings } from "designwire/settings"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

const lookup = HostLookup.of({ lookup: () => Effect.succeed([]) })
const settings = layerSettings({ prefix: "/settings", api: "/api/v1", authorize: () => Effect.succeed(undefined) })
const { dispose, handler } = HttpRouter.toWebHandler(
  settings.pipe(
    Layer.provide([Memory.layer, layerCrypto, HttpServer.layerServices]),
    Layer.provide(Layer.succeed(KeyRing, { keys: [Redacted.make(new Uint8Array(32))] })),
    Layer.provide(Layer.succeed(HostLookup, lookup)),
  ),
  { disableLogger: true },
)
const { status } = await handler(new Request("http://localhost/settings/"))
if (status !== 403) throw new Error(`Somebody unknown is answered ${status}`)
await dispose()
