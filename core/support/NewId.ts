import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { base62 } from "../model/Base62.ts"

/** An id that nobody can guess and that no other has: a prefix (D9) and 128 random bits in base62. */
export const newId = (
  prefix: "tok_" | "evt_" | "dlv_" | "whe_" | "dsn_",
): Effect.Effect<string, never, SecureRandom.SecureRandom> =>
  SecureRandom.SecureRandom.use((random) =>
    Effect.map(random.randomBytes(16), (bytes) => `${prefix}${base62(bytes, 22)}`),
  )
