/** The tools that people use with OpenAPI documents, installed apart from the package's own dependencies. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { documents } from "./Documents.ts"

const source = new URL("./tools/", import.meta.url).pathname

/** Where they are installed; nothing that looks through the sources comes here. */
export const directory = new URL("../../node_modules/.cache/openapi-tools/", import.meta.url).pathname

/** What a program printed, and whether it ended well. */
export interface Ran {
  readonly ok: boolean
  readonly stdout: string
  readonly output: string
}

/** Runs a program in the directory of the tools. */
const run = (program: string, parameters: ReadonlyArray<string>): Ran => {
  const { status, stderr, stdout } = spawnSync(program, parameters, {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      NO_COLOR: "1",
      DO_NOT_TRACK: "1",
    },
  })
  return { ok: status === 0, stdout, output: `${stdout}\n${stderr}`.trim() }
}

/** Runs a tool by the name of its command. */
export const tool = (name: string, parameters: ReadonlyArray<string>): Ran =>
  run(join(directory, "node_modules/.bin", name), parameters)

const same = (file: string): boolean =>
  existsSync(join(directory, file)) && readFileSync(join(directory, file)).equals(readFileSync(join(source, file)))

/** Installs the tools as their lock file says, unless that was done before, and writes the documents beside them. */
export const prepare = (): void => {
  mkdirSync(directory, { recursive: true })
  if (
    !same("package-lock.json") ||
    !same("package.json") ||
    !existsSync(join(directory, "node_modules/.bin/redocly"))
  ) {
    rmSync(directory, { recursive: true, force: true })
    cpSync(source, directory, { recursive: true })
    const installed = run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
    if (!installed.ok) throw new Error(`npm ci of the tools failed:\n${installed.output}`)
  }
  cpSync(source, directory, { recursive: true })
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(document))
  }
}
