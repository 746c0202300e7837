/** Every statement of the stores, sent and read by every library: some convert values differently from `pg`. */
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { register, storage } from "../../conformance/index.ts"
import { libraries, outerTransaction, pools, poolThrough } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { migratedDatabase } from "../../conformance/testkit/workers/Fleet.ts"
import { layerStores } from "./index.ts"

/** Cases that together run every statement once. */
const only = [
  ...["shops.find.exact", "shops.list.order", "resources.customizer.texts", "resources.customizer.publish"],
  ...["resources.customizer.ids", "resources.designs.exact", "resources.texts", "resources.ids"],
  ...["resources.commit.stores", "resources.commit.parts", "resources.page.next", "resources.page.bytes"],
  ...["resources.page.counted", "resources.latest.newest", "tokens.find.digest", "tokens.list.order"],
  ...["tokens.touch.later", "tokens.revoke.gone", "rate.apart", "rate.peek", "endpoints.add.exact"],
  ...["endpoints.change.given", "endpoints.turn-on", "endpoints.remove.log", "secrets.list", "secrets.replace"],
  ...["events.commit.deliveries", "claim.due", "settle.stores", "settle.retries", "settle.streak", "release.some"],
  ...["recover.missed", "log.attempts.fields", "log.find", "log.missed", "due.first", "prune.steps"],
  ...["upkeep.statistics", "hold.turn-on", "resources.transaction.kept", "resources.transaction.stale"],
]

for (const library of libraries) {
  // The whole suite runs over libraries with a pool.
  if (pools.some((each) => each.library === library)) continue
  const open = Effect.map(migratedDatabase, (url) =>
    Layer.unwrap(
      Effect.map(library.connect(url), (connections) =>
        Layer.provideMerge(outerTransaction(library, url), layerStores(poolThrough(connections))),
      ),
    ),
  )
  register(
    storage({
      name: `storage over ${library.name}`,
      open,
      only,
      lacks: { faults: "the suite over Postgres cuts connections" },
    }),
    { describe, it },
  )
}
