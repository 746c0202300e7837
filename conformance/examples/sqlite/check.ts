/** Runs the conformance suite over the two ports: `node check.ts`. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { Cut, check, storage } from "designwire/conformance"
import { ShopStore, TokenStore } from "designwire/ports"
import { Effect, Layer } from "effect"
import { layer } from "./index.ts"

/** Locks the file from another process. */
const cut = (path: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const other = new DatabaseSync(path)
      other.exec("BEGIN EXCLUSIVE")
      return other
    }),
    (other) => Effect.sync(() => other.close()),
  )

const suite = storage({
  ports: [ShopStore, TokenStore],
  open: Effect.gen(function* () {
    const directory = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-sqlite-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
    )
    const path = join(directory, "shop.sqlite")
    return Layer.merge(layer(path), Layer.succeed(Cut, Effect.asVoid(cut(path))))
  }),
  lacks: {
    notify: "SQLite does not notify processes of changes by others",
    transaction:
      "the driver is synchronous: while a transaction is open, any other writer would block the whole process",
  },
})

const { failed } = await check(suite)
process.exitCode = failed === 0 ? 0 : 1
