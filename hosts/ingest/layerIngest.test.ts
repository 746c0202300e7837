/** Webhooks of platforms in the router of an Effect application. */
import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import * as Memory from "../../adapters/memory/index.ts"
import { keyOf } from "../../conformance/testkit/workers/TestWorker.ts"
import { KeyRing } from "../../core/ports/KeyRing.ts"
import { putShop } from "../../core/usecases/shops/ManageShops.ts"
import { shopifyOrder } from "./samples/ShopifyOrder.ts"
import { signedHeaders } from "./samples/SignedWebhook.ts"
import { wooCommerceOrder } from "./samples/WooCommerceOrder.ts"
import { layerShopify } from "./shopify/index.ts"
import { layerWooCommerce } from "./woocommerce/index.ts"

/** The secrets that the application knows. */
class Vault extends Context.Service<Vault, ReadonlyMap<string, string>>()("test/Vault") {}

const secret = "a-secret-of-this-shop"

const layerKeys = Layer.merge(NodeCrypto.layer, Layer.succeed(KeyRing, { keys: [keyOf(1)] }))

it.effect("MUST answer all requests below their prefixes, with secrets from the application's services", () =>
  Effect.gen(function* () {
    const services = yield* Layer.build(
      Layer.mergeAll(Memory.layer, layerKeys, Layer.succeed(Vault, new Map([["acme", secret]]))),
    )
    const shop = { domain: "acme.example.com", currency: "EUR", imageBase: "https://i.example.com" }
    yield* Effect.provideContext(putShop("acme", shop), services)
    const routes = Layer.mergeAll(
      HttpRouter.add("GET", "/hooks/shopify/mine", HttpServerResponse.text("mine")),
      layerShopify({
        prefix: "/hooks/shopify",
        secret: (shop) =>
          Vault.use((vault) => Effect.succeed([vault.get(shop) ?? ""].map((text) => Redacted.make(text)))),
      }),
      layerWooCommerce({ prefix: "/hooks/woo", secret: [Redacted.make(secret)], property: "design" }),
    )
    const { dispose, handler } = HttpRouter.toWebHandler(
      routes.pipe(Layer.provide(Layer.succeedContext(services)), Layer.provide(HttpServer.layerServices)),
      { disableLogger: true },
    )
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    const answered = (
      path: string,
      init: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
    ) =>
      Effect.promise(async () => {
        const { body } = init
        const method = body === undefined ? "GET" : "POST"
        const answer = await handler(new Request(`http://host.test${path}`, { method, ...init }))
        return [answer.status, await answer.text()]
      })
    const order = JSON.stringify(shopifyOrder({ id: 1, lines: [] }))
    const shopify = { body: order, headers: signedHeaders.shopify({ topic: "orders/create", body: order, secret }) }
    const ignored = [200, expect.stringContaining('"ignored","reason":"No line has the property \\"_designwire_id\\""')]
    expect(yield* answered("/hooks/shopify/acme", shopify)).toEqual(ignored)
    expect(yield* answered("/hooks/shopify/nobody", shopify)).toEqual([401, expect.any(String)])
    const site = JSON.stringify(wooCommerceOrder({ id: 1, lines: [] }))
    const woo = { body: site, headers: signedHeaders.woocommerce({ topic: "order.created", body: site, secret }) }
    expect(yield* answered("/hooks/woo/acme", woo)).toMatchObject([200, expect.stringContaining('\\"design\\"')])
    expect(yield* answered("/hooks/shopify/mine", {})).toEqual([200, "mine"])
    expect(yield* answered("/hooks/shopify/acme", {})).toEqual([405, expect.stringContaining("Only POST")])
    expect(yield* answered("/hooks/shopify/acme/more", shopify)).toEqual([404, expect.any(String)])
  }),
)

it.effect("MUST refuse a prefix that can't be one", () =>
  Effect.gen(function* () {
    const layer = layerShopify({ prefix: "/hooks/", secret: [] }).pipe(
      Layer.provide([HttpRouter.layer, Memory.layer, layerKeys]),
    )
    const building = Layer.build(layer as Layer.Layer<never>)
    const cause = Option.getOrThrow(Exit.getCause(yield* Effect.exit(building)))
    expect(Cause.pretty(cause)).toContain("A prefix is a path like /integrations/designs/v1")
  }),
)
