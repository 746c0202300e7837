import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import process from "node:process"
import { expect, inject, it } from "vitest"
import { allCases } from "../../suites/cases.ts"
import { mutants } from "./index.ts"
import { plant, suites } from "./Mutant.ts"
import { runCases } from "./Trial.ts"

const root = resolve(import.meta.dirname, "../../..")
const sourceOf = (file: string) => readFileSync(resolve(root, file), "utf8")

it("MUST find what each replaces once in its file, and change it", () => {
  const wrong = mutants.flatMap((mutant) => {
    try {
      const source = sourceOf(mutant.file)
      return plant(mutant, source) === source ? [`${mutant.area} ${mutant.id}: changes nothing`] : []
    } catch (error) {
      return [`${mutant.area} ${mutant.id}: ${error instanceof Error ? error.message : String(error)}`]
    }
  })
  expect(wrong).toEqual([])
})

it("MUST give each an id of its own within its area", () => {
  const ids = mutants.map(({ area, id }) => `${area} ${id}`)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

it("MUST name for each the cases that are meant to catch it, and only cases that there are", () => {
  const wrong = mutants.flatMap(({ area, caughtBy, id }) => {
    const ids = new Set(allCases[suites[area]]?.map((one) => one.id))
    return caughtBy.length === 0
      ? [`${area} ${id} names none`]
      : caughtBy.filter((name) => !ids.has(name)).map((name) => `${area} ${id}: ${name}`)
  })
  expect(wrong).toEqual([])
})

/** One of each area, or of each kind of fault. `npm run mutants` tries all. */
const sample = mutants
  .filter(({ sample }) => sample === true)
  .filter(({ area }, index, all) => inject("wholeMatrix") || all.findIndex((other) => other.area === area) === index)

it.each(sample.map((mutant) => [mutant.area, mutant.id, mutant] as const))(
  "The shared cases MUST catch what is planted: %s %s",
  async (area, _, mutant) => {
    process.env["TEST_DATABASE_URL"] = inject("postgresUrl")
    const { failed, output } = await runCases(area, mutant.caughtBy, mutant)
    expect(
      failed.map(({ id }) => id),
      output,
    ).not.toEqual([])
  },
)
