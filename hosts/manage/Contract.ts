import { HttpApi, OpenApi } from "effect/http-api"
import { type AnswerHeader, complete } from "../../core/api/Document.ts"
import { apiVersion } from "../../core/model/Event.ts"
import { customizers } from "./contract/Customizers.ts"
import { designs } from "./contract/Designs.ts"
import { orders } from "./contract/Orders.ts"
import { shops } from "./contract/Shops.ts"
import { tokens } from "./contract/Tokens.ts"
import { webhooks } from "./contract/Webhooks.ts"
import { ManageKey } from "./ManageKey.ts"

const answerHeaders: Readonly<Record<string, AnswerHeader>> = {
  "Cache-Control": {
    description: "Answers hold secrets at times; none of them is for a cache",
    schema: { type: "string", const: "no-store" },
  },
  "WWW-Authenticate": { description: "How to send the manage key", statuses: ["401"], required: true },
  "Retry-After": {
    description: "Seconds after which keys from this address are compared again",
    schema: { type: "string", pattern: "^[1-9][0-9]*$" },
    statuses: ["429"],
    required: true,
  },
}

/**
 * The management API as data: how designs and orders come in, and how tokens and webhook endpoints are managed.
 *
 * Bodies stand here for readers. The use cases check their input themselves and say more than a schema can, so that the
 * handlers of endpoints with a body are raw ones.
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
      transform: complete({ headers: answerHeaders, conditional: false }),
      description:
        "How designs and orders come in, and how tokens and webhook endpoints are managed. Bodies are JSON of at most 1 MiB. Money is an integer in minor units of the shop's currency; timestamps are RFC 3339 date-times.",
    }),
  )
