import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A file of the repository, by its path from the root. */
export interface Source {
  readonly path: string
  readonly text: string
}

const written = /\.(?:tsx?|mts|mjs|md|css)$/

/** Every file that people write and that is tracked, without data, generated images and lock files. */
export const sourcesIn = (root: string): ReadonlyArray<Source> =>
  execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 })
    .split("\0")
    .filter((path) => written.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))

export const isCode = ({ path }: Source): boolean => /\.(?:tsx?|mts|mjs)$/.test(path)

export const isTest = ({ path }: Source): boolean => path.endsWith(".test.ts") || path.endsWith(".test.tsx")
