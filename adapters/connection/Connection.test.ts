import { Effect, Layer } from "effect"
import { storageSuite } from "../../conformance/storage/suite.ts"
import { freshDatabase } from "../../conformance/worlds/Database.ts"
import { outerTransaction, pools } from "../../conformance/worlds/OwnConnections.ts"
import { migrate } from "../sql/index.ts"
import { layerClient, layerStores } from "./index.ts"

for (const { library, open } of pools) {
  storageSuite(`a pool of ${library.name}`, {
    open: Effect.gen(function* () {
      const url = yield* freshDatabase
      yield* Effect.provide(migrate, layerClient(yield* open(url)))
      return Layer.unwrap(
        Effect.map(open(url), (pool) => Layer.provideMerge(outerTransaction(library, url), layerStores(pool))),
      )
    }),
  })
}
