import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const utf8 = new TextEncoder()

/** Tag of a text: 128 bits of its SHA-256, so that equal tags mean equal text (D17). Without quotes. */
export const etagOf = (text: string): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) =>
    Effect.map(digest.digest(Digest.sha256, utf8.encode(text)), (hash) => Base64Url.encode(hash.subarray(0, 16))),
  )
