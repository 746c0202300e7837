/** The beginning of an adapter, which imports this package by name, and an independent service: each passes. */
import { execFile, spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { freePort } from "../testkit/processes/FreePort.ts"
import { run } from "../testkit/processes/Processes.ts"

const byName = pathToFileURL(join(import.meta.dirname, "../testkit/processes/OwnPackage.ts")).href

const adapters = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, "check.ts")),
)

it.each(adapters)(
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
      expect.stringMatching(/^storage: \d+ passed, 0 failed, \d+ skipped in /),
      "",
    ])
    expect(succeeded).toBe(true)
  },
  240_000,
)

const python = spawnSync("python3", ["--version"]).status === 0
if (!python) console.log("Left out: there is no python3 to run the service in Python with")

it.runIf(python)(
  "MUST pass the service suite for reading and writing, in Python without anything of this package",
  async () => {
    const port = await freePort()
    const service = join(import.meta.dirname, "python/service.py")
    const parameters = ["--url", `http://127.0.0.1:${port}/api/v1`, "--driver", `python3 '${service}' ${port}`]
    const { code, stderr, stdout } = await Effect.runPromise(run(["conformance", ...parameters]))
    const lines = stdout
      .split("\n")
      .filter(
        (line) =>
          !/^(✓|- (deliveries|retries|off|restart|feed|rotation|standard|options|scopes|strangers)\.| {4}left out: )/.test(
            line,
          ),
      )
    expect(lines).toEqual([expect.stringMatching(/^service: \d+ passed, 0 failed, \d+ skipped in /), ""])
    expect([code, stderr]).toEqual([0, ""])
  },
)
