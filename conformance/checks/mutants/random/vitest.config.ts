/**
 * Begins the files of tests in the order that `MUTANTS_ORDER` names, rather than with the longest, and says what is
 * under way: a test that hangs has no report.
 */
import process from "node:process"
import { defineConfig, mergeConfig } from "vitest/config"
import { BaseSequencer, type Reporter, type TestSpecification } from "vitest/node"
import ordinary from "../../../../vitest.config.ts"

const order = (process.env["MUTANTS_ORDER"] ?? "").split(",")

class InOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => order.findIndex((path) => moduleId.endsWith(`/${path}`))
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

const progress: Reporter = {
  onTestModuleStart: ({ relativeModuleId }) => console.log(`begun ${relativeModuleId}`),
  onTestModuleEnd: ({ relativeModuleId }) => console.log(`ended ${relativeModuleId}`),
  onTestCaseResult: ({ name }) => console.log(name),
}

export default defineConfig((env) =>
  mergeConfig(ordinary(env), {
    test: {
      sequence: { sequencer: InOrder },
      reporters: [["json", { outputFile: process.env["MUTANTS_REPORT"] }], progress],
    },
  }),
)
