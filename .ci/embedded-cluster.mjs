// Writes adapters/pglite/cluster.br: the files of a new cluster, as PGlite's `initdb` makes them. With a new version of
// PGlite they are written again.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { serialize } from "node:v8"
import { brotliCompressSync } from "node:zlib"
import { PGlite } from "@electric-sql/pglite"
import manifest from "../package.json" with { type: "json" }

/** The length of a file, and its content up to its last byte other than 0: the log of a new cluster is empty. */
const withoutZeros = (bytes) => ({
  length: bytes.length,
  content: bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1),
})

const directory = await mkdtemp(join(tmpdir(), "designwire-cluster-"))
try {
  const cluster = join(directory, "cluster")
  const db = await PGlite.create(cluster)
  // Nothing creates databases here: their templates are two thirds of its files.
  await db.exec("UPDATE pg_database SET datistemplate = false WHERE datname <> current_database()")
  for (const template of ["template0", "template1"]) await db.exec(`DROP DATABASE ${template}`)
  await db.exec("CHECKPOINT")
  await db.close()
  const files = {}
  for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = relative(cluster, path).replaceAll("\\", "/")
    files[name] = entry.isFile() ? withoutZeros(await readFile(path)) : null
  }
  const written = brotliCompressSync(
    serialize({ version: manifest.optionalDependencies["@electric-sql/pglite"], files }),
  )
  await writeFile(join(import.meta.dirname, "../adapters/pglite/cluster.br"), written)
} finally {
  await rm(directory, { recursive: true })
}
