import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { valueCases } from "../../conformance/testkit/databases/VariantCases.ts"
import * as Sql from "../sql/index.ts"
import { layerClient } from "./index.ts"

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-pglite-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

register(
  storage({
    // The engine is that of Postgres, so the statements are not run again.
    ...valueCases,
    // Only one process can open the database, so the two hosts share its connection, and nothing else.
    open: Effect.gen(function* () {
      const client = yield* Layer.build(layerClient({ directory: join(yield* temporaryDirectory, "data") }))
      yield* Effect.provideContext(Sql.migrate, client)
      return Layer.provide(Sql.layerSingleProcess, Layer.succeedContext(client))
    }),
    lacks: {
      faults: "the database is in the process of its host",
      notify: "no other process could revoke a token",
      transaction: "the database has one session, so it can't be read from outside while a transaction is open",
    },
  }),
  { describe, it },
)
