/**
 * Messages about missing optional packages, and about runtimes that are not Node. Imports only Node: the command looks
 * for packages before it loads any.
 */
import { createRequire } from "node:module"

/** The optional packages, by what needs them. */
export const optionalPackages = {
  server: ["@effect/platform-node"],
  worker: ["undici"],
  postgres: ["@effect/sql-pg"],
  embedded: ["@effect/sql-pg", "@electric-sql/pglite", "@electric-sql/pglite-socket"],
  settings: ["client-zip", "preact", "preact-render-to-string", "uqr"],
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

/** Reads the manifest of a package: only data, no code is loaded. */
const readManifest = createRequire(import.meta.url)

/** The versions of Node and other packages. Read when they are needed: a bundle may not have the file. */
const needed = (): {
  readonly engines: { readonly node: string }
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: { readonly effect: string }
} => readManifest("designwire/package.json")

/** The installed version of `effect`; `undefined` if there is none. */
const effectVersion = (): string | undefined => {
  try {
    return (readManifest("effect/package.json") as { readonly version: string }).version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined
    throw error
  }
}

/** Whether a version is in a range such as `^4.1.0`. */
const isWithin = (version: string, range: string): boolean => {
  const least = range.replace("^", "")
  const isSameMajor = version.split(".")[0] === least.split(".")[0]
  return isSameMajor && version.localeCompare(least, "en", { numeric: true }) >= 0
}

/**
 * A sentence if `effect` is not installed, or in a version that this package does not run with; otherwise `undefined`.
 * `who` needs it. Only a program that has not loaded anything of `effect` yet can use it.
 */
export const wrongEffect = (who: string): string | undefined => {
  const range = needed().peerDependencies.effect
  const present = effectVersion()
  const install = `npm install effect@${range}`
  if (present === undefined) return `${who} needs the package effect, which is not installed: ${install}`
  return isWithin(present, range) ? undefined : `${who} needs effect ${range}, not effect ${present}: ${install}`
}

/**
 * A sentence that names the packages that are not installed, and how to install them; `undefined` if all are installed.
 * `who` needs them.
 */
export const missingPackages = (names: ReadonlyArray<string>, who: string): string | undefined => {
  const missing = names.filter(isMissing)
  if (missing.length === 0) return undefined
  const install = missing.map((name) => `${name}@${needed().optionalDependencies[name]}`).join(" ")
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

/** Other runtimes name themselves among the versions, alongside the version of Node that they imitate. */
const runtimes = { bun: "Bun", deno: "Deno" } as const

/**
 * A sentence if this process runs on Bun or Deno; otherwise `undefined`. `who` delivers webhooks, which needs Node: its
 * sockets, and undici, of which Bun has an incomplete one of its own.
 */
export const otherRuntime = (who: string): string | undefined => {
  const versions: Readonly<Record<string, string | undefined>> = process.versions
  for (const [key, name] of Object.entries(runtimes)) {
    if (versions[key] === undefined) continue
    return `${who} needs Node ${needed().engines.node.replace(">=", "")} or newer, and this is ${name} ${versions[key]}`
  }
  return undefined
}
