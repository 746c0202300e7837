/** The tests of the core alone, which need no database: what Stryker runs for each of its mutants. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["core/**/*.test.ts"],
    testTimeout: 30_000,
  },
})
