/** Every statement of the stores, sent and read by every library: some convert values differently from `pg`. */
import { Effect, Layer } from "effect"
import { describe, inject, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { valueCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { libraries, outerTransaction, pools, poolThrough } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { layerStores } from "./index.ts"

// `Connection.test.ts` runs the same over libraries with a pool.
const others = libraries.filter((library) => pools.every((each) => each.library !== library))

for (const [turn, library] of others.entries()) {
  const open = Effect.map(migratedDatabase, (url) =>
    Layer.unwrap(
      Effect.map(library.connect(url), (connections) =>
        Layer.provideMerge(outerTransaction(library, url), layerStores(poolThrough(connections))),
      ),
    ),
  )
  const suite = storage({
    name: `storage over ${library.name}`,
    open,
    ...valueCases,
    lacks: {
      faults: "the suite over Postgres cuts connections",
      notify: "a library without a pool has no connection to listen on",
    },
  })
  // Each case with two of the libraries, in turn.
  const cases = suite.cases.filter((_, index) => inject("wholeMatrix") || (index + turn) % others.length < 2)
  register({ ...suite, cases }, { describe, it })
}
