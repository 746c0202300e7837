/**
 * Prerequisites of loading the program: a Node that is new enough, and optional packages. Imports only modules that
 * every Node has.
 */
import { createRequire } from "node:module"
import {
  missingPackages as missing,
  optionalPackages,
  otherRuntime,
  wrongEffect as wrong,
} from "../../adapters/support/Packages.ts"

const manifest = createRequire(import.meta.url)("designwire/package.json") as {
  readonly version: string
  readonly engines: { readonly node: string }
}

/** This package's version. */
export const version = manifest.version

/** The optional packages that every command needs. */
export const commandPackages = [
  ...optionalPackages.server,
  ...optionalPackages.worker,
  ...optionalPackages.postgres,
  ...optionalPackages.settings,
].sort()

/** The optional packages that the embedded database needs in addition. */
export const embeddedPackages = optionalPackages.embedded.filter(
  (name) => !commandPackages.some((other) => other === name),
)

/** A sentence for people whose Node is older than the package needs; otherwise `undefined`. */
export const oldNode = (): string | undefined => {
  const needed = manifest.engines.node.replace(">=", "")
  const present = process.versions.node
  return present.localeCompare(needed, "en", { numeric: true }) < 0
    ? `designwire needs Node ${needed} or newer, and this is Node ${present}`
    : undefined
}

const command = ["designwire", ...process.argv.slice(2, 3)].join(" ")

/** A sentence for people who run a command that delivers webhooks on Bun or Deno; otherwise `undefined`. */
export const notOnNode = (): string | undefined =>
  ["serve", "worker"].includes(process.argv[2] ?? "") ? otherRuntime(command) : undefined

/** A sentence for people who run a command without packages that it needs; otherwise `undefined`. */
export const missingPackages = (names: ReadonlyArray<string>): string | undefined => missing(names, command)

/** A sentence for people who run a command without `effect`, or with another major version; otherwise `undefined`. */
export const wrongEffect = (): string | undefined => wrong(command)
