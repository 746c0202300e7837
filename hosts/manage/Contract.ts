import { HttpApi, OpenApi } from "effect/http-api"
import { type AnswerHeader, complete } from "../../core/api/Document.ts"
import { apiVersion } from "../../core/model/events/Event.ts"
import * as Operations from "../../core/operations/index.ts"
import { groupOf } from "../../core/operations/Operation.ts"
import { IdempotencyKey } from "./IdempotencyKey.ts"
import { withIdempotencyKey } from "./IdempotencyKeyDocs.ts"
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
 */
export const Contract = HttpApi.make("designwire-manage")
  .add(groupOf(Operations.shops))
  .add(groupOf(Operations.customizers))
  .add(groupOf(Operations.designs))
  .add(groupOf(Operations.orders))
  .add(groupOf(Operations.exported))
  .add(groupOf(Operations.inbox))
  .add(groupOf(Operations.platforms))
  .add(groupOf(Operations.tokens))
  .add(groupOf(Operations.webhooks))
  .add(groupOf(Operations.audit))
  .add(groupOf(Operations.settings))
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
