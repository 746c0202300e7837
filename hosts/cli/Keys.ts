import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted, Result } from "effect"
import { makeDataDirectory } from "../../adapters/pglite/DataDirectory.ts"
import { reasonOf } from "../../adapters/sql/statements/Reason.ts"
import type { KeyRing } from "../../core/ports/KeyRing.ts"
import { isEncryptionKey, isManageKey, parseKeyRing } from "../../core/rules/catalog/ConfigValues.ts"
import { newKey } from "./NewKey.ts"
import { configError, type HostConfig } from "./ReadConfig.ts"

/**
 * The key of the management API. With the embedded database, a key that the configuration leaves out is generated at
 * the first start and kept in the data directory, readable only by its owner.
 */
export const readManageKey = Effect.fn("readManageKey")(function* (config: HostConfig) {
  return config.manageKey ?? Redacted.make(yield* kept(config.dataDirectory, "manage-key", isManageKey))
})

/** The encryption keys, newest first; kept like the manage key. */
export const readKeyRing = Effect.fn("readKeyRing")(function* (config: HostConfig) {
  const ring: KeyRing["Service"] =
    config.keyRing ??
    Result.getOrThrow(parseKeyRing(yield* kept(config.dataDirectory, "encryption-key", isEncryptionKey)))
  return ring
})

const kept = Effect.fnUntraced(function* (directory: string, name: string, isValid: (text: string) => boolean) {
  const path = join(directory, name)
  if (!existsSync(path)) yield* makeDataDirectory(directory)
  const key = yield* newKey
  const text = yield* Effect.try({
    try: () => {
      if (!existsSync(path)) keep(path, `${key}\n`)
      return readFileSync(path, "utf8").trim()
    },
    catch: (cause) => configError(`The data directory ${directory} can't be used: ${reasonOf(cause)}`),
  })
  return isValid(text)
    ? text
    : yield* configError(`${path} does not hold a key: restore it, or remove it to get a new one`)
})

/**
 * Writes the whole file or nothing, even during a crash, and only for the first of several processes: half a key must
 * never be used.
 */
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
