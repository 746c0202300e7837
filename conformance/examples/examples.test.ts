/** Adapters as strangers write them, against this package by its name: each passes the suite. */
import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { expect, it } from "vitest"

const byName = pathToFileURL(join(import.meta.dirname, "../worlds/OwnPackage.ts")).href

const examples = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory())

it.each(examples.map(({ name }) => name))(
  "MUST pass the storage suite, and say what it lacks: %s",
  async (name) => {
    const { VITEST: _, NODE_OPTIONS: __, ...env } = process.env
    const parameters = ["--import", byName, join(import.meta.dirname, name, "check.ts")]
    const { output, succeeded } = await new Promise<{ readonly output: string; readonly succeeded: boolean }>((done) =>
      execFile(process.execPath, parameters, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
        done({ succeeded: error === null, output: stdout + stderr }),
      ),
    )
    expect(output.split("\n").filter((line) => !/^(✓|-| {4}left out: )/.test(line))).toEqual([
      expect.stringMatching(/^storage: \d{3} passed, 0 failed, \d+ skipped in /),
      "",
    ])
    expect(succeeded).toBe(true)
  },
  240_000,
)
