import { Clock, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { base62 } from "../model/Base62.ts"

/**
 * An id that nobody can guess and that no other has: a prefix (D9) and 22 characters, the millisecond and 80 random bits as one number in base62.
 *
 * By code point, ids sort by the millisecond in which they were made: what is new stands at one place of a store's index, however much it holds.
 */
export const newId = (
  prefix: "tok_" | "evt_" | "dlv_" | "whe_" | "dsn_",
): Effect.Effect<string, never, SecureRandom.SecureRandom> =>
  Effect.zipWith(
    Clock.currentTimeMillis,
    SecureRandom.SecureRandom.use((random) => random.randomBytes(10)),
    (now, random) => {
      const bytes = new Uint8Array(16)
      new DataView(bytes.buffer).setBigUint64(0, BigInt(now) << 16n)
      bytes.set(random, 6)
      return `${prefix}${base62(bytes, 22)}`
    },
  )
