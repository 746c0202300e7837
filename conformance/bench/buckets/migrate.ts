/** Migrates the buckets as `designwire migrate` does, and tells the parent what it did. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { SchemaState } from "../../../adapters/sql/index.ts"
import { schemaState } from "../../../hosts/cli/Stores.ts"
import { listen, tell } from "../support/Child.ts"
import { config } from "./Environment.ts"

listen(() => undefined)

config.pipe(
  Effect.flatMap((found) =>
    Effect.provide(
      SchemaState.use(({ migrate }) => migrate),
      schemaState(found),
    ),
  ),
  Effect.map((done) => tell(done.length)),
  NodeRuntime.runMain,
)
