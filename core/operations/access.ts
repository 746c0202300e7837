import { Effect, Redacted, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import * as Links from "../model/access/SettingsLink.ts"
import * as Model from "../model/access/Token.ts"
import { Timestamp } from "../model/Instant.ts"
import { createToken, deleteToken, listTokens } from "../usecases/access/ManageTokens.ts"
import { createSettingsLink } from "../usecases/access/SettingsLinks.ts"
import * as Errors from "./Errors.ts"
import { asList, operation } from "./Operation.ts"
import { created, describe, inputErrors, listOf, readErrors, removed, segment, shop } from "./Parts.ts"

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

/** The same for the application around the library. */
const WholeToken = Schema.Struct({
  ...Token.fields,
  token: Schema.String.annotate({ documentation: "`cmz_…`, to be sent as `Authorization: Bearer cmz_…`." }),
}).annotate({
  identifier: "NewToken",
  documentation: "An API token as it is answered when it is made, for the only time.",
})

export const tokens = {
  id: "tokens",
  comment: "API tokens of a shop, for clients of its REST API.",
  title: "Tokens",
  description: "Tokens of the REST API.",
  operations: {
    create: operation(
      HttpApiEndpoint.post("createToken", "/shops/:shop/tokens", {
        params: shop,
        payload: Model.TokenInput.annotate({ identifier: "TokenInput" }),
        success: NewToken.pipe(created),
        error: [...inputErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Create a token",
          "Creates a token with which a system of the shop reads the REST API. Its text is shown in this answer only. " +
            "It has no end and all scopes unless the request names an end, later than now, or scopes. From its end on " +
            "it is refused like an unknown one. A shop has at most 100 tokens, those that have ended included.",
        ),
      ),
      {
        input: "body",
        gives: WholeToken,
        call: (shop: string, input: Model.TokenInput) =>
          Effect.map(createToken(shop, input), ({ text, token }) => ({ ...token, token: Redacted.value(text) })),
        method: "changes",
        comment:
          "Creates a token, without an end and with all scopes unless the input says otherwise; only this result has " +
          "its text. Fails with `NotFound` without the shop, `InvalidInput`, `Conflict` beyond the hundredth token, " +
          "`PlanRequired`.",
      },
    ),
    list: operation(
      HttpApiEndpoint.get("listTokens", "/shops/:shop/tokens", {
        params: shop,
        success: listOf(Token),
        error: readErrors,
      }).annotateMerge(describe("List tokens", "The shop's tokens, without their texts.")),
      {
        call: listTokens,
        answer: asList,
        method: "reads",
        comment: "Newest first. Fails with `NotFound` without the shop.",
      },
    ),
    delete: operation(
      HttpApiEndpoint.delete("deleteToken", "/shops/:shop/tokens/:id", {
        params: { ...shop, id: segment("The token's id, `tok_…`") },
        success: removed,
        error: readErrors,
      }).annotateMerge(
        describe("Delete a token", "The token is refused at once on this host, and within a second on every other."),
      ),
      {
        call: deleteToken,
        method: "changes",
        comment:
          "Deletes a token. This process refuses it at once, every other within a second; with `tx`, within a second " +
          "of your commit. Fails with `NotFound`.",
      },
    ),
  },
} as const

export const settings = {
  id: "settings",
  comment: "The settings app, in which people manage a shop's tokens and webhooks.",
  title: "Settings app",
  description: "Links that let people into it.",
  operations: {
    link: operation(
      HttpApiEndpoint.post("createSettingsLink", "/shops/:shop/settings-link", {
        params: shop,
        payload: Links.SettingsLinkInput.annotate({ identifier: "SettingsLinkInput" }),
        success: Links.SettingsLink.annotate({ identifier: "SettingsLink" }).pipe(created),
        error: [...inputErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Create a settings link",
          "Makes a link that lets one person into the settings app, for this shop only. Opening it shows a button; the",
          "button begins a session of twelve hours, once. Keep it as secret as a password until it is used.",
        ),
      ),
      {
        input: "body",
        call: createSettingsLink,
        method: "reads",
        comment:
          "Makes a link that lets one person into the settings app, for this shop only. It shows a button that " +
          "begins a session of twelve hours, once. Fails with `NotFound` without the shop, `InvalidInput`, and " +
          "`Conflict` without the option `settings`.",
      },
    ),
  },
} as const
