import { Schema } from "effect"
import { noted } from "../Means.ts"
import { storable } from "../Text.ts"
import { maximumUrl } from "./HostPolicy.ts"

/** Characters of RFC 6749 (Appendix A) for what a client is known by: visible ASCII and the space. */
const visible = (maximum: number) =>
  Schema.String.check(
    Schema.isPattern(new RegExp(`^[\\x20-\\x7e]{1,${maximum}}$`), {
      expected: `a string of 1 to ${maximum} visible ASCII characters`,
    }),
  )

const scopes = 'scopes in at most 1024 visible ASCII characters other than " and \\, with one space between two of them'

/** Scopes as RFC 6749 §3.3 writes them. */
const Scope = Schema.String.check(
  Schema.isMaxLength(1_024, { expected: scopes }),
  Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, {
    expected: scopes,
  }),
)

/**
 * OAuth 2.0 client credentials (RFC 6749 §4.4), by which the deliveries of an endpoint get their access tokens (D55).
 * Whether the host of `tokenUrl` is public is for `rules/PublicHost` to say, as of an endpoint's URL.
 */
export const ClientCredentials = Schema.Struct({
  tokenUrl: noted("The address that gives tokens: a URL that an endpoint could have, too.", storable(1, maximumUrl)),
  clientId: noted("At most 255 visible ASCII characters.", visible(255)),
  clientSecret: noted("At most 1,024 visible ASCII characters.", visible(1_024)),
  scope: noted(
    "Scopes with one space between two of them, at most 1,024 characters. Default: `null`, the server's own.",
    Schema.optionalKey(Schema.NullOr(Scope)),
  ),
  audience: noted(
    "For servers that want one, at most 1,024 visible ASCII characters. Default: `null`, none.",
    Schema.optionalKey(Schema.NullOr(visible(1_024))),
  ),
}).annotate({
  unrepeated: true,
  typeName: "OAuthInput",
  documentation: "OAuth 2.0 client credentials (RFC 6749 §4.4).",
})
export type ClientCredentials = typeof ClientCredentials.Type

/** The same as their owner sees them: without the secret. */
export const CredentialsView = Schema.Struct({
  tokenUrl: Schema.String,
  clientId: Schema.String,
  scope: Schema.NullOr(Schema.String),
  audience: Schema.NullOr(Schema.String),
}).annotate({ typeName: "OAuthClient", documentation: "An OAuth client without its secret." })

/** The same as they are kept: the client's secret is sealed as a signing secret is (D20). */
export interface SealedCredentials extends Schema.Schema.Type<typeof CredentialsView> {
  readonly sealed: string
}

/** The credentials as their owner sees them. */
export const viewCredentials = ({ audience, clientId, scope, tokenUrl }: SealedCredentials) => ({
  tokenUrl,
  clientId,
  scope,
  audience,
})
