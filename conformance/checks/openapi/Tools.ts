/** The tools that people use with OpenAPI documents, installed apart from the package's own dependencies. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { install } from "../../testkit/processes/Install.ts"
import { documents } from "./Documents.ts"

const tools = await install(new URL("./tools/", import.meta.url))

/** The directory of documents and clients, which nothing that reads the sources visits. */
export const directory = join(tools, "node_modules/.documents")

/** The output of a program, and whether it ended well. */
export interface Ran {
  readonly ok: boolean
  readonly stdout: string
  readonly output: string
}

/** Runs a tool by the name of its command, among the documents. */
export const tool = (name: string, parameters: ReadonlyArray<string>): Ran => {
  const { status, stderr, stdout } = spawnSync(join(tools, "node_modules/.bin", name), parameters, {
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

/** Writes the documents to the directory in which the tools run. */
export const prepare = (): void => {
  mkdirSync(directory, { recursive: true })
  cpSync(join(tools, "spectral.yaml"), join(directory, "spectral.yaml"))
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(document))
  }
}
