/** Level 1 of the package's own conformance check, against a service that somebody else wrote. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Check } from "../Attempt.ts"
import { expect } from "../Program.ts"

export const needs = ["python3"]

/** The cases in two parts, each about the requests of one token in a minute. */
const parts = [
  ["access", "routes", "shape", "feed"],
  ["pages", "query", "conditional", "rates", "cursor"],
]

/** Fewer cases have not looked at the service. */
const fewest = 25

export const check: Check = async (attempt) => {
  attempt.requireFile("start.sh")
  const port = await freePort()
  const service = attempt.start("exec sh start.sh", { PORT: `${port}` })
  await service.listensAt(port)
  const tokens: Record<string, string> = JSON.parse(readFileSync(join(attempt.directory, "data/tokens.json"), "utf8"))
  const of = (shop: string) => Object.keys(tokens).filter((token) => tokens[token] === shop)
  const url = `http://127.0.0.1:${port}/api/v1`
  const results = await Promise.all(
    parts.map(async (part, index) => {
      const only = part.map((name) => `--only ${name}`).join(" ")
      const given = `--url ${url} --token ${of("acme")[index]} --other-token ${of("globex")[0]}`
      const program = attempt.start(`exec designwire conformance ${given} ${only}`)
      const { code } = await program.end()
      const shown = program.printed.split("\n").filter((line) => !/^(✓|- | {4}left out)/.test(line))
      expect(code === 0, `The conformance check finds:\n${shown.join("\n")}`)
      return Number(/^service: (\d+) passed/m.exec(program.stdout)?.[1])
    }),
  )
  const passed = results.reduce((one, other) => one + other)
  expect(passed >= fewest, `Only ${passed} cases of the conformance check could look at the service`)
}
