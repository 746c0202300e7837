/** The compared queues. All get the same deliveries. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type postgres from "postgres"
import { install } from "../../testkit/processes/Install.ts"
import { type Contender, inChunks, type OpenContender, settledIn } from "./Contender.ts"
import { makeEvent, type StagedShop } from "./Events.ts"
import { commitEvents, type Stores } from "./Stage.ts"

/** Deliveries of events of alternating shops, one for each endpoint of the shop. */
export const designwire = (sql: postgres.Sql, stores: Stores, shops: ReadonlyArray<StagedShop>): Contender => ({
  name: "designwire",
  file: "./designwire.ts",
  clear: () => sql`TRUNCATE designwire.events, designwire.deliveries`,
  enqueue: async (deliveries) => {
    let turn = 0
    await inChunks(deliveries, (count) => {
      const { endpoints, shop } = shops[turn++ % shops.length] as StagedShop
      const events = Array.from({ length: Math.ceil(count / endpoints.length) }, () => makeEvent(shop))
      return commitEvents(stores, shop.id, events)
    })
  },
  settled: () => settledIn(sql, "SELECT FROM designwire.deliveries WHERE status = 'pending'"),
})

/** Opens a queue by a module of `conformance/bench/contenders`, which is installed for the first one. */
const openBy =
  (module: string): OpenContender =>
  async (...parameters) => {
    const directory = await install(new URL("../contenders/", import.meta.url))
    const { href } = pathToFileURL(join(directory, `${module}.ts`))
    const { open } = (await import(href)) as { readonly open: OpenContender }
    return open(...parameters)
  }

export const pgBoss = openBy("PgBoss")

export const graphile = openBy("Graphile")

/** Only the sends, with one of undici's calls: the worker creates its jobs itself and stores nothing. */
const alone = (name: string, file: string): Contender => ({
  name,
  file,
  clear: () => Promise.resolve(),
  enqueue: () => Promise.resolve(),
  settled: () => Promise.resolve(true),
})

export const bare = alone("undici's dispatch alone", "./bare.ts")

export const bareRequest = alone("undici's request alone", "./bareRequest.ts")
