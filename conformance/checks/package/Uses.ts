/** A small program for each entry, run in a project in which the package is installed. */
import { cpSync, existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { type Entry, entries } from "./Entries.ts"
import { node } from "./Installation.ts"

const directory = join(import.meta.dirname, "uses")

/** Copies the programs into a project; fails unless there is one for each entry. */
export const copyUses = (project: string): void => {
  for (const { name, specifier } of entries) {
    if (existsSync(join(directory, `${name}.ts`))) continue
    throw new Error(
      `conformance/checks/package/uses/${name}.ts is missing: a program that uses ${specifier} and fails if it does not work`,
    )
  }
  for (const file of readdirSync(directory)) {
    if (!entries.some(({ name }) => file === `${name}.ts`))
      throw new Error(`No entry belongs to conformance/checks/package/uses/${file}`)
  }
  cpSync(directory, join(project, "uses"), { recursive: true })
}

/** The errors of the programs of all entries: run in one process, and each in its own if that fails. */
export const failuresOf = async (project: string): Promise<ReadonlyArray<string>> => {
  const imports = entries.map(({ name }) => `await import("./uses/${name}.ts")`).join("\n")
  const together = await node(project, "--input-type=module", "--eval", imports)
  if (together.succeeded) return []
  const failures: Array<string> = []
  for (const entry of entries) {
    const failure = await failureOf(project, entry)
    if (failure !== undefined) failures.push(`${entry.specifier} does not work:\n${failure}`)
  }
  return failures.length > 0 ? failures : [`The entries do not work in one process:\n${together.stderr}`]
}

/** The error that the program of an entry reports, or `undefined`. */
export const failureOf = async (project: string, { name }: Entry): Promise<string | undefined> => {
  const { stderr, succeeded } = await node(project, join("uses", `${name}.ts`))
  return succeeded ? undefined : stderr
}
