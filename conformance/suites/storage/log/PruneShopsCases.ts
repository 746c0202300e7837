import { Effect } from "effect"
import { equal } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addDelivery,
  bothHosts,
  createEndpoint,
  deliveryPorts,
  happen,
  logOf,
  makeDelivery,
  makeEvent,
  newEndpoint,
  newWebhookShop,
  prune,
  request,
  settleAll,
  success,
} from "../support/Webhooks.ts"

/** The contract of `Upkeep.prune` for shops with equal ids. */
export const pruneShopsCases = calling(...deliveryPorts)([
  {
    id: "prune.shops",
    title: "MUST use each shop's own deliveries and events if several shops have the same ids",
    requirements: ["§5-3", "D9", "D32", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const old = yield* newEndpoint()
      const events = yield* happen(old.shop, [0, 1, 2, 3])
      const ids = events.map(({ id }) => id)
      /** Commits events with the same ids, but not old, to another shop. */
      const same = (shop: string, of: ReadonlyArray<string>) =>
        host.orders.commit({
          shop,
          designs: [],
          order: null,
          events: of.map((id, index) => makeEvent(shop, { id, createdAt: someTime + 100 + index })),
        })
      const fresh = yield* newEndpoint({ id: old.id })
      yield* same(fresh.shop, ids)
      const short = yield* newEndpoint({ id: old.id })
      yield* same(short.shop, ids.slice(0, 2))
      const late = (yield* newWebhookShop()).id
      yield* same(late, ids.slice(0, 2))
      const missing = yield* createEndpoint(late, { id: old.id })
      const claims = yield* host.queue.claim(request({ now: someTime + 200 }))
      yield* settleAll(
        host,
        claims.map((claim) => success(claim, someTime + 200)),
      )
      const again = makeDelivery({ ...events[0], shop: short.shop }, short, {
        createdAt: someTime + 300,
        nextAttemptAt: someTime + 300,
      })
      yield* addDelivery(host, again)
      const expected = new Map<string, Effect.Success<ReturnType<typeof logOf>>>()
      for (const endpoint of [old, fresh, short, missing]) {
        expected.set(endpoint.shop, (yield* logOf(host, endpoint)).slice(0, 3))
      }
      yield* prune(both, { keep: 3, eventsBefore: someTime + 10 })
      for (const one of both) {
        for (const endpoint of [old, fresh, short, missing]) {
          yield* equal("the log", yield* logOf(one, endpoint), expected.get(endpoint.shop) ?? [])
        }
        const missed = yield* Effect.forEach([old, fresh, short, missing], ({ id, shop }) =>
          one.log.missed(shop, id, 0),
        )
        yield* equal("missed events of each", missed, [0, 0, 0, 2])
      }
    }),
  },
])
