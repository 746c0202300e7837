import { Context } from "effect"
import type { Compressor } from "../model/ContentCoding.ts"

/**
 * Compresses the answers of the REST API. Without a compressor they go out as plain text.
 *
 * The answers of the management API and of the settings app are never compressed. They hold secrets and form keys
 * alongside texts that others choose: an attacker who sees the length of a compressed answer could guess the secrets
 * (BREACH).
 */
export const Compression = Context.Reference<Compressor | undefined>("designwire/api/Compression", {
  defaultValue: () => undefined,
})

/** The content coding of an answer (RFC 9110 §12.5.3). */

const member = /^([a-z0-9!#$%&'*+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/

/** The weight of each coding that `Accept-Encoding` names. Ignores members that can't be read. */
const weightsOf = (acceptEncoding: string): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [, coding, weight] = member.exec(item.trim()) ?? []
    if (coding !== undefined) weights.set(coding, weight === undefined ? 1 : Number(weight))
  }
  return weights
}

/** Less than any weight that can be written. */
const least = 0.0001

/**
 * The offered codings that a client accepts, in its order of preference, then in the order of the offer. They include
 * `identity`, the plain text, unless the client rules it out and accepts another.
 */
export const acceptedCodings = <Coding extends string>(
  offered: ReadonlyArray<Coding>,
  acceptEncoding: string,
): ReadonlyArray<Coding | "identity"> => {
  const weights = weightsOf(acceptEncoding)
  const others = weights.get("*")
  const accepted = [
    ...offered.map((coding) => ({ coding, weight: weights.get(coding) ?? others ?? 0 })),
    { coding: "identity" as const, weight: weights.get("identity") ?? others ?? least },
  ]
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight)
    .map(({ coding }) => coding)
  return accepted.length === 0 ? ["identity"] : accepted
}

/** The strong tag of a text in a coding, with quotes: different bytes have different tags (RFC 9110 §8.8.3.3). */
export const tagIn = (coding: string, etag: string): string =>
  coding === "identity" ? `"${etag}"` : `"${etag}-${coding}"`
