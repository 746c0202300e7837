import { globSync } from "node:fs"

/** Files with packages of their own, and files that the documentation site is made of and writes at any time. */
const others = ["**/node_modules/**", "hosts/docs/dist/**", "hosts/docs/public/**", "hosts/docs/src/**"]

/** The files of a checkout that match a pattern, in order: their paths with `/`. */
export const sourcesIn = (
  root: string,
  pattern: string | ReadonlyArray<string>,
  exclude: ReadonlyArray<string> = [],
): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: [...others, ...exclude] })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
