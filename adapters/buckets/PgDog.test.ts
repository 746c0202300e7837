/**
 * The storage suite over buckets of two servers behind one PgDog. `DESIGNWIRE_TEST_PGDOG` is its address, with the map
 * that `designwire bucket config --pgdog` prints; `DESIGNWIRE_DATABASES` has the direct addresses of the databases,
 * with eight buckets that `designwire migrate` has made. The workflow `pgdog` starts all of it.
 */
import process from "node:process"
import { Effect, Redacted, Result } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { variantCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { parseDatabases } from "../../core/rules/ConfigValues.ts"
import { layerDatabase } from "../postgres/index.ts"
import { layer } from "./index.ts"

const pgDog = process.env["DESIGNWIRE_TEST_PGDOG"]

if (pgDog === undefined) it.skip("storage in 8 buckets behind PgDog. Left out: DESIGNWIRE_TEST_PGDOG is not set")
else {
  const direct = Result.getOrThrow(parseDatabases(process.env["DESIGNWIRE_DATABASES"] ?? ""))
  const databases = Object.fromEntries(
    Object.entries(direct).map(([name, listenUrl]) => [
      name,
      layerDatabase({ url: Redacted.make(pgDog), pooler: "transaction", listenUrl }),
    ]),
  )
  register(
    storage({
      name: "storage in 8 buckets behind PgDog",
      ...variantCases,
      lacks: {
        transaction: "no transaction spans the databases of all shops",
        faults: "the suite over two databases cuts the same connections",
      },
      open: Effect.succeed(layer({ databases })),
    }),
    { describe, it },
  )
}
