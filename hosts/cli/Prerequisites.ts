/**
 * What has to be there before the program can be loaded: a Node that is new enough, and packages that an installation may leave out.
 * Imports Node alone, and no module that only a new Node has.
 */
import { createRequire } from "node:module"

const manifest = createRequire(import.meta.url)("designwire/package.json") as {
  readonly version: string
  readonly engines: { readonly node: string }
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** This package's version. */
export const version = manifest.version

/** The optional packages that every command needs. */
export const commandPackages = ["@effect/platform-node", "@effect/sql-pg", "undici"] as const

/** The optional packages that the embedded database needs beside those. */
export const embeddedPackages = ["@electric-sql/pglite", "@electric-sql/pglite-socket"] as const

/** A sentence for people whose Node is older than the package needs; otherwise `undefined`. */
export const oldNode = (): string | undefined => {
  const needed = manifest.engines.node.replace(">=", "")
  const present = process.versions.node
  return present.localeCompare(needed, "en", { numeric: true }) < 0
    ? `designwire needs Node ${needed} or newer, and this is Node ${present}`
    : undefined
}

const isMissing = (name: string): boolean => {
  try {
    import.meta.resolve(name)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return true
    throw error
  }
}

/** The command that this process runs. */
const command = (): string => ["designwire", ...process.argv.slice(2, 3)].join(" ")

/**
 * A sentence that names those of these packages that are not installed, and how to install them; `undefined` if all of them are. `who` needs them: the command
 * where it is left out.
 */
export const missingPackages = (names: ReadonlyArray<string>, who = command()): string | undefined => {
  const missing = names.filter(isMissing)
  if (missing.length === 0) return undefined
  const install = missing.map((name) => `${name}@${manifest.optionalDependencies[name]}`).join(" ")
  const [packages, are] = missing.length === 1 ? ["the package", "is"] : ["the packages", "are"]
  return `${who} needs ${packages} ${missing.join(", ")}, which ${are} not installed: npm install ${install}`
}
