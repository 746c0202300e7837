import { Effect, Redacted } from "effect"
import { cancelOrder } from "../../core/usecases/CancelOrder.ts"
import { listShops, putShop } from "../../core/usecases/ManageShops.ts"
import { createToken, listTokens, revokeToken } from "../../core/usecases/ManageTokens.ts"
import { placeOrder } from "../../core/usecases/PlaceOrder.ts"
import { describeCustomizer, publishCustomizer } from "../../core/usecases/PublishCustomizer.ts"
import { SaveDesign } from "../../core/usecases/SaveDesign.ts"
import customizers from "./demo/customizers.json" with { type: "json" }
import designs from "./demo/designs.json" with { type: "json" }
import orders from "./demo/orders.json" with { type: "json" }
import shop from "./demo/shop.json" with { type: "json" }

const tokenName = "Demo"

/** The sample shop's id. */
export const demoShop = shop.id

/** Makes the sample shop on an empty database, and a token for it at every start; the last start's is revoked. Answers the token. */
export const demo = Effect.fn("demo")(function* () {
  if ((yield* listShops).length === 0) yield* sampleShop
  for (const token of yield* listTokens(shop.id)) {
    if (token.name === tokenName) yield* revokeToken(shop.id, token.id)
  }
  const { token } = yield* createToken(shop.id, { name: tokenName })
  return token
})

const sampleShop = Effect.gen(function* () {
  const { id, ...settings } = shop
  yield* putShop(id, settings)
  for (const { definition, id: customizer, ...description } of customizers) {
    yield* describeCustomizer(id, customizer, description)
    yield* publishCustomizer(id, customizer, definition)
  }
  const { save } = yield* SaveDesign
  for (const { id: design, ...input } of designs) yield* save(id, design, input)
  for (const { cancelled, id: order, ...input } of orders) {
    yield* placeOrder(id, order, input)
    if (cancelled) yield* cancelOrder(id, order)
  }
})

/** What to try first, for the one who started the demo. */
export const welcome = (
  address: string,
  token: Redacted.Redacted<string>,
  manageKey: Redacted.Redacted<string>,
): string => `
The sample shop is ready. Try:

  curl -H "Authorization: Bearer ${Redacted.value(token)}" "${address}/api/v1/orders?limit=2"

  REST API    ${address}/docs
  Manage key  ${Redacted.value(manageKey)}
`
