import { Schema } from "effect"
import { format, type Instant, Timestamp } from "./Instant.ts"
import { storable } from "./Text.ts"

/** The input of creating a token. */
export const TokenInput = Schema.Struct({ name: storable(1, 255) })
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
}

/** A token as its owner sees it, after the one time that its text is shown. Timestamps as everywhere (D1). */
export const Token = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  hint: Schema.String.annotate({ description: "The token's last four characters" }),
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp).annotate({ description: "Exact to about a minute" }),
})
export type Token = typeof Token.Type

/** A token as its owner sees it. */
export const view = (record: TokenRecord): Token => ({
  id: record.id,
  name: record.name,
  hint: record.hint,
  createdAt: format(record.createdAt),
  lastUsedAt: record.lastUsedAt === null ? null : format(record.lastUsedAt),
})
