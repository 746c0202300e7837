import { Schema } from "effect"
import { DateTime, format, type Instant, Timestamp } from "../Instant.ts"
import { named, noted } from "../Means.ts"
import { storable } from "../Text.ts"

/**
 * A part of the REST API that a token may read (D77). Orders and events hold designs, which their scopes include as far
 * as they do.
 */
export const TokenScope = named(
  "TokenScope",
  "A part of the REST API that a token may read.",
  Schema.Literals(["orders:read", "designs:read", "customizers:read", "events:read"]),
)
export type TokenScope = typeof TokenScope.Type

/** The scopes of a token whose owner names none: all. */
export const allScopes: ReadonlyArray<TokenScope> = TokenScope.literals

const Scopes = Schema.Array(TokenScope).check(
  Schema.makeFilter((scopes) => scopes.length > 0 && new Set(scopes).size === scopes.length, {
    expected: "a list of at least one scope, none of them twice",
  }),
)

/**
 * The input of creating a token. `expiresAt` defaults to `null`, for a token that does not end, and `scopes` to all of
 * them (D77).
 */
export const TokenInput = Schema.Struct({
  name: noted("1 to 255 characters: the system that uses it.", storable(1, 255)),
  expiresAt: noted(
    "When it ends, in RFC 3339, later than now; from then on it is refused. Default: `null`, never.",
    Schema.optionalKey(Schema.NullOr(DateTime)),
  ),
  scopes: noted(
    "The parts of the REST API that it may read, at least one (D77). Default: all.",
    Schema.optionalKey(Scopes),
  ),
}).annotate({ documentation: "The input of creating an API token." })
export type TokenInput = typeof TokenInput.Type

/** A shop has at most this many tokens (D56). */
export const maximumTokens = 100

/** An API token as it is kept: never the token itself, only its digest (§5, D18). */
export interface TokenRecord {
  readonly shop: string
  /** `tok_…`. */
  readonly id: string
  readonly name: string
  /** The token's last four characters, so that its owner can recognise it. */
  readonly hint: string
  /** SHA-256 of the token, lowercase hex. */
  readonly digest: string
  readonly createdAt: Instant
  /** When it was last used, exact to about a minute. */
  readonly lastUsedAt: Instant | null
  /** When it ends: from then on it is refused like an unknown one. `null`: never. */
  readonly expiresAt: Instant | null
  /** The parts of the REST API that it may read. */
  readonly scopes: ReadonlyArray<TokenScope>
}

/** Whether a token has ended at an instant. */
export const hasEnded = ({ expiresAt }: Pick<TokenRecord, "expiresAt">, now: Instant): boolean =>
  expiresAt !== null && expiresAt <= now

/** A token as its owner sees it, after the one time that its text is shown. Timestamps as everywhere (D1). */
export const Token = Schema.Struct({
  id: noted("`tok_…`.", Schema.String),
  name: Schema.String,
  hint: Schema.String.annotate({ description: "The token's last four characters" }),
  createdAt: Timestamp,
  lastUsedAt: noted(
    "Exact to about a minute; `null` if it was never used.",
    Schema.NullOr(Timestamp).annotate({ description: "Exact to about a minute" }),
  ),
  expiresAt: Schema.NullOr(Timestamp).annotate({ description: "When it ends; null if it does not" }),
  scopes: Schema.Array(TokenScope).annotate({ description: "The parts of the REST API that it may read" }),
}).annotate({ documentation: "An API token, after the one time that its text is shown." })
export type Token = typeof Token.Type

/** A token as its owner sees it. */
export const view = (record: TokenRecord): Token => ({
  id: record.id,
  name: record.name,
  hint: record.hint,
  createdAt: format(record.createdAt),
  lastUsedAt: timestamp(record.lastUsedAt),
  expiresAt: timestamp(record.expiresAt),
  scopes: record.scopes,
})

const timestamp = (instant: Instant | null): string | null => (instant === null ? null : format(instant))
