import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { valueCases, variantCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { outerTransaction, pools } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { migrate } from "../sql/index.ts"
import { layerClient, layerStores } from "./index.ts"

for (const { library, open } of pools) {
  register(
    storage({
      name: `storage over a pool of ${library.name}`,
      // The adapter's own connections are of `pg` too.
      ...(library.name === "pg" ? valueCases : variantCases),
      lacks: {
        faults: "a pool may wait longer each time before it reconnects; the suite over Postgres cuts connections",
      },
      open: Effect.gen(function* () {
        const url = yield* freshDatabase
        yield* Effect.provide(migrate, layerClient(yield* open(url)))
        return Layer.unwrap(
          Effect.map(open(url), (pool) => Layer.provideMerge(outerTransaction(library, url), layerStores(pool))),
        )
      }),
    }),
    { describe, it },
  )
}
