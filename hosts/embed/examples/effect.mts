/** Effect: our REST API alongside your HttpApi, our stores over your SqlClient. */
import { createServer } from "node:http"
import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Customizers, Designs, layerApi, Orders, PublicHost, parseKeyRing, Shops, Tokens, Webhooks } from "designwire"
import { layerCrypto, layerLookup } from "designwire/node"
import { KeyRing, WebhookPolicy } from "designwire/ports"
import * as Postgres from "designwire/postgres"
import * as Worker from "designwire/worker"
import { Console, Effect, Exit, Layer, Redacted, Result, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

const { DATABASE_URL = "", DESIGNWIRE_ENCRYPTION_KEYS = "", PORT = "3000", WEBHOOK_URL = "" } = process.env
const allowNetworks = Result.getOrThrow(PublicHost.parseNetworks(process.env.DESIGNWIRE_ALLOW_NETWORKS ?? ""))
const webhookPolicy = { allowNetworks, allowHttp: process.env.DESIGNWIRE_ALLOW_HTTP === "true" }
const keyRing = Result.getOrThrow(parseKeyRing(DESIGNWIRE_ENCRYPTION_KEYS))
const checkout = HttpApiEndpoint.post("checkout", "/checkout/:id", {
  params: { id: Schema.String },
  query: { fail: Schema.optional(Schema.String) },
  payload: Schema.Struct({ engraving: Schema.Struct({ text: Schema.String }) }),
  success: Schema.Struct({ id: Schema.String, total: Schema.Int }),
})
const MyContract = HttpApi.make("mine").add(HttpApiGroup.make("shop").add(checkout))
const MyHandlers = HttpApiBuilder.group(MyContract, "shop", (handlers) =>
  handlers.handle("checkout", ({ params: { id }, payload: selection, query }) =>
    Effect.gen(function* () {
      yield* PgClient.PgClient.use((sql) => sql`INSERT INTO my_orders (id) VALUES (${id})`)
      const { design } = yield* Designs.save("acme", undefined, { customizerId: 1, basePrice: 12_900, selection })
      const lines = [{ designId: design.value.id, lineItemId: "1" }]
      yield* Orders.place("acme", id, { name: `#${id}`, orderedAt: new Date().toISOString(), lines })
      return query.fail === undefined ? { id, total: design.value.price.total } : yield* Effect.die("Payment failed")
    }).pipe((order) => PgClient.PgClient.use((sql) => sql.withTransaction(order)), Effect.orDie),
  ),
)
const setup = Effect.gen(function* () {
  yield* PgClient.PgClient.use((sql) => sql`CREATE TABLE IF NOT EXISTS my_orders (id text PRIMARY KEY)`)
  yield* Postgres.migrate
  const [site, product] = ["https://acme.example.com", "gid://acme/Product/1"]
  yield* Shops.put("acme", { domain: "acme.example.com", currency: "EUR", imageBase: site })
  yield* Customizers.put("acme", 1, { title: "Ring", platformProductId: product, assetBase: site })
  if ((yield* Webhooks.list("acme")).length > 0) return
  const steps = [{ id: "text", title: "Text", view: "front" }] as const
  const questions = [{ id: "engraving", step: "text", title: "Engraving", type: "text" }] as const
  yield* Customizers.publish("acme", 1, { definition: { schemaVersion: 1, steps, questions, rules: [] } })
  const { secret } = yield* Webhooks.create("acme", { url: WEBHOOK_URL })
  const { text } = yield* Tokens.create("acme", { name: "ERP" })
  yield* Console.log(`Token ${Redacted.value(text)}, signing secret ${Redacted.value(secret)}`)
})
const MyApi = HttpApiBuilder.layer(MyContract, { openapiPath: "/openapi.json" }).pipe(Layer.provide(MyHandlers))
const Api = Layer.merge(MyApi, layerApi({ prefix: "/integrations/designs/v1" }))
const Settings = Layer.merge(Layer.succeed(KeyRing, keyRing), Layer.succeed(WebhookPolicy, webhookPolicy))
const Server = NodeHttpServer.layer(createServer, { port: Number(PORT), gracefulShutdownTimeout: "5 seconds" })
const Host = Layer.merge(HttpRouter.serve(Api), Worker.layer({ keyRing, webhookPolicy })).pipe(
  Layer.provide(Layer.effectDiscard(setup)),
  Layer.provide([layerCrypto, layerLookup(), Settings, Server]),
  Layer.provide(Layer.provideMerge(Postgres.layerStores(), PgClient.layer({ url: Redacted.make(DATABASE_URL) }))),
)
NodeRuntime.runMain(Layer.launch(Host), { teardown: (exit, end) => end(Exit.hasInterrupts(exit) ? 0 : 1) })
