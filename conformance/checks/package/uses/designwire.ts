import { layerCrypto, Shops } from "designwire"
import * as Memory from "designwire/memory"
import { Effect, Layer } from "effect"

const shop = await Shops.put("acme", {
  domain: "acme.example",
  currency: "EUR",
  imageBase: "https://images.acme.example",
}).pipe(Effect.provide(Layer.merge(Memory.layer, layerCrypto)), Effect.runPromise)
if (shop.currency !== "EUR") throw new Error(`The shop's currency is ${shop.currency}`)
