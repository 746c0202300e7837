/** The package as npm installs it for storage in memory: without optional packages, and with those of the worker. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { optionalPackages } from "../../../adapters/support/Packages.ts"
import manifest from "../../../package.json" with { type: "json" }
import * as Installation from "../../checks/package/Installation.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { median } from "../support/Statistics.ts"

/** Bytes of all files in a directory. */
const bytesIn = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => stat(join(parentPath, name)))
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0)
}

/** Milliseconds that a new process takes to import these, one after the other. */
const timed = async (directory: string, specifiers: ReadonlyArray<string>): Promise<number> => {
  const imports = specifiers.map((specifier) => `await import('${specifier}')`).join(";")
  const program = `const start = performance.now(); ${imports}; console.log(performance.now() - start)`
  const { stderr, stdout, succeeded } = await Installation.node(directory, "--input-type=module", "-e", program)
  if (!succeeded) throw new Error(stderr)
  return Number(stdout)
}

/** MiB of all packages in a project but `effect`. */
const besideEffect = async (project: string): Promise<number> => {
  const modules = join(project, "node_modules")
  return ((await bytesIn(modules)) - (await bytesIn(join(modules, "effect")))) / 2 ** 20
}

/** Its weight alongside `effect`, and how long `import "designwire"` takes after `import "effect"`. */
export const install = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const directory = await mkdtemp(join(tmpdir(), "designwire-install-"))
  cleanup.add(() => rm(directory, { recursive: true, force: true }))
  const project = join(directory, "project")
  await Installation.install(project, await Installation.pack(join(directory, "packed")), "--omit=optional")
  const memory = await besideEffect(project)
  const ways = [
    { name: "effect", imports: ["effect"] },
    { name: "both", imports: ["effect", "designwire"] },
  ]
  const times = await alternate(ways, { rounds: 21, warmUp: 1 }, ({ imports }) => timed(project, imports))
  const packages = optionalPackages.worker.map((name) => `${name}@${manifest.optionalDependencies[name]}`)
  await Installation.installMore(project, ...packages, "--omit=optional")
  const worker = await besideEffect(project)
  const loading = median(times.get("both") ?? []) - median(times.get("effect") ?? [])
  return [
    finding("Installation for memory, alongside effect", "MiB", { designwire: memory }, { most: 10 }),
    finding("Installation with the worker, alongside effect", "MiB", { designwire: worker }, { most: 10 }),
    finding("Loading, beyond effect", "ms", { designwire: loading }, { most: 250 }),
  ]
}
