import { Effect, Redacted } from "effect"
import { Digest } from "effect/crypto"

const utf8 = new TextEncoder()

/**
 * The purpose that sessions and links are sealed for: another key or the other kind of access does not accept them.
 * `key`: the management key, of an app that it opens.
 */
export const purposeOf = (key: Redacted.Redacted<string> | undefined) =>
  key === undefined
    ? Effect.succeed("embedded")
    : Digest.Digest.use((digest) => digest.digestHex(Digest.sha256, utf8.encode(Redacted.value(key))))
