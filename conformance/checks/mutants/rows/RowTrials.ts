/** Trying the faults of rows: the cases and tests of a row must fail with the fault of the row planted. */
import { resolve } from "node:path"
import process from "node:process"
import { createVitest, type TestModule, type Vitest } from "vitest/node"
import { allCases } from "../../../suites/cases.ts"
import type { Requirement } from "../../../suites/requirements/Requirement.ts"
import { plantedVariable } from "../Mutant.ts"
import type { RowFault } from "./RowFault.ts"

const root = resolve(import.meta.dirname, "../../../..")
const sharedCases = "conformance/checks/mutants/rows/SharedCases.ts"
const vectors = "conformance/suites/vectors/vectors.test.ts"

/** Tests of one file, each by the beginning of its title, without those of the suites around it. */
interface Tests {
  readonly file: string
  readonly titles: ReadonlyArray<string>
}

/** What became of a fault: the title of the test that failed, or why none did. */
export type Verdict =
  | { readonly caughtBy: string }
  | { readonly survived: ReadonlyArray<string> }
  | { readonly broken: string }

/** The cases and tests that hold a row, by file: the quick ones first. */
const testsOf = ({ id, tests = [] }: Requirement): ReadonlyArray<Tests> => {
  const casesOf = (suite: string) =>
    (allCases[suite] ?? []).filter(({ requirements }) => requirements.includes(id)).map((each) => `${each.id}:`)
  const byFile = Map.groupBy(tests, (name) => name.slice(0, name.indexOf(" > ")))
  return [
    { file: vectors, titles: casesOf("vectors") },
    ...[...byFile].map(([file, names]) => ({ file, titles: names.map((name) => name.slice(file.length + 3)) })),
    { file: sharedCases, titles: ["service", "storage", "sender"].flatMap(casesOf) },
  ].filter(({ titles }) => titles.length > 0)
}

/** Trials that share one vitest, which keeps what it has loaded. */
export class RowTrials {
  readonly #vitest: Vitest
  #planted: string | undefined

  private constructor(vitest: Vitest) {
    this.#vitest = vitest
  }

  static async open(): Promise<RowTrials> {
    const config = resolve(import.meta.dirname, "vitest.config.ts")
    return new RowTrials(await createVitest("test", { root, config, watch: false }))
  }

  async close(): Promise<void> {
    await this.#vitest.close()
  }

  /** Plants the fault of a row and runs what holds the row until something fails. */
  async try(row: Requirement, fault: RowFault | undefined): Promise<Verdict> {
    this.#plant(fault)
    const ran: Array<string> = []
    for (const tests of testsOf(row)) {
      const modules = await this.#run(tests)
      const results = modules.flatMap((module) => [...module.children.allTests()])
      const failed = results.find((test) => test.result().state === "failed")
      if (failed !== undefined) return { caughtBy: failed.name }
      const error = modules.flatMap((module) => module.errors())[0]
      if (error !== undefined) return { broken: `${tests.file}: ${error.message}` }
      ran.push(...results.filter((test) => test.result().state === "passed").map(({ name }) => name))
    }
    return ran.length === 0 ? { broken: "no test ran" } : { survived: ran }
  }

  #plant(fault: RowFault | undefined): void {
    const { file, find, replace } = fault ?? {}
    if (this.#planted !== undefined) this.#vitest.invalidateFile(this.#planted)
    if (file === undefined) delete process.env[plantedVariable]
    else process.env[plantedVariable] = JSON.stringify({ file, find, replace })
    this.#planted = file === undefined ? undefined : resolve(root, file)
    if (this.#planted !== undefined) this.#vitest.invalidateFile(this.#planted)
  }

  async #run({ file, titles }: Tests): Promise<ReadonlyArray<TestModule>> {
    // What stands before the first placeholder of a table's title.
    const escaped = titles.map((title) => title.replace(/[%$].*/, "").replace(/[^\w ]/g, "."))
    this.#vitest.setGlobalTestNamePattern(new RegExp(`(^| )(${escaped.join("|")})`))
    const project = this.#vitest.getRootProject()
    const path = resolve(root, file)
    const { testModules } = await this.#vitest.runTestSpecifications([project.createSpecification(path)])
    // The modules of earlier trials are among them.
    return testModules.filter(({ moduleId }) => moduleId === path)
  }
}
