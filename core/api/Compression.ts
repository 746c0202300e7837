import { Context } from "effect"
import type { Compressor } from "../model/ContentCoding.ts"

/**
 * Compresses the answers of the REST API. Without a compressor they go out as plain text.
 *
 * The answers of the management API and of the settings app are never compressed. They hold secrets and form keys
 * beside texts that others choose: an attacker who sees the length of a compressed answer could guess the secrets
 * (BREACH).
 */
export const Compression = Context.Reference<Compressor | undefined>("designwire/api/Compression", {
  defaultValue: () => undefined,
})
