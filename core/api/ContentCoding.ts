/** In which content coding an answer goes out (RFC 9110 §12.5.3): the one home of this rule. */

const member = /^([a-z0-9!#$%&'*+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?))?$/

/** What `Accept-Encoding` says of each coding that it names; what can't be read of it says nothing. */
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
 * The codings of those offered that a client accepts, what it likes best first, then what stands first in the offer. `identity`, the
 * plain text, is among them wherever the client does not rule it out, and where there is nothing else.
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

/** The strong tag of a text in a coding, with its quotes: other bytes have another tag (RFC 9110 §8.8.3.3). */
export const tagIn = (coding: string, etag: string): string =>
  coding === "identity" ? `"${etag}"` : `"${etag}-${coding}"`
