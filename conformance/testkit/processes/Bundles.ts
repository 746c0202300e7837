/**
 * The processes that tests start, bundled into a few files: a process then starts in a quarter of the time. vitest's
 * `globalSetup`.
 */
import { existsSync } from "node:fs"
import { basename, resolve } from "node:path"
import { build } from "esbuild"
import type { TestProject } from "vitest/node"

const root = resolve(import.meta.dirname, "../../..")

/** Within the package, which refers to itself by its name. */
const directory = resolve(root, ".vitest/processes")

const entries = [
  "hosts/cli/main.ts",
  "conformance/testkit/workers/WorkerProcess.ts",
  "conformance/testkit/processes/OrderingProcess.ts",
  "conformance/testkit/processes/LaterVersion.ts",
].map((path) => resolve(root, path))

const bundleOf = (entry: string): string => resolve(directory, basename(entry).replace(/\.ts$/, ".mjs"))

/** The bundle of an entry, if the run has made one. */
export const bundled = (entry: string): string | undefined => {
  if (process.env["DESIGNWIRE_TEST_BUNDLES"] === undefined || !entries.includes(entry)) return undefined
  return existsSync(bundleOf(entry)) ? bundleOf(entry) : undefined
}

const bundle = async (): Promise<void> => {
  await build({
    entryPoints: entries,
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    entryNames: "[name]",
    bundle: true,
    // A process then reads only what its command needs, and a fifth of its start is saved.
    splitting: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    // Packages that a host may lack, or that load files of their own.
    external: ["@electric-sql/*", "undici"],
    banner: {
      js: `import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url)`,
    },
    logLevel: "error",
  })
}

export const setup = async (project: TestProject): Promise<void> => {
  await bundle()
  project.onTestsRerun(bundle)
  process.env["DESIGNWIRE_TEST_BUNDLES"] = "true"
}
