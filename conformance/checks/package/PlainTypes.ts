/** The declarations of an entry whose users need no package for its types. Reads `dist/`. */
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const dist = resolve(import.meta.dirname, "../../../dist")

/** The packages to whose types the declarations of `designwire/embed` refer, and how many files declare it. */
export const packagesOfEmbed = (): { readonly packages: ReadonlyArray<string>; readonly files: number } => {
  const files = new Set([join(dist, "hosts/embed/index.d.ts")])
  const packages = new Set<string>()
  for (const file of files) {
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g)) {
      if (from.startsWith(".")) files.add(resolve(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")))
      // Examples import the package itself.
      else if (!from.startsWith("designwire/")) packages.add(from)
    }
  }
  return { packages: [...packages], files: files.size }
}
