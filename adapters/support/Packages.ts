/**
 * Messages about missing optional packages. Imports only Node: the command looks for packages before it loads any.
 */
import { createRequire } from "node:module"

/** The optional packages, by what needs them. */
export const optionalPackages = {
  server: ["@effect/platform-node"],
  worker: ["@effect/platform-node", "undici"],
  postgres: ["@effect/sql-pg"],
  embedded: ["@effect/sql-pg", "@electric-sql/pglite", "@electric-sql/pglite-socket"],
  settings: ["preact", "preact-render-to-string"],
} as const

const isMissing = (name: string): boolean => {
  try {
    import.meta.resolve(name)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return true
    throw error
  }
}

/** The versions of the optional packages. Read when they are needed: a bundle may not have the file. */
const versions = (): Readonly<Record<string, string>> =>
  createRequire(import.meta.url)("designwire/package.json").optionalDependencies

/**
 * A sentence that names the packages that are not installed, and how to install them; `undefined` if all are installed.
 * `who` needs them.
 */
export const missingPackages = (names: ReadonlyArray<string>, who: string): string | undefined => {
  const missing = names.filter(isMissing)
  if (missing.length === 0) return undefined
  const install = missing.map((name) => `${name}@${versions()[name]}`).join(" ")
  const [packages, are] = missing.length === 1 ? ["the package", "is"] : ["the packages", "are"]
  return `${who} needs ${packages} ${missing.join(", ")}, which ${are} not installed: npm install ${install}`
}

/**
 * Loads a module that needs optional packages. If some are missing, it rejects with a sentence that begins with `who`.
 */
export const load = async <A>(module: () => Promise<A>, who: string, packages: ReadonlyArray<string>): Promise<A> => {
  try {
    return await module()
  } catch (cause) {
    const message = missingPackages(packages, who)
    throw message === undefined ? cause : new Error(message, { cause })
  }
}
