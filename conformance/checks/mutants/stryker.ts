/** Runs Stryker, with what is given on the command line: `npm run mutants:stryker -- --mutate core/rules/Price.ts`. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { install } from "../../testkit/processes/Install.ts"

const directory = await install(new URL("./stryker/", import.meta.url))
const stryker = join(directory, "node_modules/@stryker-mutator/core/bin/stryker.js")
const { status } = spawnSync(
  process.execPath,
  [stryker, "run", "conformance/checks/mutants/stryker.config.json", ...process.argv.slice(2)],
  { stdio: "inherit" },
)
process.exitCode = status ?? 1
