/** Runs one suite with each test runner as users start it. vitest runs the suites of our own adapters. */
import { execFile } from "node:child_process"
import { join, resolve } from "node:path"
import process from "node:process"
import { expect, it } from "vitest"
import { subject } from "../../checks/runners/subject.ts"
import { installBun } from "../../testkit/processes/Bun.ts"
import { install } from "../../testkit/processes/Install.ts"

const root = resolve(import.meta.dirname, "../../..")
const runners = await install(new URL("../../checks/runners/", import.meta.url))
const bun = await installBun()

/** The command of a runner, and how it prints the numbers of passed, failed and skipped tests. */
const starts = {
  "node:test": {
    command: [process.execPath, "--test", "--test-reporter=tap", join(runners, "node.ts")],
    counts: [/^# pass (\d+)$/m, /^# fail (\d+)$/m, /^# skipped (\d+)$/m],
  },
  Jest: {
    command: [
      ...[process.execPath, "--experimental-vm-modules", join(runners, "node_modules/jest/bin/jest.js")],
      ...["--config", join(runners, "jest.config.json")],
    ],
    counts: [/^Tests: .*?(\d+) passed/m, /^Tests: .*?(\d+) failed/m, /^Tests: .*?(\d+) skipped/m],
  },
  Bun: {
    command: [bun, "test", join(runners, "bun.mjs")],
    counts: [/^ *(\d+) pass$/m, /^ *(\d+) fail$/m, /^ *(\d+) skip$/m],
  },
} as const

const all = subject.cases.length
const leftOut = subject.cases.filter((each) => each.leftOut !== undefined).length
/** The cases that fail if no request is counted. */
const ofRates = subject.cases.filter(({ ports }) => ports.includes("RateLimits")).length

/** The exit code of a process, and its whole output. */
const run = (command: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  new Promise<{ readonly succeeded: boolean; readonly output: string }>((done) => {
    const [file = "", ...parameters] = command
    const { VITEST: _, NODE_OPTIONS: __, ...inherited } = process.env
    execFile(file, parameters, { cwd: root, env: { ...inherited, ...environment } }, (error, stdout, stderr) =>
      done({ succeeded: error === null, output: stdout + stderr }),
    )
  })

it.each(Object.entries(starts))("MUST register every case with %s, and show why one is skipped", async (_, start) => {
  const { output, succeeded } = await run(start.command, {})
  const counted = start.counts.map((count) => Number(count.exec(output)?.[1] ?? 0))
  expect({ counted, succeeded }).toEqual({ counted: [all - leftOut, 0, leftOut], succeeded: true })
  expect(output).toContain("Left out: hosts hear nothing of one another")
})

it.each(Object.entries(starts))("MUST fail with %s if a case fails, and say why", async (_, start) => {
  const { output, succeeded } = await run(start.command, { BROKEN: "1" })
  const counted = start.counts.map((count) => Number(count.exec(output)?.[1] ?? 0))
  expect({ counted, succeeded }).toEqual({ counted: [all - leftOut - ofRates, ofRates, leftOut], succeeded: false })
  expect(output).toContain("request 0 at 998 ms.remaining: got 2, expected 1")
})
