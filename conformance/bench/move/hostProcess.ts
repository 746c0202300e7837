/** A host of the deployment, with writers and a follower for each shop. */
import type { Shop } from "../../../core/model/Shop.ts"
import { listen, setting, tell } from "../support/Child.ts"
import { endOf, follow } from "./Follower.ts"
import type { HostMessage, HostResult } from "./Host.ts"
import { openStores } from "./Stores.ts"
import { type Log, type Pace, writeAll } from "./Writers.ts"

const stores = openStores(setting("DATABASES"), Buffer.from(setting("KEY"), "base64"))
const shops: ReadonlyArray<Shop> = JSON.parse(setting("SHOPS"))
const pace: Pace = JSON.parse(setting("PACE"))

const log: Log = { writes: [], failures: {} }
let [isOver, isWritten] = [false, false]

const run = async (): Promise<HostResult> => {
  const ends = await Promise.all(shops.map(({ id }) => endOf(stores, id)))
  tell("began")
  const following = shops.map(({ id }, index) => follow(stores, id, ends[index] ?? "", () => isWritten))
  await writeAll(stores, shops, pace, log, () => isOver)
  isWritten = true
  const feeds = await Promise.all(following)
  const again = await Promise.all(shops.map(({ id }, index) => follow(stores, id, ends[index] ?? "", () => true)))
  return { ...log, feeds, again }
}

listen((message: HostMessage) => {
  if (message === "begin") void run().then(tell)
  else if (message === "end") isOver = true
})

// Opens the connections.
await Promise.all(shops.map(({ id }) => endOf(stores, id)))
tell("prepared")
