import { layerCrypto, parseKeyRing } from "designwire"
import * as Memory from "designwire/memory"
import { KeyRing } from "designwire/ports"
import { layerWooCommerce } from "designwire/woocommerce"
import { Effect, Layer, Redacted, Result } from "effect"
import { HttpRouter, HttpServer } from "effect/http"

const secret = () => Effect.succeed([Redacted.make("a-secret-of-this-shop")])
const keyRing = Result.getOrThrow(parseKeyRing(btoa("a".repeat(32))))
const { dispose, handler } = HttpRouter.toWebHandler(
  layerWooCommerce({ prefix: "/hooks/woocommerce", secret }).pipe(
    Layer.provide([Memory.layer, layerCrypto, Layer.succeed(KeyRing, keyRing), HttpServer.layerServices]),
  ),
  { disableLogger: true },
)
const { status } = await handler(new Request("http://localhost/hooks/woocommerce/acme", { method: "POST", body: "{}" }))
if (status !== 401) throw new Error(`An unsigned webhook is answered ${status}`)
await dispose()
