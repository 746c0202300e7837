/**
 * Writes what each entry of the package exports to `conformance/checks/api`: `npm run api`. With `--check` it writes
 * nothing, shows what differs and fails if anything does: `npm run check:api`. It fails as well if the types of
 * `designwire/embed` refer to a type of effect or any other package. Reads `dist/`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { diff } from "node:util"
import { apiReports } from "./ApiReport.ts"
import { packagesOfEmbed } from "./PlainTypes.ts"

const directory = join(import.meta.dirname, "../api")
const reports = new Map([...apiReports()].map(([name, text]) => [`${name}.md`, text]))

/** The reports as they are in the repository. */
const kept = (): ReadonlyMap<string, string> =>
  new Map(readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]))

const write = (): void => {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  for (const [file, text] of reports) writeFileSync(join(directory, file), text)
}

/** The lines that differ, each under the heading that it stands under. */
const differences = (before: string, after: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let heading = ""
  let shown = ""
  for (const [change, line] of diff(after.split("\n"), before.split("\n"))) {
    if (line.startsWith("#")) heading = line
    if (change === 0) continue
    if (heading !== shown) lines.push(`  ${heading}`)
    shown = heading
    lines.push(`${change > 0 ? "+" : "-"} ${line}`)
  }
  return lines
}

const check = (): void => {
  const before = kept()
  for (const file of new Set([...before.keys(), ...reports.keys()])) {
    const lines = differences(before.get(file) ?? "", reports.get(file) ?? "")
    if (lines.length === 0) continue
    process.exitCode = 1
    console.error([`conformance/checks/api/${file}`, ...lines, ""].join("\n"))
  }
  if (process.exitCode === 1) console.error("The public API has changed. If that is meant: npm run api")
  const { files, packages } = packagesOfEmbed()
  for (const name of packages) console.error(`The types of designwire/embed refer to a type of ${name}`)
  if (files <= 10) console.error(`Only ${files} files declare designwire/embed: their imports are not followed`)
  if (packages.length > 0 || files <= 10) process.exitCode = 1
}

if (process.argv.includes("--check")) check()
else write()
