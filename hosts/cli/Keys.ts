import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import { isEncryptionKey, isManageKey, type Settings, SettingsError } from "./Settings.ts"

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
  const manageKey = settings.manageKey ?? Redacted.make(yield* kept(settings, "manage-key", isManageKey))
  const keys = settings.encryptionKeys ?? [
    Redacted.make(Result.getOrThrow(Base64.decode(yield* kept(settings, "encryption-key", isEncryptionKey)))),
  ]
  const [first, ...rest] = keys
  if (first === undefined) return yield* new SettingsError({ message: "No encryption key", problems: [] })
  const result: Keys = { manageKey, keyRing: { keys: [first, ...rest] } }
  return result
})

const kept = Effect.fnUntraced(function* (settings: Settings, name: string, isValid: (text: string) => boolean) {
  const bytes = yield* SecureRandom.SecureRandom.use((random) => random.randomBytes(32))
  const path = join(settings.dataDirectory, name)
  const text = yield* Effect.try({
    try: () => {
      if (!existsSync(path)) {
        mkdirSync(settings.dataDirectory, { recursive: true, mode: 0o700 })
        keep(path, `${Base64.encode(bytes)}\n`)
      }
      return readFileSync(path, "utf8").trim()
    },
    catch: (cause) => refused(`The data directory ${settings.dataDirectory} can't be used: ${String(cause)}`),
  })
  return isValid(text) ? text : yield* refused(`${path} does not hold a key: restore it, or remove it to get a new one`)
})

/** Whole or not at all, whatever happens meanwhile, and for the first of several processes: half a key must never become one. */
const keep = (path: string, text: string): void => {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    linkSync(draft, path)
  } catch (cause) {
    if (!existsSync(path)) throw cause
  } finally {
    rmSync(draft, { force: true })
  }
}

const refused = (message: string) => new SettingsError({ message, problems: [message] })
