import { Schema } from "effect"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
  OpenApi,
} from "effect/http-api"
import * as Errors from "../../core/api/Errors.ts"
import { Customizer } from "../../core/model/Customizer.ts"
import { Delivery } from "../../core/model/Delivery.ts"
import { Design } from "../../core/model/Design.ts"
import { Endpoint } from "../../core/model/Endpoint.ts"
import { Order } from "../../core/model/Order.ts"
import { Shop } from "../../core/model/Shop.ts"
import { Token } from "../../core/model/Token.ts"

/** Every request of the management API brings the manage key. */
export class ManageKey extends HttpApiMiddleware.Service<ManageKey>()("designwire/manage/ManageKey", {
  error: Errors.Unauthorized,
  security: { manageKey: HttpApiSecurity.bearer },
}) {}

const shop = { shop: Schema.String }
const shopAndId = { shop: Schema.String, id: Schema.String }

const inputErrors = [
  Errors.InvalidInput,
  Errors.NotFound,
  Errors.Conflict,
  Errors.DesignFrozen,
  Errors.TooLarge,
  Errors.Refused,
  Errors.Unavailable,
] as const

const readErrors = [Errors.NotFound, Errors.Unavailable] as const

const created = HttpApiSchema.status(201)

/** A token at the only time that its text is shown. */
const NewToken = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  token: Schema.String,
  createdAt: Schema.String,
})

const listOf = <S extends Schema.Top>(item: S) => Schema.Struct({ data: Schema.Array(item) })

const shops = HttpApiGroup.make("shops")
  .add(HttpApiEndpoint.put("putShop", "/shops/:shop", { params: shop, success: Shop, error: inputErrors }))
  .add(HttpApiEndpoint.get("listShops", "/shops", { success: listOf(Shop), error: Errors.Unavailable }))
  .add(HttpApiEndpoint.get("readShop", "/shops/:shop", { params: shop, success: Shop, error: readErrors }))

const customizers = HttpApiGroup.make("customizers")
  .add(
    HttpApiEndpoint.put("putCustomizer", "/shops/:shop/customizers/:id", {
      params: shopAndId,
      success: Customizer,
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("publish", "/shops/:shop/customizers/:id/publish", {
      params: shopAndId,
      success: Customizer,
      error: inputErrors,
    }),
  )

const designs = HttpApiGroup.make("designs")
  .add(
    HttpApiEndpoint.put("putDesign", "/shops/:shop/designs/:id", {
      params: shopAndId,
      success: [Design, Design.pipe(created)],
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("addDesign", "/shops/:shop/designs", {
      params: shop,
      success: Design.pipe(created),
      error: inputErrors,
    }),
  )

const orders = HttpApiGroup.make("orders")
  .add(
    HttpApiEndpoint.put("putOrder", "/shops/:shop/orders/:id", {
      params: shopAndId,
      success: Order,
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("cancelOrder", "/shops/:shop/orders/:id/cancel", {
      params: shopAndId,
      success: Order,
      error: [...readErrors, Errors.Conflict],
    }),
  )

const tokens = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("createToken", "/shops/:shop/tokens", {
      params: shop,
      success: NewToken.pipe(created),
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.get("listTokens", "/shops/:shop/tokens", {
      params: shop,
      success: listOf(Token),
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.delete("revokeToken", "/shops/:shop/tokens/:id", {
      params: shopAndId,
      success: HttpApiSchema.NoContent,
      error: readErrors,
    }),
  )

const endpoint = { shop: Schema.String, endpoint: Schema.String }
const delivery = { ...endpoint, delivery: Schema.String }

/** An endpoint at the only time that its signing secret is shown. */
const NewEndpoint = Schema.Struct({ ...Endpoint.fields, secret: Schema.String })

const accepted = HttpApiSchema.status(202)

const webhooks = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("addEndpoint", "/shops/:shop/webhooks", {
      params: shop,
      success: NewEndpoint.pipe(created),
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.get("listEndpoints", "/shops/:shop/webhooks", {
      params: shop,
      success: listOf(Endpoint),
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.get("readEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: Endpoint,
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.patch("changeEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: Endpoint,
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.delete("removeEndpoint", "/shops/:shop/webhooks/:endpoint", {
      params: endpoint,
      success: HttpApiSchema.NoContent,
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("turnOn", "/shops/:shop/webhooks/:endpoint/enable", {
      params: endpoint,
      success: Endpoint,
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("sendTestEvent", "/shops/:shop/webhooks/:endpoint/test", {
      params: endpoint,
      success: Delivery.pipe(accepted),
      error: inputErrors,
    }),
  )
  .add(
    HttpApiEndpoint.get("listDeliveries", "/shops/:shop/webhooks/:endpoint/deliveries", {
      params: endpoint,
      success: listOf(Delivery),
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.get("readDelivery", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery", {
      params: delivery,
      success: Schema.Struct({ ...Delivery.fields, body: Schema.String }),
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("redeliver", "/shops/:shop/webhooks/:endpoint/deliveries/:delivery/redeliver", {
      params: delivery,
      success: Delivery.pipe(accepted),
      error: readErrors,
    }),
  )
  .add(
    HttpApiEndpoint.post("recover", "/shops/:shop/webhooks/:endpoint/recover", {
      params: endpoint,
      success: Schema.Struct({ deliveries: Schema.Int }).pipe(accepted),
      error: inputErrors,
    }),
  )

/**
 * The management API (contract.md): how designs and orders come in, and how tokens are managed.
 *
 * Bodies are not part of it: the use cases check their input themselves, and say more than a schema can.
 */
export const Contract = HttpApi.make("designwire-manage")
  .add(shops)
  .add(customizers)
  .add(designs)
  .add(orders)
  .add(tokens)
  .add(webhooks)
  .middleware(ManageKey)
  .prefix("/manage/v1")
  .annotateMerge(OpenApi.annotations({ title: "Designwire management API" }))
