/** Runs any test of the project with the fault that the environment names planted in the sources. */
import { resolve } from "node:path"
import process from "node:process"
import { defineConfig } from "vitest/config"
import { plant, plantedIn } from "../Mutant.ts"

const root = resolve(import.meta.dirname, "../../../..")

export default defineConfig({
  root,
  plugins: [
    {
      name: "planted-fault",
      enforce: "pre",
      transform: (code, id) => {
        const planted = plantedIn(process.env)
        return planted !== undefined && id === resolve(root, planted.file) ? plant(planted, code) : undefined
      },
    },
  ],
  test: {
    include: ["{core,adapters,hosts,conformance}/**/*.test.ts", "conformance/checks/mutants/rows/SharedCases.ts"],
    globalSetup: ["conformance/testkit/databases/PostgresServer.ts", "conformance/testkit/processes/Bundles.ts"],
    provide: { wholeMatrix: false },
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    // One failure is enough.
    bail: 1,
    // A module is not the same with each fault.
    fsModuleCache: false,
    reporters: [{}],
    silent: true,
  },
})
