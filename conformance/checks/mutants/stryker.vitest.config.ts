/**
 * The tests that Stryker runs for each mutant: by default those of the core, which need no database. `STRYKER_TESTS`
 * lists other folders and files, separated by commas: `core/usecases,hosts/embed/Service.test.ts`.
 */
import process from "node:process"
import { defineConfig } from "vitest/config"

const wanted = (process.env["STRYKER_TESTS"] ?? "core").split(",")

export default defineConfig({
  test: {
    include: wanted.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.test.ts`)),
    // Time is virtual: a test that takes longer waits for what does not come.
    testTimeout: 10_000,
    // Modules are loaded once rather than for each file: loading takes longer than the tests.
    isolate: false,
    // A module is not the same with each fault.
    fsModuleCache: false,
  },
})
