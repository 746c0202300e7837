import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { base62 } from "../model/Base62.ts"

type Prefix = "tok_" | "evt_" | "dlv_" | "whe_" | "dsn_" | "aud_" | "inb_"

/** An id of a millisecond. Without random bits, it is the first of them. */
export const idAt = (prefix: Prefix, at: number, random: Uint8Array = new Uint8Array(10)): string => {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Math.max(0, Math.trunc(at))) << 16n)
  bytes.set(random, 6)
  return `${prefix}${base62(bytes, 22)}`
}

/**
 * An unguessable, unique id: a prefix (D9) and 22 characters, which are the millisecond and 80 random bits as one
 * number in base62.
 *
 * Ids sort by their millisecond in code point order, so new rows go to one place of a store's index, whatever its size.
 */
export const newId = (prefix: Prefix): Effect.Effect<string, never, SecureRandom.SecureRandom> =>
  Effect.zipWith(
    Clock.currentTimeMillis,
    SecureRandom.SecureRandom.use((random) => random.randomBytes(10)),
    (now, random) => idAt(prefix, now, random),
  )
