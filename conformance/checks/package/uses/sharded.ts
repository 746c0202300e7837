import { Shops } from "designwire"
import * as Memory from "designwire/memory"
import * as Sharded from "designwire/sharded"
import { Effect } from "effect"

const stores = Sharded.layer({
  stores: { first: Memory.layer, second: Memory.layer },
  storeOf: (shop) => Effect.succeed(shop < "m" ? "first" : "second"),
})
const ids = await Effect.gen(function* () {
  for (const id of ["zoe", "acme"]) {
    yield* Shops.put(id, { domain: `${id}.example.com`, currency: "EUR", imageBase: "https://images.example.com" })
  }
  return (yield* Shops.list).map((shop) => shop.id)
}).pipe(Effect.provide(stores), Effect.runPromise)
if (ids.join() !== "acme,zoe") throw new Error(`The shops of both stores are ${ids}`)
