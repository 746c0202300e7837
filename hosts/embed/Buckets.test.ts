/** A deployment with buckets in a team's own database and in another. */
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { hashOf } from "../../adapters/buckets/index.ts"
import { ringInput, shopInput } from "../../conformance/suites/service/Samples.ts"
import { customizer, embed, emptyDatabase, orderOf, receiver } from "../../conformance/testkit/hosts/EmbedWorld.ts"
import { type Designwire, fromPg, fromPgPool, InvalidInput, NotMigrated } from "./index.ts"

/** Ids of shops in the first bucket and in the second. */
const [mine, theirs] = [0, 1].map(
  (bucket) => ["acme", "zoe", "bolt", "cask"].find((id) => hashOf(id) % 2 === bucket) ?? "",
)

const fillShop = async (designwire: Designwire, shop = "") => {
  await designwire.shops.put(shop, shopInput)
  await designwire.customizers.put(shop, customizer.id, customizer.description)
  await designwire.customizers.publish(shop, customizer.id, { definition: customizer.definition })
  await designwire.designs.save(shop, "d1", ringInput)
}

it("a transaction of the team's MUST hold calls for shops that are in its database, and refuse others", async () => {
  const [first, second] = [await emptyDatabase(), await emptyDatabase()]
  const pool = new pg.Pool({ connectionString: first, max: 8 })
  pool.on("error", () => undefined)
  onTestFinished(() => pool.end())
  const designwire = await embed({ database: fromPgPool(pool), buckets: { count: 2, databases: { second } } })
  await expect(designwire.shops.list()).rejects.toThrow(NotMigrated)
  expect(await designwire.migrate()).toHaveLength(2 * (await embed({ database: { url: first } })).migrations.length)
  for (const shop of [mine, theirs]) await fillShop(designwire, shop)
  expect((await designwire.shops.list()).map(({ id }) => id).toSorted()).toEqual([mine, theirs].toSorted())

  const hooks = await receiver()
  for (const shop of [mine, theirs]) await designwire.webhooks.create(shop ?? "", { url: hooks.url(`/${shop}`) })
  await designwire.start()
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const tx = fromPg(client)
    await designwire.orders.place(mine ?? "", "1001", orderOf("d1"), { tx })
    const refused = designwire.orders.place(theirs ?? "", "1001", orderOf("d1"), { tx })
    await expect(refused).rejects.toThrow(/no transaction spans two databases\. Nothing was stored/)
    await expect(refused).rejects.toThrow(InvalidInput)
    await client.query("COMMIT")
  } finally {
    client.release()
  }
  await designwire.orders.place(theirs ?? "", "1002", orderOf("d1"))
  await hooks.until(() => new Set(hooks.requests.map(({ path }) => path)).size === 2)
})

it("options of buckets that can't be used MUST be refused with a sentence for each", async () => {
  for (const [options, sentence] of [
    [{ buckets: { count: 2 } }, "buckets: needs a Postgres server as database"],
    [
      { database: { url: "postgres://a/b" }, buckets: { count: 0 } },
      "buckets.count: must be an integer from 1 to 4096",
    ],
    [
      { database: { url: "postgres://a/b" }, buckets: { count: 2, databases: { second: "mysql://a/b" } } },
      "buckets.databases.second: must be a postgres:// URL",
    ],
    [
      { database: { url: "postgres://a/b" }, buckets: { count: 2, databases: { first: "postgres://a/c" } } },
      "buckets.databases.first: is the option database",
    ],
    [
      {
        database: { url: "postgres://a/b" },
        buckets: { count: 2, databases: { second: { url: "postgres://a/c", listenUrl: "a/c" } } },
      },
      "buckets.databases.second.listenUrl: must be a postgres:// URL",
    ],
  ] as const) {
    await expect(embed(options)).rejects.toThrow(sentence)
  }
})
