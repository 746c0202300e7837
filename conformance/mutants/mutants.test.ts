import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import process from "node:process"
import { expect, inject, it } from "vitest"
import { allCases } from "../cases.ts"
import { mutants } from "./index.ts"
import { plant, suites, testOf } from "./Mutant.ts"
import { isCase, runCases } from "./Trial.ts"

const root = resolve(import.meta.dirname, "../..")
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

it("MUST name for each what is meant to catch it, and only what there is", () => {
  const isThere = (area: (typeof mutants)[number]["area"], name: string): boolean => {
    if (isCase(name)) return allCases[suites[area] ?? ""]?.some(({ id }) => id === name) ?? false
    const { file, title } = testOf(name)
    return title !== "" && existsSync(resolve(root, file)) && sourceOf(file).includes(title)
  }
  const wrong = mutants.flatMap(({ area, caughtBy, id }) =>
    caughtBy.length === 0
      ? [`${area} ${id} names nothing`]
      : caughtBy.filter((name) => !isThere(area, name)).map((name) => `${area} ${id}: ${name}`),
  )
  expect(wrong).toEqual([])
})

/** Those of which one process tells whether a shared case catches them; `npm run mutants` tries all. */
const sample = mutants.filter(({ area, sample }) => sample === true && suites[area] !== undefined)

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
