/**
 * Checks over Postgres that costs that the storage ports declare flat are flat, by comparing a store with one ten times
 * as large: `npm run conformance:scale`. Fails if any cost grows proportionally.
 */
import process from "node:process"
import { Effect, Layer, Redacted } from "effect"
import { layer } from "../../adapters/postgres/index.ts"
import { check, storage } from "../index.ts"
import { layerBlocks } from "./support/Blocks.ts"
import { withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"

await withCleanup(async (cleanup) => {
  const open = Effect.map(
    Effect.promise(() => startDatabase(cleanup)),
    ({ url }) => Layer.merge(layer({ url: Redacted.make(url) }), layerBlocks(url)),
  )
  const lacks = { transaction: "of no use here", faults: "of no use here" }
  const { failed } = await check(storage({ name: "scale over Postgres", open, lacks, only: ["scale"], slow: true }))
  if (failed > 0) process.exitCode = 1
})
