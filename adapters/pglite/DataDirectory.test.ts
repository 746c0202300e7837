import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeDataDirectory } from "./DataDirectory.ts"

const parent = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-directory-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

/** The message with which a directory is refused. */
const refusal = (directory: string) =>
  Effect.map(Effect.flip(makeDataDirectory(directory)), ({ message }) => {
    expect(message).toContain(`${directory} can't be used as data directory: `)
    return message
  })

it.effect("MUST create the directory for its owner alone, and its parents with the usual mode", () =>
  Effect.gen(function* () {
    const directory = join(yield* parent, "a", "b")
    const usual = join(yield* parent, "usual")
    mkdirSync(usual)
    for (const _ of ["made", "there"]) {
      yield* makeDataDirectory(directory)
      expect(statSync(directory).mode & 0o777).toBe(0o700)
    }
    expect(statSync(join(directory, "..")).mode).toBe(statSync(usual).mode)
  }),
)

it.effect("MUST refuse the database within a data directory, which would be taken for an empty one", () =>
  Effect.gen(function* () {
    const directory = join(yield* parent, "data")
    mkdirSync(join(directory, "pgdata"), { recursive: true, mode: 0o700 })
    writeFileSync(join(directory, "pgdata/PG_VERSION"), "18\n")
    expect(yield* refusal(join(directory, "pgdata"))).toContain(`name ${directory}`)
    expect(readdirSync(join(directory, "pgdata"))).toEqual(["PG_VERSION"])
  }),
)

it.effect("MUST refuse a directory that others may read, say what to do, and leave it as it is", () =>
  Effect.gen(function* () {
    const directory = yield* parent
    for (const mode of [0o755, 0o750, 0o701, 0o770]) {
      chmodSync(directory, mode)
      expect(yield* refusal(directory)).toContain(`(mode ${mode.toString(8)}): run "chmod 700 ${directory}"`)
      expect(statSync(directory).mode & 0o777).toBe(mode)
    }
    chmodSync(directory, 0o700)
    yield* makeDataDirectory(directory)
  }),
)

it.effect.skipIf(process.getuid?.() !== 0)(
  "MUST refuse another user's directory (skipped unless root runs the tests: only root can give files away)",
  () =>
    Effect.gen(function* () {
      const directory = yield* parent
      chownSync(directory, 12_345, 12_345)
      expect(yield* refusal(directory)).toContain("it belongs to another user")
    }),
)

it.effect("MUST fail with a sentence if the directory can't be created", () =>
  Effect.gen(function* () {
    const file = join(yield* parent, "file")
    writeFileSync(file, "")
    expect(yield* refusal(join(file, "below"))).toContain("ENOTDIR")
    if (process.platform === "linux") expect(yield* refusal("/proc/nowhere/data")).toContain("ENOENT")
  }),
)
