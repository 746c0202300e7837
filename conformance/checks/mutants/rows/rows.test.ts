import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { allCases } from "../../../suites/cases.ts"
import { requirements } from "../../../suites/requirements/index.ts"
import { plant } from "../Mutant.ts"
import { rowFaults } from "./index.ts"

const root = resolve(import.meta.dirname, "../../../..")

it("MUST be a row that there is, and every row that a test holds MUST have a fault", () => {
  const ids = new Set(requirements.map(({ id }) => id))
  expect(rowFaults.filter(({ row }) => !ids.has(row))).toEqual([])
  const cited = new Set(Object.values(allCases).flatMap((cases) => cases.flatMap((each) => each.requirements)))
  const broken = new Set(rowFaults.map(({ row }) => row))
  const held = requirements.filter(
    ({ id, planned, tests }) => planned !== true && (cited.has(id) || tests !== undefined),
  )
  expect(held.filter(({ id }) => !broken.has(id)).map(({ id }) => id)).toEqual([])
})

it("MUST find what each fault of a row replaces once in its file, and change it", () => {
  const wrong = rowFaults.flatMap((fault) => {
    try {
      const source = readFileSync(resolve(root, fault.file), "utf8")
      return plant(fault, source) === source ? [`${fault.row} in ${fault.file}: changes nothing`] : []
    } catch (error) {
      return [`${fault.row} in ${fault.file}: ${error instanceof Error ? error.message : String(error)}`]
    }
  })
  expect(wrong).toEqual([])
})

/** A few rows whose faults went unnoticed once, and whose tests are quick. `npm run mutants:rows` tries all. */
const sample = ["§6-20", "D31", "D43", "D48"]

it("MUST fail the cases and tests of its row", async () => {
  const command = resolve(import.meta.dirname, "run.ts")
  const tsx = resolve(root, "conformance/testkit/processes/Tsx.ts")
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", tsx, command, ...sample], {
    env: { ...process.env, VITEST: undefined, NODE_ENV: undefined },
  })
  expect(stdout).toMatch(/^([1-9][0-9]*) of \1 faults are caught by the rows that they break$/m)
})
