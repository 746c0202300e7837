import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import { type Settings, SettingsError } from "./Settings.ts"

/** The host's secrets. */
export interface Keys {
  readonly manageKey: Redacted.Redacted<string>
  readonly keyRing: KeyRing["Service"]
}

/**
 * The secrets of the settings; with the embedded database those that the settings leave out are generated at the first start and kept in
 * the data directory, readable by its owner alone.
 */
export const readKeys = Effect.fn("readKeys")(function* (settings: Settings) {
  const manageKey = settings.manageKey ?? Redacted.make(yield* kept(settings, "manage-key"))
  const keys = settings.encryptionKeys ?? [
    Redacted.make(Result.getOrThrow(Base64.decode(yield* kept(settings, "encryption-key")))),
  ]
  const [first, ...rest] = keys
  if (first === undefined) return yield* new SettingsError({ message: "No encryption key", problems: [] })
  const result: Keys = { manageKey, keyRing: { keys: [first, ...rest] } }
  return result
})

const kept = Effect.fnUntraced(function* (settings: Settings, name: string) {
  const bytes = yield* SecureRandom.SecureRandom.use((random) => random.randomBytes(32))
  return yield* Effect.try({
    try: () => {
      const path = join(settings.dataDirectory, name)
      if (!existsSync(path)) {
        mkdirSync(settings.dataDirectory, { recursive: true, mode: 0o700 })
        writeFileSync(path, `${Base64.encode(bytes)}\n`, { mode: 0o600, flag: "wx" })
      }
      return readFileSync(path, "utf8").trim()
    },
    catch: (cause) => {
      const message = `The data directory ${settings.dataDirectory} can't be used: ${String(cause)}`
      return new SettingsError({ message, problems: [message] })
    },
  })
})
