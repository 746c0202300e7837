import { layerCrypto } from "designwire"
import * as Memory from "designwire/memory"
import { layerWooCommerce } from "designwire/woocommerce"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

const secret = () => Effect.succeed([Redacted.make("a-secret-of-this-shop")])
const { dispose, handler } = HttpRouter.toWebHandler(
  layerWooCommerce({ prefix: "/hooks/woocommerce", secret }).pipe(
    Layer.provide([Memory.layer, layerCrypto, HttpServer.layerServices]),
  ),
  { disableLogger: true },
)
const { status } = await handler(new Request("http://localhost/hooks/woocommerce/acme", { method: "POST", body: "{}" }))
if (status !== 401) throw new Error(`An unsigned webhook is answered ${status}`)
await dispose()
