/** Plants a fault in the sources that tests load. */
import { resolve } from "node:path"
import process from "node:process"
import { mergeConfig } from "vitest/config"
import base from "../../vitest.config.ts"
import { plant, plantedIn } from "./Mutant.ts"

const planted = plantedIn(process.env)
const file = planted && resolve(import.meta.dirname, "../..", planted.file)

export default mergeConfig(base, {
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      transform: (source: string, id: string) =>
        planted !== undefined && id.split("?")[0] === file ? plant(planted, source) : undefined,
    },
  ],
  // A module is not the same with each fault.
  test: { maxWorkers: 1, bail: 1, fsModuleCache: false, testTimeout: 10_000, teardownTimeout: 2_000 },
})
