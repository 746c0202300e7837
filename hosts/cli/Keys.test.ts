import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeCrypto } from "@effect/platform-node"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { readKeyRing, readManageKey } from "./Keys.ts"
import { readConfig } from "./ReadConfig.ts"

const dataDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-keys-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
).pipe(Effect.map((path) => join(path, "data")))

/** The secrets of a host on a data directory, as texts. */
const keysOf = Effect.fnUntraced(function* (directory: string, environment: Readonly<Record<string, string>> = {}) {
  const config = yield* readConfig({ DESIGNWIRE_DATA_DIR: directory, ...environment })
  const manageKey = yield* readManageKey(config)
  const keyRing = yield* readKeyRing(config)
  return {
    manageKey: Redacted.value(manageKey),
    encryptionKeys: keyRing.keys.map((key) => Buffer.from(Redacted.value(key)).toString("base64")),
  }
}, Effect.provide(NodeCrypto.layer))

const someKey = (byte: number) => Buffer.alloc(32, byte).toString("base64")

it.effect("MUST generate both secrets at the first start and return the same ones afterwards", () =>
  Effect.gen(function* () {
    const directory = yield* dataDirectory
    const first = yield* keysOf(directory)
    expect(first.manageKey.length).toBeGreaterThanOrEqual(32)
    expect(first.encryptionKeys).toHaveLength(1)
    expect(first.encryptionKeys[0]).not.toBe(first.manageKey)
    expect(yield* keysOf(directory)).toEqual(first)
    expect(yield* keysOf(yield* dataDirectory)).not.toEqual(first)
  }),
)

it.effect("MUST keep nothing but the generated secrets, readable by the owner alone, in the owner's directory", () =>
  Effect.gen(function* () {
    const directory = yield* dataDirectory
    yield* keysOf(directory)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(readdirSync(directory).sort()).toEqual(["encryption-key", "manage-key"])
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
  }),
)

it.effect("MUST generate only the keys that the configuration leaves out, and store none that it has", () =>
  Effect.gen(function* () {
    const directory = yield* dataDirectory
    const manageKey = "a-manage-key-of-my-own"
    const given = yield* keysOf(directory, { DESIGNWIRE_MANAGE_KEY: manageKey })
    expect(given.manageKey).toBe(manageKey)
    expect(readdirSync(directory)).toEqual(["encryption-key"])
    const both = yield* keysOf(yield* dataDirectory, {
      DESIGNWIRE_MANAGE_KEY: manageKey,
      DESIGNWIRE_ENCRYPTION_KEYS: `${someKey(2)}, ${someKey(1)}`,
    })
    expect(both).toEqual({ manageKey, encryptionKeys: [someKey(2), someKey(1)] })
  }),
)

it.effect("MUST use a secret that the owner wrote into the file", () =>
  Effect.gen(function* () {
    const directory = yield* dataDirectory
    yield* keysOf(directory)
    writeFileSync(join(directory, "manage-key"), "a-manage-key-of-my-own\n")
    writeFileSync(join(directory, "encryption-key"), someKey(3))
    expect(yield* keysOf(directory)).toEqual({ manageKey: "a-manage-key-of-my-own", encryptionKeys: [someKey(3)] })
  }),
)

for (const name of ["manage-key", "encryption-key"]) {
  it.effect(
    `MUST refuse an empty or cut off ${name} file rather than use it or replace it, and print nothing of it`,
    () =>
      Effect.gen(function* () {
        const directory = yield* dataDirectory
        yield* keysOf(directory)
        for (const text of ["", "\n", "cut-off"]) {
          writeFileSync(join(directory, name), text)
          const { message } = yield* Effect.flip(keysOf(directory))
          expect(message).toContain(join(directory, name))
          expect(message).not.toContain("cut-off")
          expect(readFileSync(join(directory, name), "utf8")).toBe(text)
        }
      }),
  )
}

it.effect("MUST say that the data directory can't be used if there is a file in its place", () =>
  Effect.gen(function* () {
    const path = yield* dataDirectory
    writeFileSync(path, "")
    expect((yield* Effect.flip(keysOf(path))).message).toContain(path)
    expect((yield* Effect.flip(keysOf(join(path, "below")))).message).toContain(path)
  }),
)
