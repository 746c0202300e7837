import { Effect } from "effect"
import { type Health, healthy } from "../../../../core/model/Health.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { equal, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import {
  bothHosts,
  claimed,
  endpointOn,
  happen,
  newEndpoint,
  request,
  settleAll,
  success,
  turnOf,
} from "../support/Webhooks.ts"

const times = [0, 1, 2, 3, 4, 5, 6, 7]

/** The freedom that `DeliveryQueue` leaves stores in claiming and settling, and its limits. */
export const claimContractCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
)([
  {
    id: "claim.turns.hosts",
    title: "MUST serve every shop in turn, over the claims of one host or of all, wherever the turn is kept",
    requirements: ["D45"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const shops = yield* Effect.forEach([1, 2, 3, 4], () => newEndpoint())
      for (const { shop } of shops) yield* happen(shop, times)
      const turn = yield* Effect.forEach(shops, () => both[0].queue.claim(request({ now: someTime + 20, limit: 1 })))
      yield* equal("shops that four claims of one host served", new Set(turn.flat().map(({ shop }) => shop)).size, 4)
      const turns = yield* Effect.forEach([...shops, ...shops], (_, index) =>
        turnOf(both, index).queue.claim(request({ now: someTime + 20, limit: 1 })),
      )
      yield* equal(
        "shops that four more claims of each host served",
        new Set(turns.flat().map(({ shop }) => shop)).size,
        4,
      )
    }),
  },
  {
    id: "claim.transaction.open",
    title: "MUST NOT wait for an open outer transaction that has changed pending deliveries, but return the others",
    requirements: ["D23", "D45"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const transaction = yield* outerTransaction
      const [gone, kept] = [yield* newEndpoint(), yield* newEndpoint()]
      for (const { shop } of [gone, kept]) yield* happen(shop)
      const claims = yield* transaction.run(
        Effect.andThen(
          host.endpoints.remove(gone.shop, gone.id),
          Effect.timeoutOption(other.queue.claim(request()), "20 seconds"),
        ),
      )
      const found = yield* some("an answer while the transaction is open", claims)
      yield* equal(
        "the claims",
        found.map(({ shop }) => shop),
        [kept.shop],
      )
    }),
  },
  {
    id: "claim.order.endpoints",
    title: "MUST choose, among endpoints with equally many attempts under way, the one with the longest-due delivery",
    requirements: ["D28"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const first = yield* newEndpoint({ kinds: ["order.cancelled"] })
      const second = { ...first, id: `${first.id.slice(0, -1)}z`, kinds: ["design.ordered"] as const }
      yield* both[0].endpoints.add(second, 5)
      for (const [index, at] of times.entries()) {
        const event = index % 2 === 0 ? "design.ordered" : "order.cancelled"
        yield* happen(first.shop, [at], { event })
      }
      const claims = yield* Effect.forEach(times, (index) =>
        turnOf(both, index).queue.claim(request({ now: someTime + 20, limit: 1 })),
      )
      yield* equal(
        "the endpoints, in the order in which their deliveries were due",
        claims.flat().map(({ endpointId }) => endpointId),
        times.map((index) => (index % 2 === 0 ? second.id : first.id)),
      )
    }),
  },
  {
    id: "settle.advance.tried",
    title: "MUST store the result of `advance` for the stored health, even if it was also called with another one",
    requirements: ["D27"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const failing: Health = { ...healthy, consecutiveFailures: 7, proven: false, troubled: true }
      const advance = (health: Health): Health =>
        health.consecutiveFailures === 0 ? healthy : { ...health, consecutiveFailures: health.consecutiveFailures + 1 }
      for (const [index, before] of [failing, healthy].entries()) {
        const endpoint = yield* newEndpoint(before)
        yield* happen(endpoint.shop)
        const settlements = [...(yield* claimed(both[0])).values()].map((claim) => success(claim))
        yield* equal("settlements", settlements.length, 1)
        yield* settleAll(turnOf(both, index), settlements, advance)
        for (const host of both) {
          yield* equal("kept", yield* endpointOn(host, endpoint), { ...endpoint, ...advance(before) })
        }
      }
    }),
  },
])
