import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { Timestamp } from "../../../core/model/Instant.ts"
import * as Model from "../../../core/model/Token.ts"
import { created, describe, inputErrors, listOf, readErrors, removed, segment, shop } from "./Common.ts"

const Token = Model.Token.annotate({ identifier: "Token" })

/** A new token: the only answer that shows its text. */
const NewToken = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  token: Schema.String.annotate({ description: "The token's text, shown only once" }),
  createdAt: Timestamp,
  expiresAt: Token.fields.expiresAt,
  scopes: Token.fields.scopes,
}).annotate({ identifier: "NewToken" })

/** Tokens of the REST API. */
export const tokens = HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("createToken", "/shops/:shop/tokens", {
      params: shop,
      payload: Model.TokenInput.annotate({ identifier: "TokenInput" }),
      success: NewToken.pipe(created),
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Create a token",
        "Creates a token with which a system of the store reads the REST API. Its text is shown in this answer only. " +
          "It has no end and all scopes unless the request names an end, later than now, or scopes. From its end on " +
          "it is refused like an unknown one. A shop has at most 100 tokens, those that have ended included.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.get("listTokens", "/shops/:shop/tokens", {
      params: shop,
      success: listOf(Token),
      error: readErrors,
    }).annotateMerge(describe("List tokens", "The shop's tokens, without their texts.")),
  )
  .add(
    HttpApiEndpoint.delete("deleteToken", "/shops/:shop/tokens/:id", {
      params: { ...shop, id: segment("The token's id, `tok_…`") },
      success: removed,
      error: readErrors,
    }).annotateMerge(
      describe("Delete a token", "The token is refused at once on this host, and within a second on every other."),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Tokens", description: "Tokens of the REST API." }))
