import { Effect, Option } from "effect"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { CustomizerStore } from "../../../../core/ports/CustomizerStore.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { RateLimits } from "../../../../core/ports/RateLimits.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { equal, holds, none } from "../../Assertion.ts"
import { entriesOf, makeEntry } from "../audit/Entries.ts"
import { calling, onOtherHost, type StorageCase } from "../StorageCase.ts"
import { makeToken, place, someTime, unique, wholePage } from "../support/Fixtures.ts"
import { meanwhile } from "../support/OuterTransactions.ts"
import {
  addTest,
  alone,
  bothHosts,
  claimed,
  createEndpoint,
  failure,
  type Host,
  happen,
  late,
  makeEndpoint,
  newWebhookShop,
  prune,
  settleAll,
  success,
} from "../support/Webhooks.ts"

/** A shop with records of every kind. */
const fullShop = Effect.gen(function* () {
  const [host] = yield* bothHosts
  const shop = yield* newWebhookShop()
  const customizers = yield* CustomizerStore
  yield* customizers.put({
    shop: shop.id,
    id: 1,
    title: "Ring",
    platformProductId: "gid://platform/Product/1",
    assetBase: "https://assets.example.com",
  })
  yield* customizers.publish(shop.id, 1, { definition: "{}", digest: unique() }, someTime)
  const token = makeToken(shop.id)
  yield* (yield* TokenStore).add(token, 100)
  yield* (yield* RateLimits).take({
    shop: shop.id,
    tokenId: token.id,
    now: someTime,
    rate: { limit: 120, window: 60_000 },
  })
  yield* place(shop.id, "1", someTime)
  yield* place(shop.id, "2", someTime)
  const endpoint = yield* createEndpoint(shop.id)
  yield* happen(shop.id, [0, 1, 2])
  const claims = [...(yield* claimed(host, someTime + 10)).values()].filter((claim) => claim.shop === shop.id)
  yield* settleAll(
    host,
    claims.map((claim) => ({ ...failure(claim), status: "failed", nextAttemptAt: null }) as const),
  )
  yield* addTest(endpoint)
  yield* (yield* AuditStore).add(makeEntry(shop.id))
  return { shop, token, endpoint }
})

type Full = Effect.Success<typeof fullShop>

/** Removes a shop, alternating between the hosts, in steps of a few records. */
const remove = Effect.fnUntraced(function* (shop: string, limit = 3) {
  const both = [yield* ShopStore, yield* onOtherHost(ShopStore)] as const
  for (let steps = 1; ; steps++) {
    if (yield* both[steps % 2 === 0 ? 0 : 1].remove({ shop, now: someTime, limit })) return steps
    yield* holds("removing ends", steps < 1_000)
  }
})

/** The records of a shop, as a host sees them. */
const seen = Effect.fnUntraced(function* (host: Host, { endpoint, shop, token }: Full) {
  const customizers = yield* CustomizerStore
  const tokens = yield* TokenStore
  return {
    shop: Option.isSome(yield* host.shops.find(shop.id)),
    listed: (yield* host.shops.list({ search: shop.id, after: null, limit: 10 })).some(({ id }) => id === shop.id),
    token: Option.isSome(yield* tokens.find(token.digest)),
    tokens: (yield* tokens.list(shop.id)).length,
    customizer: Option.isSome(yield* customizers.find(shop.id, 1)),
    definition: Option.isSome(yield* customizers.definition(shop.id, 1, 1)),
    order: Option.isSome(yield* host.orders.order(shop.id, "1")),
    orders: (yield* host.orders.readOrders({ ...wholePage, shop: shop.id })).total,
    latest: Option.isSome(yield* host.orders.latestOrderedDesign(shop.id)),
    endpoints: (yield* host.endpoints.list(shop.id)).length,
    log: (yield* host.log.list(shop.id, endpoint.id, 100)).length,
    missed: yield* host.log.missed(shop.id, endpoint.id, 0),
    audit: (yield* entriesOf(shop.id)).length,
    notices: (yield* host.notices.list(shop.id, 100, late)).length,
  }
})

const everything = {
  shop: true,
  listed: true,
  token: true,
  tokens: 1,
  customizer: true,
  definition: true,
  order: true,
  orders: 2,
  latest: true,
  endpoints: 1,
  log: 4,
  missed: 3,
  audit: 1,
  notices: 3,
}

const nothingOfIt = {
  shop: false,
  listed: false,
  token: false,
  tokens: 0,
  customizer: false,
  definition: false,
  order: false,
  orders: 0,
  latest: false,
  endpoints: 0,
  log: 0,
  missed: 0,
  audit: 0,
  notices: 0,
}

/** Drops what is left of removed shops, alternating between the hosts, in steps of a few records. */
const purge = Effect.fnUntraced(function* (both: readonly [Host, Host]) {
  for (let steps = 1; ; steps++) {
    if (yield* both[steps % 2 === 0 ? 0 : 1].upkeep.purgeRemoved({ since: someTime, limit: 3 })) return
    yield* holds("purging ends", steps < 1_000)
  }
})

/** A shop has records behind each of them. */
const ports = [
  ShopStore,
  CustomizerStore,
  OrderStore,
  TokenStore,
  RateLimits,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
  NoticeStore,
  AuditStore,
  Upkeep,
]

/** The contract of `ShopStore.remove`. */
export const removeShopCases: ReadonlyArray<StorageCase> = alone(
  calling(...ports)([
    {
      id: "shops.remove",
      title: "MUST remove a shop with all its records, in steps, and nothing of other shops",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const full = yield* fullShop
        const other = yield* fullShop
        for (const host of both) yield* equal("before", yield* seen(host, full), everything)
        yield* remove(full.shop.id)
        for (const host of both) {
          yield* equal("remaining records", yield* seen(host, full), nothingOfIt)
          yield* equal("another shop", yield* seen(host, other), everything)
        }
        yield* equal(
          "removing it again",
          yield* (yield* ShopStore).remove({ shop: full.shop.id, now: someTime, limit: 1 }),
          true,
        )
      }),
    },
    {
      id: "shops.remove.again",
      title: "MUST let a shop with the same id be put again, empty",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const full = yield* fullShop
        yield* remove(full.shop.id)
        // A call that was under way.
        yield* place(full.shop.id, "1", someTime)
        yield* both[1].shops.put(full.shop)
        for (const host of both) {
          yield* equal("what it holds", yield* seen(host, full), { ...nothingOfIt, shop: true, listed: true })
        }
        yield* place(full.shop.id, "1", someTime)
        yield* equal("its orders", (yield* both[0].orders.readOrders({ ...wholePage, shop: full.shop.id })).total, 1)
      }),
    },
    {
      id: "shops.remove.begun",
      title: "MUST say from the first step on that a shop is not complete, until it is put again with what is left",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const [full, other] = [yield* fullShop, yield* fullShop]
        const isComplete = (id: string) => Effect.forEach(both, ({ shops }) => shops.isComplete(id))
        yield* equal("before", yield* isComplete(full.shop.id), [true, true])
        const isGone = yield* both[0].shops.remove({ shop: full.shop.id, now: someTime, limit: 1 })
        yield* equal("after a step", yield* isComplete(full.shop.id), [false, false])
        yield* both[1].shops.put(full.shop)
        yield* equal("put again", yield* isComplete(full.shop.id), [true, true])
        const { customizer, order } = yield* seen(both[0], full)
        yield* equal("what a broken-off removal has left", [customizer, order], [!isGone, !isGone])
        yield* remove(full.shop.id)
        yield* equal("after the last step", yield* isComplete(full.shop.id), [false, false])
        yield* equal("another shop", yield* isComplete(other.shop.id), [true, true])
        yield* equal("a shop that was never put", yield* isComplete(unique()), [false, false])
      }),
    },
    {
      id: "shops.remove.received",
      title: "MUST forget what a removed shop's endpoints have received, even for later endpoints with the same ids",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const [host] = yield* bothHosts
        const shop = yield* newWebhookShop()
        const endpoint = yield* createEndpoint(shop.id)
        const events = yield* happen(shop.id, [0, 1])
        const claims = [...(yield* claimed(host, someTime + 10)).values()].filter((claim) => claim.shop === shop.id)
        yield* settleAll(
          host,
          claims.map((claim) => success(claim)),
        )
        yield* prune([host], { keep: 1, eventsBefore: 0 })
        yield* remove(shop.id)
        yield* host.shops.put(shop)
        yield* host.orders.commit({ shop: shop.id, designs: [], order: null, events })
        yield* createEndpoint(shop.id, endpoint)
        yield* equal("missed events", yield* host.log.missed(shop.id, endpoint.id, 0), 2)
      }),
    },
    {
      id: "shops.remove.tokens",
      title: "MUST notify the host that removes a shop of its tokens, so that they are refused at once",
      requirements: ["D18", "D43"],
      run: Effect.gen(function* () {
        const { shop, token } = yield* fullShop
        const heard: Array<string | undefined> = []
        yield* (yield* TokenStore).onChanged((digest) => Effect.sync(() => void heard.push(digest)))
        yield* (yield* ShopStore).remove({ shop: shop.id, now: someTime, limit: 1_000 })
        yield* holds("it was told", heard.includes(token.digest))
        yield* none("the token", yield* (yield* TokenStore).find(token.digest))
      }),
    },
    {
      id: "shops.remove.waits",
      title: "MUST leave nothing of what a transaction that was open at the removal stores of the shop",
      requirements: ["D43"],
      needs: ["transaction"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const { id: shop } = yield* newWebhookShop()
        yield* meanwhile(
          both[0].endpoints.add(makeEndpoint(shop), 5),
          both[1].shops.remove({ shop, now: someTime, limit: 1_000 }),
        )
        for (const { endpoints } of both) yield* equal("endpoints", yield* endpoints.list(shop), [])
      }),
    },
    {
      id: "shops.remove.claimed",
      title: "MUST leave nothing to settle of a worker's claims, and nothing to claim",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const { shop } = yield* fullShop
        const claims = [...(yield* claimed(both[0], someTime + 10)).values()].filter((claim) => claim.shop === shop.id)
        yield* holds("something was claimed", claims.length > 0)
        yield* remove(shop.id)
        yield* equal(
          "whether settling took effect",
          yield* both[1].queue.settle(
            claims.map((claim) => failure(claim)),
            (health) => health,
          ),
          claims.map(() => false),
        )
        yield* equal("claimable deliveries", [...(yield* claimed(both[1], someTime + 999_999_999)).values()], [])
        yield* equal("notices", yield* both[0].notices.list(shop.id, 10, late), [])
      }),
    },
    {
      id: "shops.remove.prune",
      title: "MUST drop with Upkeep.prune what concurrent calls stored of a removed shop, unless it was put again",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const [gone, again] = [yield* fullShop, yield* fullShop]
        for (const { shop } of [gone, again]) {
          yield* remove(shop.id)
          yield* place(shop.id, "1", someTime)
        }
        yield* both[0].shops.put(again.shop)
        yield* place(again.shop.id, "2", someTime)
        yield* prune(both, { keep: 50, eventsBefore: 0, limit: 20 })
        const orders = OrderStore.use((store) =>
          Effect.all([store.order(gone.shop.id, "1"), store.order(again.shop.id, "2")]),
        )
        const [late, kept] = yield* orders
        yield* none("the order of the removed shop", late)
        yield* holds("the order of the shop put again exists", Option.isSome(kept))
      }),
    },
    {
      id: "shops.remove.purge",
      title: "MUST drop with Upkeep.purgeRemoved what concurrent calls stored of removed shops, and nothing of others",
      requirements: ["D43"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const [first, second, other] = [yield* fullShop, yield* fullShop, yield* fullShop]
        for (const [index, { endpoint, shop }] of [first, second].entries()) {
          yield* remove(shop.id)
          for (let late = 0; late <= index; late++) yield* place(shop.id, `${late}`, someTime)
          yield* (yield* TokenStore).add(makeToken(shop.id), 100)
          yield* createEndpoint(shop.id, endpoint)
          yield* happen(shop.id, [0])
        }
        yield* purge(both)
        for (const host of both) {
          for (const full of [first, second]) yield* equal("what is left", yield* seen(host, full), nothingOfIt)
          yield* equal("another shop", yield* seen(host, other), everything)
        }
        yield* equal("with nothing left", yield* both[0].upkeep.purgeRemoved({ since: someTime, limit: 1 }), true)
      }),
    },
    {
      id: "shops.remove.purge.again",
      title: "MUST NOT drop with Upkeep.purgeRemoved or Upkeep.prune anything of a shop that is put again meanwhile",
      requirements: ["D43"],
      rounds: 5,
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const { shop } = yield* fullShop
        yield* remove(shop.id)
        for (const order of ["1", "2", "3"]) yield* place(shop.id, order, someTime)
        const again = Effect.andThen(both[0].shops.put(shop), place(shop.id, "again", someTime))
        const purging = Effect.all([purge(both), prune(both, { keep: 50, eventsBefore: 0, limit: 20 })])
        yield* Effect.all([purging, again], { concurrency: "unbounded" })
        const page = yield* both[1].orders.readOrders({ ...wholePage, shop: shop.id })
        yield* equal("its orders", [page.total, page.orders.length], [1, 1])
        yield* holds("it is the new one", Option.isSome(yield* both[0].orders.order(shop.id, "again")))
      }),
    },
  ]),
)
