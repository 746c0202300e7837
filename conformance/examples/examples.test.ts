/** The beginning of an adapter, which imports this package by name, and an independent service: each passes. */
import { execFile, spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { expect, inject, it } from "vitest"
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

interface ForeignService {
  readonly language: string
  readonly program: string
  readonly path: string
  /** The groups of cases that it passes; all if there are none. */
  readonly groups: ReadonlyArray<string>
  /** The groups that are left out for it. */
  readonly leftOut: string
}

/** Services without anything of this package. */
const python: ForeignService = {
  language: "Python",
  program: "python3",
  path: "python/service.py",
  groups: [],
  leftOut: "deliveries|retries|off|restart|feed|rotation|standard|options|scopes|strangers",
}

const php: ForeignService = {
  language: "PHP",
  program: "php",
  path: "php/service.php",
  groups: ["access", "tokens", "routes", "shape", "pages", "query", "conditional", "rates", "states", "orders"],
  leftOut: "cursor",
}

const found = [python, php].filter(({ language, program }) => {
  const is = spawnSync(program, ["--version"]).status === 0
  if (!is) console.log(`Left out: there is no ${program} to run the service in ${language} with`)
  return is
})

/** Runs the suite for a service; returns what it printed besides the cases that passed or were left out. */
const checked = async ({ leftOut, path, program }: ForeignService, asked: ReadonlyArray<string>, waits = "") => {
  const port = await freePort()
  const driver = `${program} '${join(import.meta.dirname, path)}' ${port} ${waits}`
  const parameters = ["--url", `http://127.0.0.1:${port}/api/v1`, "--driver", driver, ...asked]
  const { code, stderr, stdout } = await Effect.runPromise(run(["conformance", ...parameters]))
  const isExpected = new RegExp(`^(✓|- (${leftOut})\\.| {4}left out: )`)
  return { code, stderr, lines: stdout.split("\n").filter((line) => !isExpected.test(line)) }
}

const ended = [expect.stringMatching(/^service: \d+ passed, 0 failed, \d+ skipped in /), ""]

it.each(found.map((service) => [service.language, service] as const))(
  "MUST pass the service suite for reading and writing, in %s without anything of this package",
  async (_, service) => {
    const { code, lines, stderr } = await checked(
      service,
      service.groups.flatMap((group) => ["--only", group]),
    )
    expect(lines).toEqual(ended)
    expect([code, stderr]).toEqual([0, ""])
  },
)

const delivering = ["--receive", "127.0.0.1:0", "--schedule", "100ms,200ms,150ms,50ms"]

// The profile of the REST API waits a minute for the rate limit.
it.each([
  ...[{ service: python, profile: "webhooks", asked: delivering, waits: "100,200,150,50" }],
  ...(inject("wholeMatrix") ? [python, php] : []).map((service) => ({
    service,
    profile: "rest",
    asked: [],
    waits: "",
  })),
])("MUST pass every case of a profile: $service.language, $profile", async ({ asked, profile, service, waits }) => {
  if (!found.includes(service)) return
  const { code, lines, stderr } = await checked(service, ["--profile", profile, ...asked], waits)
  expect(lines).toEqual(ended)
  expect([code, stderr]).toEqual([0, `${profile} v1: passed\n`])
})
