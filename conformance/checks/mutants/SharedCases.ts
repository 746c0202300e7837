/**
 * Runs shared cases against an adapter of the sources: a process of its own for each fault. Writes the report as JSON.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { parseArgs } from "node:util"
import { Effect, Layer, Redacted } from "effect"
import { layerShared, makeState } from "../../../adapters/memory/index.ts"
import { layerLookup, layerSender } from "../../../adapters/node/index.ts"
import { layerClient } from "../../../adapters/pglite/index.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import * as Sql from "../../../adapters/sql/index.ts"
import { check, type Suite, sender, storage } from "../../index.ts"
import { freshDatabaseOn } from "../../testkit/databases/FreshDatabase.ts"
import { openPostgres } from "../../testkit/databases/PostgresStore.ts"

const { values } = parseArgs({
  options: { subject: { type: "string" }, only: { type: "string" }, times: { type: "string", default: "1" } },
})
const selection = values.only === undefined ? {} : { only: values.only.split(","), slow: true }

const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "designwire-mutant-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

const suite = (): Suite => {
  switch (values.subject) {
    case "memory":
      return storage({
        ...selection,
        open: Effect.sync(() => layerShared(makeState())),
        lacks: { transaction: "memory has none", faults: "nothing lies between a host and its memory" },
      })
    case "sql":
      return storage({
        ...selection,
        open: Effect.gen(function* () {
          const url = yield* freshDatabaseOn(process.env["TEST_DATABASE_URL"] ?? "")
          const client = Postgres.layerClient({ url: Redacted.make(url), maxConnections: 1 })
          yield* Effect.provide(Sql.migrate, client, { local: true })
          return yield* openPostgres(url)
        }),
      })
    case "pglite":
      return storage({
        ...selection,
        open: Effect.gen(function* () {
          const client = yield* Layer.build(layerClient({ directory: join(yield* temporaryDirectory, "data") }))
          yield* Effect.provideContext(Sql.migrate, client)
          return Layer.provide(Sql.layerSingleProcess, Layer.succeedContext(client))
        }),
        lacks: { faults: "of no use here", notify: "of no use here", transaction: "of no use here" },
      })
    default:
      return sender({
        ...selection,
        sender: (authority) => layerSender({ trust: [authority] }),
        lookup: (server) => layerLookup({ servers: [server], hostsFile: null }),
      })
  }
}

// Races are lost now and then only.
for (let time = 1; time <= Number(values.times); time++) {
  const { failed, results } = await check(suite(), { write: () => undefined })
  const told = results.filter(({ status }) => status === "failed").map(({ id, message }) => ({ id, message }))
  if (failed > 0 || time === Number(values.times)) console.log(JSON.stringify({ ran: results.length, failed: told }))
  if (failed > 0) break
}
process.exit()
