import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Shops } from "designwire"
import * as Pglite from "designwire/pglite"
import { Effect } from "effect"

const directory = mkdtempSync(join(tmpdir(), "designwire-"))
try {
  const shops = await Shops.list.pipe(Effect.provide(Pglite.layer({ directory })), Effect.runPromise)
  if (shops.length !== 0) throw new Error("A new database has shops")
} finally {
  rmSync(directory, { recursive: true })
}
