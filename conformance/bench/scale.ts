/**
 * Whether what the storage ports promise to be flat is flat over Postgres, with as much and with ten times as much: `npm run conformance:scale`. Fails if anything
 * grows in proportion.
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
