import { Effect, Option } from "effect"
import type { Shop } from "../../../../core/model/shops/Shop.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { equal, holds, none, some } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { makeShop, makeToken, place, someTime, unique } from "../support/Fixtures.ts"

/** The ids of all shops, page by page. */
const allShops = Effect.fnUntraced(function* ({ list }: ShopStore["Service"]) {
  const ids: Array<string> = []
  for (;;) {
    const found = yield* list({ search: null, after: ids.at(-1) ?? null, limit: 100 })
    ids.push(...found.map(({ id }) => id))
    if (found.length < 100) return ids
  }
})

/** The contract of `ShopStore`. */
export const shopStoreCases = calling(ShopStore)([
  {
    id: "shops.find.unknown",
    title: "MUST return none for a shop that was never put",
    requirements: ["§5-3"],
    run: Effect.gen(function* () {
      yield* none("the shop", yield* (yield* ShopStore).find(makeShop().id))
    }),
  },
  {
    id: "shops.find.exact",
    title: "MUST return a shop as it was put, including every plan, ids of 1 to 63 characters and the largest step",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const shops = yield* ShopStore
      const given: ReadonlyArray<Shop> = [
        makeShop({ plan: "free" }),
        makeShop({ plan: "pro", currency: "JPY" }),
        makeShop({ plan: "plus", roundingStep: Number.MAX_SAFE_INTEGER }),
        makeShop({
          id: unique(63),
          domain: `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`,
        }),
        makeShop({ imageBase: `https://images.example.com/'"\\%2F/é/\u{1f600}/${"x".repeat(1_900)}` }),
      ]
      for (const shop of given) yield* shops.put(shop)
      for (const shop of given) yield* equal("the shop", yield* shops.find(shop.id), Option.some(shop))
    }),
  },
  {
    id: "shops.put.replaces",
    ports: [ShopStore, OrderStore, TokenStore],
    title: "MUST replace a shop's fields and keep its records",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const [shops, tokens, resources] = [yield* ShopStore, yield* TokenStore, yield* OrderStore]
      const before = makeShop()
      const after: Shop = { ...before, domain: "new.example.com", currency: "USD", plan: "plus", roundingStep: 50 }
      yield* shops.put(before)
      const token = makeToken(before.id)
      yield* tokens.add(token, 100)
      yield* place(before.id, "1", someTime)
      yield* shops.put(after)
      yield* equal("the shop", yield* shops.find(before.id), Option.some(after))
      yield* equal("its tokens", yield* tokens.list(before.id), [token])
      yield* some("its order", yield* resources.order(before.id, "1"))
    }),
  },
  {
    id: "shops.put.seen",
    ports: [ShopStore, TokenStore],
    title: "MUST show a change to every later call on the same host at once",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const [shops, tokens] = [yield* ShopStore, yield* TokenStore]
      const first = makeShop({ roundingStep: 1 })
      const token = makeToken(first.id)
      yield* shops.put(first)
      yield* tokens.add(token, 100)
      for (let roundingStep = 2; roundingStep < 8; roundingStep++) {
        const now = { ...first, roundingStep }
        yield* shops.put(now)
        yield* equal("find", yield* shops.find(first.id), Option.some(now))
        yield* equal("list", yield* shops.list({ search: first.id, after: null, limit: 1 }), [now])
        const found = Option.some({ token, shop: now, committed: true })
        yield* equal("TokenStore.find", yield* tokens.find(token.digest), found)
      }
    }),
  },
  {
    id: "shops.put.concurrent",
    rounds: 5,
    title: "MUST accept concurrent puts of one new shop on two hosts and store one of them as a whole",
    requirements: ["D8"],
    run: Effect.gen(function* () {
      const both = [yield* ShopStore, yield* onOtherHost(ShopStore)]
      const id = makeShop().id
      const versions = Array.from({ length: 20 }, (_, index) =>
        makeShop({ id, domain: `${index}.example.com`, roundingStep: index + 1 }),
      )
      yield* Effect.forEach(versions, (shop, index) => both[index % 2]?.put(shop) ?? Effect.void, {
        concurrency: "unbounded",
      })
      const kept = yield* some("the shop", yield* (yield* ShopStore).find(id))
      yield* equal("the shop", kept, versions[kept.roundingStep - 1] ?? makeShop())
    }),
  },
  {
    id: "shops.list.order",
    title: "MUST list all shops, each once, by id in code point order",
    requirements: ["D14"],
    run: Effect.gen(function* () {
      const shops = yield* ShopStore
      const prefix = unique()
      // Some collations skip the hyphens.
      const ids = ["", "-", "--a", "-a", "-b", "0", "00", "1", "10", "9", "a", "a-b", "a0", "aa", "b", "z"]
      for (const tail of ids.toReversed()) yield* shops.put(makeShop({ id: `${prefix}${tail}` }))
      yield* shops.put(makeShop({ id: `${prefix}a`, plan: "plus" }))
      const listed = yield* allShops(shops)
      yield* equal(
        "the ids",
        listed.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length)),
        ids,
      )
      yield* holds("each shop is listed once", new Set(listed).size === listed.length)
    }),
  },
])
