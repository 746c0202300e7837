/** The package as npm installs it for storage in memory, without optional packages. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/** Its weight beside `effect`, and how long `import "designwire"` takes after `import "effect"`. */
export const install = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const directory = await mkdtemp(join(tmpdir(), "designwire-install-"))
  cleanup.add(() => rm(directory, { recursive: true, force: true }))
  const project = join(directory, "project")
  await Installation.install(project, await Installation.pack(join(directory, "packed")), "--omit=optional")
  const [all, effect] = [
    await bytesIn(join(project, "node_modules")),
    await bytesIn(join(project, "node_modules/effect")),
  ]
  const ways = [
    { name: "effect", imports: ["effect"] },
    { name: "both", imports: ["effect", "designwire"] },
  ]
  const times = await alternate(ways, { rounds: 21, warmUp: 1 }, ({ imports }) => timed(project, imports))
  const loading = median(times.get("both") ?? []) - median(times.get("effect") ?? [])
  return [
    finding("Installation for memory, beside effect", "MiB", { designwire: (all - effect) / 2 ** 20 }, { most: 10 }),
    finding("Loading, beyond effect", "ms", { designwire: loading }, { most: 250 }),
  ]
}
