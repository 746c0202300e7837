/** A reader who follows one guide, step by step, in a directory of their own. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import manifest from "../../../../package.json" with { type: "json" }
import { unique } from "../../../suites/storage/support/Fixtures.ts"
import { node } from "../Installation.ts"
import type { Guide, Step } from "./Guide.ts"
import { isPrintedJson, missingLines } from "./Printed.ts"
import { Terminal } from "./Terminal.ts"

const root = resolve(import.meta.dirname, "../../../..")

/** Milliseconds until a process that stays must have printed what the guide shows. */
const patience = 10_000

export interface Surroundings {
  /** An empty directory. */
  readonly directory: string
  /** A directory in which the package is installed, as `npm install designwire effect` does it in a new one. */
  readonly installed: string
  /** The package, which `npm install designwire` installs. */
  readonly tarball: string
  /** The URL of a Postgres server. */
  readonly postgres: string
}

const effect = manifest.devDependencies.effect

/** Follows a guide to its end or to the first block that fails, and answers what did not come true. */
export const follow = async ({ steps }: Guide, around: Surroundings): Promise<ReadonlyArray<string>> => {
  mkdirSync(around.directory)
  const terminal = new Terminal(around.directory)
  // Links take less time than copies, but not every system has them.
  const copy = `cp -RPpl ${around.installed}/node_modules . 2>/dev/null || cp -RPp ${around.installed}/node_modules .
npm pkg set dependencies.designwire=file:${around.tarball} dependencies.effect=${effect}`
  const databases = new Map<string, string>()
  try {
    for (const step of steps) {
      const problem = await take(step)
      if (problem !== undefined) return [`line ${step.line}: ${problem}`]
    }
    const files = steps.flatMap((step) => (step.kind === "write" && /\.m?ts$/.test(step.file) ? step.file : []))
    return files.length === 0 ? [] : await typeProblems(around.directory, files)
  } finally {
    await terminal.stop()
  }

  async function take(step: Step): Promise<string | undefined> {
    switch (step.kind) {
      case "stop":
        await terminal.stop()
        return undefined
      case "write":
        writeFileSync(join(around.directory, step.file), step.code)
        return undefined
      case "excerpt":
        return isExcerpt(step.code, step.file) ? undefined : `the block does not stand in ${step.file} like this`
      case "compare":
        return compare(step)
      case "run": {
        const code = await complete(step.code)
        return step.until === undefined ? terminal.run(code) : terminal.stay(code, step.until)
      }
    }
  }

  /** Output of a process may arrive a little later. */
  async function compare({ language, shown }: Step & { readonly kind: "compare" }): Promise<string | undefined> {
    const missing = () =>
      language === "text"
        ? missingLines(shown, terminal.printed)
        : isPrintedJson(shown, terminal.printed)
          ? []
          : [shown]
    for (let waited = 0; waited < patience && missing().length > 0; waited += 50) await setTimeout(50)
    if (missing().length === 0) return undefined
    return `was not printed:\n${missing().join("\n")}\nprinted was:\n${terminal.printed.slice(-4_000)}`
  }

  /** Commands with everything that a reader puts in: databases, and what was printed before. */
  async function complete(code: string): Promise<string> {
    let result = code
      .replaceAll(/^npm install designwire effect$/gm, copy)
      .replaceAll(/(?<=^npm install .*)\b(?:designwire|effect)\b/gm, (name) =>
        name === "effect" ? `effect@${effect}` : around.tarball,
      )
    for (const [whole, name = ""] of code.matchAll(/postgres:\/\/…\/(\w+)/g)) {
      result = result.replaceAll(whole, await database(name))
    }
    return result.replaceAll(/([a-z]+_)…/g, (whole, beginning: string) => terminal.lastWord(beginning) ?? whole)
  }

  /** A database of its own for each name. */
  async function database(name: string): Promise<string> {
    const known = databases.get(name)
    if (known !== undefined) return known
    const url = new URL(around.postgres)
    const client = new pg.Client({ connectionString: url.href })
    url.pathname = `/${name}_${unique()}`
    await client.connect()
    await client.query(`CREATE DATABASE "${url.pathname.slice(1)}" TEMPLATE template0`)
    await client.end()
    databases.set(name, url.href)
    return url.href
  }
}

/** The compiler's errors in the files of a guide. */
const typeProblems = async (directory: string, files: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const compilerOptions = {
    ...{ target: "es2024", module: "nodenext", lib: ["es2024", "dom"], strict: true },
    ...{ skipLibCheck: true, noEmit: true, allowImportingTsExtensions: true, erasableSyntaxOnly: true },
    ...{ typeRoots: [join(root, "node_modules/@types")], types: ["node"] },
  }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, files }))
  const { stdout } = await node(directory, join(root, "node_modules/typescript/bin/tsc"), "--pretty", "false")
  return stdout.split("\n").filter((line) => line !== "")
}

/** Whether a block stands in a file, at any indentation. */
const isExcerpt = (code: string, file: string): boolean => {
  const lines = (text: string) => text.split("\n").map((line) => line.trim())
  return lines(readFileSync(join(root, file), "utf8"))
    .join("\n")
    .includes(lines(code.trim()).join("\n"))
}
