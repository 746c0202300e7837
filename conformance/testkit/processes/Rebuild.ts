/** The package, built and packed from a copy of the checkout, so that nothing reads or writes the checkout's `dist`. */
import { cpSync, mkdirSync, symlinkSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { npm } from "./Install.ts"

const root = resolve(import.meta.dirname, "../../..")

/** What a checkout does not have when it is new. */
const made = new Set([".designwire", ".git", ".stryker-tmp", ".vitest", "coverage", "dist", "node_modules"])

/** Copies the checkout to a new directory, builds and packs it there, and returns the path of the tarball. */
export const rebuild = async (directory: string): Promise<string> => {
  mkdirSync(directory)
  cpSync(root, directory, { recursive: true, filter: (path) => path === root || !made.has(basename(path)) })
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"))
  await npm(directory, "pack", "--silent")
  return join(directory, `${manifest.name}-${manifest.version}.tgz`)
}
