import { execFile } from "node:child_process"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { expect, it } from "vitest"

it("The script and the style sheet MUST be built from their current sources", async () => {
  const program = join(import.meta.dirname, "../../.ci/settings-assets.mjs")
  const { stderr } = await promisify(execFile)(process.execPath, [program, "--check"])
  expect(stderr).toBe("")
})

it("The script MUST consist of its own sources only: no client framework", async () => {
  const directory = join(import.meta.dirname, "assets")
  const sources = (await readdir(directory)).filter((name) => name.endsWith(".ts"))
  const imported = await Promise.all(
    sources.map(async (name) => {
      const source = await readFile(join(directory, name), "utf8")
      return [...source.matchAll(/(?:from|import)[\s(]+"([^"]+)"/g)].map(([, from]) => from)
    }),
  )
  expect(imported.flat()).toContain("./localTimes.ts")
  expect(imported.flat().filter((from) => !sources.includes(from?.replace("./", "") ?? ""))).toEqual([])
  const { script } = JSON.parse(await readFile(join(directory, "built.json"), "utf8")) as { readonly script: string }
  expect(script.length).toBeLessThan(16_384)
})
