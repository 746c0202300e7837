/** Every statement of ours, sent and read by every library: some make other things of values than `pg` does. */
import { layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { storageCases } from "../../conformance/storage/cases.ts"
import { hosts } from "../../conformance/storage/StorageCase.ts"
import { migratedDatabase } from "../../conformance/worlds/Fleet.ts"
import { libraries, outerTransaction, pools, poolThrough } from "../../conformance/worlds/OwnConnections.ts"
import { layerStores } from "./index.ts"

/** Cases that together run every statement once. */
const cases = [
  ...["shops.find.exact", "shops.list.order", "resources.customizer.texts", "resources.customizer.publish"],
  ...["resources.customizer.ids", "resources.designs.exact", "resources.texts", "resources.ids"],
  ...["resources.commit.stores", "resources.commit.parts", "resources.page.next", "resources.page.bytes"],
  ...["resources.page.counted", "resources.latest.newest", "tokens.find.digest", "tokens.list.order"],
  ...["tokens.touch.later", "tokens.revoke.gone", "rate.apart", "rate.peek", "endpoints.add.exact"],
  ...["endpoints.change.given", "endpoints.turn-on", "endpoints.remove.log", "secrets.list", "secrets.replace"],
  ...["events.commit.deliveries", "claim.due", "settle.stores", "settle.retries", "settle.streak", "release.some"],
  ...["recover.missed", "log.attempts.fields", "log.find", "log.missed", "due.first", "prune.steps"],
  ...["upkeep.statistics", "hold.turn-on", "resources.transaction.kept", "resources.transaction.stale"],
].map((id) => {
  const found = storageCases.find((each) => each.id === id)
  if (found === undefined) throw new Error(`There is no case ${id}`)
  return found
})

for (const library of libraries) {
  // The whole suite runs over these.
  if (pools.some((each) => each.library === library)) continue
  const open = Effect.map(migratedDatabase, (url) =>
    Layer.unwrap(
      Effect.map(library.connect(url), (connections) =>
        Layer.provideMerge(outerTransaction(library, url), layerStores(poolThrough(connections))),
      ),
    ),
  )
  layer(hosts({ open }), { excludeTestServices: true, timeout: "2 minutes" })(library.name, (it) => {
    for (const { id, run, spec, title } of cases) it.effect(`${id}: ${title} (${spec})`, () => run, 60_000)
  })
}
