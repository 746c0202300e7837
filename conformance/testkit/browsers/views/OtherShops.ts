/** The shops alongside the busy one, whose pages look different. */
import { Context, Effect } from "effect"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { shopInput } from "../../../suites/service/Samples.ts"
import { makeOrder, makeShop, makeToken } from "../../../suites/storage/support/Fixtures.ts"
import { manage } from "../../hosts/TestHost.ts"
import type { SettingsSite } from "../SettingsSite.ts"

/** The ids of shops. */
export interface OtherShops {
  /** Nothing has happened to it. */
  readonly empty: string
  /** It is on the free plan. */
  readonly free: string
  /** It has more tokens and orders than a page shows. */
  readonly many: string
}

/** Makes the shops, and so many more that a page does not show all. */
export const otherShops = async ({ ports, send }: Pick<SettingsSite, "ports" | "send">): Promise<OtherShops> => {
  const shops: OtherShops = { empty: "new-store", free: "small-store", many: "old-store" }
  const make = Effect.gen(function* () {
    for (const [id, plan] of [
      [shops.empty, "pro"],
      [shops.free, "free"],
      [shops.many, "plus"],
    ] as const) {
      yield* manage(send, "PUT", `/shops/${id}`, { ...shopInput, plan })
    }
    for (let index = 10; index < 60; index++) {
      const id = `store-${index}`
      yield* Context.get(ports, ShopStore).put(makeShop({ id, domain: `${id}.example.com` }))
      const token = makeToken(shops.many, { name: `System ${index}`, createdAt: Date.now() - index * 3_600_000 })
      yield* Context.get(ports, TokenStore).add(token, 1_000)
      const order = makeOrder(shops.many, `order-${index}`, { orderedAt: token.createdAt })
      yield* Context.get(ports, OrderStore).commit({ shop: shops.many, designs: [], order, events: [] })
    }
  })
  await Effect.runPromise(make)
  return shops
}
