/** The script of the guide that moves an embedded database to a server. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { lockDataDirectory } from "../../adapters/pglite/DataDirectory.ts"
import { parse } from "../../conformance/checks/package/guides/Guide.ts"
import { temporaryDirectory } from "../../conformance/testkit/processes/Processes.ts"

it.live("MUST refuse while a process has the embedded database, and before it reads anything", () =>
  Effect.gen(function* () {
    const { steps } = parse(readFileSync(join(import.meta.dirname, "README.md"), "utf8"))
    const script = steps.find((step) => step.kind === "write" && step.file === "move/move.mjs")
    if (script?.kind !== "write") return yield* Effect.die(new Error("The guide has no move.mjs"))
    const lines = script.code.split("\n")
    const begin = lines.findIndex((line) => line.includes("PGlite.create("))
    const packages = /^import .* from "(?!node:)/
    const locking = lines.slice(0, begin).filter((line) => !packages.test(line))
    const directory = yield* temporaryDirectory
    writeFileSync(join(directory, "move.mjs"), [...locking, 'console.log("reads")'].join("\n"))
    const move = Effect.sync(() => spawnSync(process.execPath, ["move.mjs"], { cwd: directory, encoding: "utf8" }))
    const held = yield* Effect.scoped(Effect.andThen(lockDataDirectory(join(directory, ".designwire")), move))
    expect([held.status, held.stdout]).toEqual([1, ""])
    expect(held.stderr).toContain("A process has the database in .designwire: stop it first")
    expect(yield* move).toMatchObject({ status: 0, stdout: "reads\n" })
  }),
)
