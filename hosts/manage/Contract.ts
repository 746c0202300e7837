import { HttpApi, OpenApi } from "effect/http-api"
import { apiVersion } from "../../core/model/Event.ts"
import { customizers } from "./contract/Customizers.ts"
import { designs } from "./contract/Designs.ts"
import { orders } from "./contract/Orders.ts"
import { shops } from "./contract/Shops.ts"
import { tokens } from "./contract/Tokens.ts"
import { webhooks } from "./contract/Webhooks.ts"
import { ManageKey } from "./ManageKey.ts"

/**
 * The management API as data: how designs and orders come in, and how tokens and webhook endpoints are managed.
 *
 * Bodies stand here for readers. The use cases check their input themselves and say more than a schema can, so that the handlers of
 * endpoints with a body are raw ones.
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
  .annotateMerge(
    OpenApi.annotations({
      title: "Designwire management API",
      version: apiVersion,
      description:
        "How designs and orders come in, and how tokens and webhook endpoints are managed. Bodies are JSON of at most 1 MiB. Money is an integer in minor units of the shop's currency; timestamps are RFC 3339 date-times.",
    }),
  )
