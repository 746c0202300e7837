/** The types that users see: made from the operations, without Effect. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest"
import { modules } from "../../conformance/checks/functions/Functions.ts"
import type { Problem } from "../../core/model/Problem.ts"
import type { Drained } from "../../core/usecases/webhooks/dispatch/Dispatch.ts"
import type { Authorize } from "../settings/Options.ts"
import type * as Embed from "./index.ts"

/** Without what a formatter changes. */
const unformatted = (text: string) =>
  text
    .replace(/\s+/g, "")
    .replace(/,(?=[)}\]>])/g, "")
    .replace(/(?<=[=<:(])\|/g, "")
    .replaceAll(";", "")

describe("The types of designwire/embed", () => {
  it("MUST be made from the operations: npm run functions", () => {
    for (const [file, text] of Object.entries(modules())) {
      expect(unformatted(readFileSync(file, "utf8"))).toBe(unformatted(text))
    }
  })

  it("MUST be the core's types, unless they are an operation's", () => {
    expectTypeOf<ReturnType<Embed.SettingsApp["authorize"]>>().toEqualTypeOf<ReturnType<Authorize>>()
    expectTypeOf<Embed.Drained>().toEqualTypeOf<Drained>()
    expectTypeOf<Embed.Problem>().toEqualTypeOf<Problem>()
  })

  it("MUST refer to no type of effect or any other package", () => {
    const root = resolve(import.meta.dirname, "../..")
    const output = mkdtempSync(join(tmpdir(), "designwire-types-"))
    onTestFinished(() => rmSync(output, { recursive: true, force: true }))
    // `npm run check:types` checks the same files.
    const options = ["--noCheck", "--emitDeclarationOnly", "--outDir", output]
    execFileSync(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", ...options],
      {
        cwd: root,
      },
    )
    const entry = join(output, "hosts/embed/index.d.ts")
    const files = new Set([entry])
    const packages = new Set<string>()
    for (const file of files) {
      for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
        if (from.startsWith("."))
          files.add(resolve(dirname(file), from.replace(/\.ts$/, ".d.ts").replace(/\.js$/, ".d.ts")))
        // Examples import the package itself.
        else if (!from.startsWith("designwire/")) packages.add(from)
      }
    }
    expect([...packages]).toEqual([])
    expect(files.size).toBeGreaterThan(10)
  })
})
