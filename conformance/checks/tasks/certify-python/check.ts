/** The report, checked as those who get it do, and the service once more. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "../../../testkit/processes/FreePort.ts"
import type { Attempt, Check } from "../Attempt.ts"
import { expect } from "../Program.ts"

export const needs = ["python3"]

const rounding = "(2 * total + step) // (2 * step)"

/** The service of the package, which rounds a tie down instead of up. */
export const prepare = async ({ directory }: Attempt): Promise<void> => {
  const original = join(directory, "node_modules/designwire/conformance/examples/python/service.py")
  const text = readFileSync(original, "utf8")
  if (!text.includes(rounding)) throw new Error(`${original} has no ${rounding}`)
  writeFileSync(join(directory, "service.py"), text.replace(rounding, "(2 * total + step - 1) // (2 * step)"))
}

export const check: Check = async (attempt) => {
  for (const name of ["report.json", "key.txt"]) attempt.requireFile(name)
  const read = (name: string): string => readFileSync(join(attempt.directory, name), "utf8")
  const isPrivate = ["report.json", "key.txt"].some((name) => read(name).includes("PRIVATE"))
  expect(!isPrivate, "The private key is in a file that others get")
  const key = read("key.txt").trim()
  const { stdout } = await attempt.run(`designwire conformance verify report.json --key '${key}'`)
  expect(stdout.includes("Atelier 2.1.0: evaluation"), `The report is of another service or profile:\n${stdout}`)
  const port = await freePort()
  const given = `--url http://127.0.0.1:${port}/api/v1 --driver 'python3 service.py ${port}' --profile evaluation`
  await attempt.run(`designwire conformance ${given}`)
}
