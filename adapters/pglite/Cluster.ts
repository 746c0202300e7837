import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { deserialize } from "node:v8"
import { brotliDecompressSync } from "node:zlib"

/** What `npm run cluster` writes to `cluster.br`. */
interface Cluster {
  /** The version of PGlite that made it. */
  readonly version: string
  /** Files by path, below the directory, without the zeros at their end; `null` for a directory. */
  readonly files: Readonly<Record<string, { readonly length: number; readonly content: Uint8Array } | null>>
}

/** The new cluster that this package brings. */
const readCluster = (): Cluster => {
  const root = dirname(createRequire(import.meta.url).resolve("designwire/package.json"))
  return deserialize(brotliDecompressSync(readFileSync(join(root, "adapters/pglite/cluster.br"))))
}

/**
 * Writes the files of a new cluster into a directory: those that PGlite's `initdb` makes, which takes it seconds and a
 * gigabyte of memory.
 */
export const writeCluster = (directory: string): void => {
  for (const [name, file] of Object.entries(readCluster().files)) {
    const target = join(directory, name)
    mkdirSync(file === null ? target : dirname(target), { recursive: true, mode: 0o700 })
    if (file !== null) writeFileSync(target, Buffer.concat([file.content], file.length))
  }
}
