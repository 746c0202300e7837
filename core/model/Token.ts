import { Schema } from "effect"
import type { Instant } from "./Instant.ts"
import { storable } from "./Text.ts"

/** What a token is made from. */
export const TokenInput = Schema.Struct({ name: storable(1, 255) })

/** An API token as it is kept: never the token itself, only its digest (§5, D18). */
export interface TokenRecord {
  readonly shop: string
  /** `tok_…`. */
  readonly id: string
  readonly name: string
  /** The token's last four characters, so that its owner can tell it from others. */
  readonly hint: string
  /** SHA-256 of the token, lowercase hex. */
  readonly digest: string
  readonly createdAt: Instant
  /** When it was last used, exact to about a minute. */
  readonly lastUsedAt: Instant | null
}
