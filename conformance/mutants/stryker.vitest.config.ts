/** The tests of the core alone, which need no database: what Stryker runs for each of its mutants. `STRYKER_TESTS` narrows them, e.g. to `core/rules`. */
import process from "node:process"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [`${process.env["STRYKER_TESTS"] ?? "core"}/**/*.test.ts`],
    testTimeout: 30_000,
    // A module is not the same with each fault.
    fsModuleCache: false,
  },
})
