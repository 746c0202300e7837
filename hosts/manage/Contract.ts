import { HttpApi, OpenApi } from "effect/http-api"
import { type AnswerHeader, complete } from "../../core/api/Document.ts"
import { apiVersion } from "../../core/model/Event.ts"
import { audit } from "./contract/Audit.ts"
import { customizers } from "./contract/Customizers.ts"
import { designs } from "./contract/Designs.ts"
import { exports } from "./contract/Export.ts"
import { withIdempotencyKey } from "./contract/IdempotencyKey.ts"
import { inbox } from "./contract/Inbox.ts"
import { orders } from "./contract/Orders.ts"
import { settings } from "./contract/Settings.ts"
import { shops } from "./contract/Shops.ts"
import { tokens } from "./contract/Tokens.ts"
import { webhooks } from "./contract/Webhooks.ts"
import { IdempotencyKey } from "./IdempotencyKey.ts"
import { ManageKey } from "./ManageKey.ts"

const answerHeaders: Readonly<Record<string, AnswerHeader>> = {
  "Cache-Control": {
    description: "Answers may contain secrets and must not be cached",
    schema: { type: "string", const: "no-store" },
  },
  "WWW-Authenticate": { description: "How to send the manage key", statuses: ["401"], required: true },
  "Retry-After": {
    description: "Seconds after which keys from this address are compared again, or the request is worth another try",
    schema: { type: "string", pattern: "^[1-9][0-9]*$" },
    statuses: ["429", "503"],
    required: true,
  },
}

const completed = complete({ headers: answerHeaders, conditional: false, retryable: true })

/**
 * The management API as data. Applications store designs and orders through it, and manage tokens and webhook
 * endpoints.
 *
 * The schemas of bodies are documentation. The use cases check their input and say more about it than a schema can, so
 * the handlers of endpoints with a body are raw.
 */
export const Contract = HttpApi.make("designwire-manage")
  .add(shops)
  .add(customizers)
  .add(designs)
  .add(orders)
  .add(exports)
  .add(inbox)
  .add(tokens)
  .add(webhooks)
  .add(audit)
  .add(settings)
  .middleware(IdempotencyKey)
  .middleware(ManageKey)
  .prefix("/manage/v1")
  .annotateMerge(
    OpenApi.annotations({
      title: "Designwire management API",
      version: apiVersion,
      transform: (document) => withIdempotencyKey(completed(document)),
      description: [
        "Stores designs and orders, and manages tokens and webhook endpoints. Bodies are JSON of at most 1 MiB. Money is",
        "an integer in minor units of the shop's currency; timestamps are RFC 3339 date-times.",
      ].join(" "),
    }),
  )
