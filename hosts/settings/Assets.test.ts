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

it("The style sheet MUST have five sizes of texts, and one scale of spacing", async () => {
  const directory = join(import.meta.dirname, "assets/styles")
  const sheets = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), "utf8")))
  const style = sheets.join("")
  const valuesOf = (property: RegExp) =>
    [...style.matchAll(property)].flatMap(([, value = ""]) => value.split(/[\s(),/]+/)).filter((value) => value !== "")
  const sizes = valuesOf(/\n\s*font(?:-size)?:([^;]*);/g).filter((value) => /^[\d.-]/.test(value))
  // Letters of a fixed width look larger; 1.5 is the height of a line.
  expect([...new Set(sizes)].toSorted()).toEqual(
    ["--base", "--font", "--large", "--minor", "--small", "--title", "0.875em", "1em", "1.5"].toSorted(),
  )
  const spaces = valuesOf(/\n\s*(?:padding|margin|gap)[a-z-]*:([^;]*);/g).filter((value) => /\d+r?em|px/.test(value))
  // Within a text, and for the frame, whose sides are those of its widest content.
  expect([...new Set(spaces)].toSorted()).toEqual(["0.15em", "0.4em", "90rem"])
})
