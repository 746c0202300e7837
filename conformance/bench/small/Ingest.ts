/** Signed orders of Shopify through the handler, alongside the same orders placed by a call. */
import { createDesignwire } from "../../../hosts/embed/index.ts"
import { shopifyOrder } from "../../../hosts/ingest/samples/ShopifyOrder.ts"
import { signedHeaders } from "../../../hosts/ingest/samples/SignedWebhook.ts"
import { makeKeys, openStores, stageShop } from "../deliver/Stage.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { instant } from "../support/Clock.ts"
import { startDatabase } from "../support/Postgres.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { sample } from "../support/Sample.ts"
import { seedDesigns, tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"

const [rounds, warmUp] = [500, 50]
const webhookSecret = "shpss_0123456789abcdef"

/** The time from a signed request to its answer: verified, kept and applied. */
export const ingest = async (cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  const { sql, url } = await startDatabase(cleanup)
  const { key, secret } = makeKeys()
  const stores = openStores(url, key)
  cleanup.add(() => stores.dispose())
  const { shop } = await stageShop(stores, "ingest", [], secret)
  const { designs } = sample(shop, { designs: 2 * (warmUp + rounds), orders: 0 })
  await seedDesigns(sql, designs)
  await tidy(sql)
  const designwire = await createDesignwire({
    database: { url },
    encryptionKeys: key.toString("base64"),
    ingest: { shopify: { secret: webhookSecret } },
  })
  cleanup.add(() => designwire.stop())

  let next = 0
  const designOf = (id: number) => designs[id]?.id as string
  const send = async () => {
    const id = next++
    const lines = [{ id: 1, properties: { _designwire_id: designOf(id) } }]
    const body = JSON.stringify(shopifyOrder({ id: 1_000_000 + id, lines, currency: shop.currency }))
    const headers = signedHeaders.shopify({ topic: "orders/create", body, secret: webhookSecret })
    const request = new Request(`http://localhost/ingest/shopify/${shop.id}`, { method: "POST", headers, body })
    const begin = instant()
    const answer = await designwire.handler(request)
    const took = instant() - begin
    const { state } = (await answer.json()) as { readonly state?: string }
    if (state !== "applied") throw new Error(`An order was answered ${answer.status} ${state}`)
    return took
  }
  const place = async () => {
    const id = next++
    const lines = [{ designId: designOf(id), lineItemId: "1" }]
    const begin = instant()
    await designwire.orders.place(shop.id, `own-${id}`, { name: "#1", orderedAt: "2026-10-05T14:48:00Z", lines })
    return instant() - begin
  }
  const ways = [
    { name: "ingest", run: send },
    { name: "place", run: place },
  ]
  const times = await alternate(ways, { rounds, warmUp }, async ({ run }) => ({ took: await run() }))
  const of = (name: string) => percentiles((times.get(name) ?? []).map(({ took }) => took))
  const [ingested, placed] = [of("ingest"), of("place")]
  const details = { ingested, placed }
  return [finding("A signed order of Shopify, p99", "ms", { designwire: ingested.p99 }, { most: 10 }, details)]
}
