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

/** Services without anything of this package, and the groups of cases that each passes. */
const services = [
  {
    language: "Python",
    program: "python3",
    path: "python/service.py",
    groups: [],
    leftOut: "deliveries|retries|off|restart|feed|rotation|standard|options|scopes|strangers",
    profile: "rest",
  },
  {
    language: "PHP",
    program: "php",
    path: "php/service.php",
    groups: ["access", "tokens", "routes", "shape", "pages", "query", "conditional", "rates", "states", "orders"],
    leftOut: "cursor",
    profile: "rest",
  },
] as const

const isThere = ({ language, program }: (typeof services)[number]): boolean => {
  const is = spawnSync(program, ["--version"]).status === 0
  if (!is) console.log(`Left out: there is no ${program} to run the service in ${language} with`)
  return is
}

const found = services.filter(isThere)

/** Runs the suite for a service; returns what it printed besides the cases that passed or were left out. */
const checked = async ({ leftOut, path, program }: (typeof services)[number], asked: ReadonlyArray<string>) => {
  const port = await freePort()
  const driver = `${program} '${join(import.meta.dirname, path)}' ${port}`
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

// A minute for the rate limit.
it.each(inject("wholeMatrix") ? found.map((service) => [service.language, service] as const) : [])(
  "MUST pass its whole profile, in %s",
  async (_, service) => {
    const { code, lines, stderr } = await checked(service, ["--profile", service.profile])
    expect(lines).toEqual(ended)
    expect([code, stderr]).toEqual([0, `${service.profile} v1: passed\n`])
  },
)
