import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs"
import process from "node:process"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// Databases in memory, if there is room: creating one on a disk takes five times as long.
const memory = "/dev/shm"
if (existsSync(memory)) {
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize > 6 * 2 ** 30) {
    const directory = mkdtempSync(`${memory}/designwire-tests-`)
    // Postgres may run as another user.
    chmodSync(directory, 0o777)
    process.env["TMPDIR"] = directory
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
  }
}

// Tests that share nothing but modules: no process, no database, no file. Loading the modules takes longer than the
// tests.
const pure = ["core/**/*.test.ts", "conformance/suites/{requirements,vectors}/*.test.ts"]

// Vitest starts with the largest files, but those that run a whole suite are short: at the end they would run alone.
const longest = [
  ...["hosts/cli/Conformance.test.ts", "hosts/cli/Serve.test.ts", "adapters/connection/Libraries.test.ts"],
  ...["adapters/postgres/Postgres.test.ts", "hosts/server/Service.test.ts", "adapters/pglite/Pglite.test.ts"],
  ...["adapters/Webhooks.properties.test.ts", "hosts/cli/Upgrade.test.ts", "hosts/cli/Migrate.test.ts"],
  ...["hosts/cli/Outage.test.ts", "hosts/settings/browser/Pages.test.ts"],
]

// Only in `npm run test:all`: what runs for minutes and repeats in other surroundings what other tests hold.
const nightly = [
  // The service suite in the image; `check:tarball` and `Service.test.ts` hold its parts.
  "hosts/cli/deploy/Image.test.ts",
  // Tasks whose solutions must pass.
  "conformance/checks/tasks/Tasks.test.ts",
  // The runner with other people's test runners; all suites of ours run with it, and a guide with that of Node.
  "conformance/suites/runner/register.test.ts",
  // The example of a whole shop; the checks of types and of its parts hold what it calls.
  "hosts/embed/examples/shop/shop.test.ts",
  // Pages and flows again: with the data of the busiest shop, and in Firefox.
  "hosts/settings/browser/{Busiest,Firefox}.test.ts",
]

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((path) => moduleId.endsWith(path))
      return index < 0 ? longest.length : index
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run test:all` runs what takes longest in full.
    provide: { wholeMatrix: mode === "all" },
    // More than a small machine has processors: many tests wait most of their time.
    maxWorkers: 3,
    // So long that only what hangs takes longer, also on a machine that is busy with other things.
    testTimeout: 300_000,
    sequence: { sequencer: LongestFirst },
    hookTimeout: 300_000,
    projects: [
      // Not threads: one that ended within a test was never reported, and the run waited for it without end.
      { extends: true, test: { name: "pure", include: pure, pool: "forks", isolate: false } },
      {
        extends: true,
        test: {
          name: "hosts",
          include: ["{core,adapters,hosts,conformance}/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...pure, ...(mode === "all" ? [] : nightly)],
          globalSetup: ["conformance/testkit/databases/PostgresServer.ts", "conformance/testkit/processes/Bundles.ts"],
          // Processes rather than threads: databases and servers end with the file that started them.
          pool: "forks",
          isolate: false,
        },
      },
    ],
  },
}))
