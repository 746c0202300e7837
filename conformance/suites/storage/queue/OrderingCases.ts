import { Effect } from "effect"
import { usualOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import {
  addDelivery,
  addTest,
  bothHosts,
  claimed,
  claimOf,
  deliveryPorts,
  failure,
  firstDelivery,
  firstDeliveryId,
  happen,
  idsOf,
  makeDelivery,
  minute,
  newEndpoint,
  nothing,
  settleAll,
  success,
} from "../support/Webhooks.ts"

const ordered = { options: { ...usualOptions, ordering: "object" } } as const
const ofOrder = (order: string) => ({ subject: { order, design: null } })

/** The order of deliveries of endpoints that ask for one (D53). */
export const orderingCases = calling(...deliveryPorts)([
  {
    id: "ordering.line",
    title:
      "MUST let one delivery of an object be claimed at a time, in the order of the feed, and hold no other object",
    requirements: ["D53"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint(ordered)
      // Later ones have earlier times: the order is the feed's, not the clock's.
      const [one, two, three] = yield* happen(endpoint.shop, [0, -1, -2], ofOrder("1"))
      const [beside] = yield* happen(endpoint.shop, [0], ofOrder("2"))
      const [free] = yield* happen(endpoint.shop)
      const test = yield* addTest(endpoint)
      const id = (event: typeof one) => firstDeliveryId(event, endpoint)
      const claims = yield* claimed(host)
      yield* equal("the fronts", idsOf(claims.values()), [id(one), id(beside), id(free), test.id].toSorted())
      yield* nothing("beside them", other)
      yield* settleAll(host, [failure(yield* claimOf(claims, id(one)))])
      yield* nothing("while the first one waits for its retry", other)
      const [four] = yield* happen(endpoint.shop, [0], ofOrder("1"))
      yield* nothing("nor one that joins meanwhile", other)
      const retry = yield* claimed(other, someTime + minute)
      yield* settleAll(other, [success(yield* claimOf(retry, id(one)), someTime + minute)])
      const second = yield* claimed(host, someTime + minute)
      yield* claimOf(second, id(two))
      yield* settleAll(host, [success(yield* claimOf(second, id(two)), someTime + minute)])
      const third = yield* claimed(host, someTime + minute)
      yield* settleAll(host, [success(yield* claimOf(third, id(three)), someTime + minute)])
      yield* claimOf(yield* claimed(other, someTime + minute), id(four))
    }),
  },
  {
    id: "ordering.dropped",
    title: "MUST continue if the delivery in front is dropped, and put a redelivery behind what is pending",
    requirements: ["D53", "D31"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint(ordered)
      const [one] = yield* happen(endpoint.shop, [0], ofOrder("1"))
      const first = firstDeliveryId(one, endpoint)
      yield* settleAll(host, [success(yield* claimOf(yield* claimed(host), first))])
      const [two] = yield* happen(endpoint.shop, [0], ofOrder("1"))
      const [three] = yield* happen(endpoint.shop, [0], { ...ofOrder("1"), event: "order.cancelled" })
      const again = makeDelivery(three, endpoint, { createdAt: someTime - 1, nextAttemptAt: someTime - 1 })
      yield* addDelivery(host, again)
      const trial = { shop: endpoint.shop, endpointId: endpoint.id, id: again.id, now: someTime }
      yield* equal("the front", idsOf((yield* claimed(host)).values()), [firstDeliveryId(two, endpoint)])
      yield* equal("trying one that waits", yield* host.queue.tryNow(trial), "behind")
      const { pending } = yield* host.upkeep.backlog(endpoint.shop, someTime)
      yield* equal("pending", pending, 3)
      const waiting = yield* host.log.page({ shop: endpoint.shop, pending: {}, after: null, limit: 10 })
      const standing = Object.fromEntries(waiting.deliveries.map(({ id, isBehind }) => [id, isBehind]))
      const [second, third] = [firstDeliveryId(two, endpoint), firstDeliveryId(three, endpoint)]
      yield* equal("which wait for others", standing, { [second]: false, [third]: true, [again.id]: true })
      yield* host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["order.cancelled"] }))
      const next = yield* claimed(host)
      yield* equal("the next one", idsOf(next.values()), [firstDeliveryId(three, endpoint)])
      yield* settleAll(host, [success(yield* claimOf(next, firstDeliveryId(three, endpoint)))])
      yield* equal("the redelivery", idsOf((yield* claimed(host)).values()), [again.id])
    }),
  },
  {
    id: "ordering.changed",
    title: "MUST put pending deliveries in order if the endpoint asks for one, and out of it if it no longer does",
    requirements: ["D53"],
    run: Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const [one, two] = yield* happen(endpoint.shop, [0, -1], ofOrder("1"))
      const change = (ordering: "none" | "object") =>
        host.endpoints.update(endpoint.shop, endpoint.id, changing({ options: { ordering } }))
      yield* change("object")
      // Behind the others, whatever is asked for again.
      const again = makeDelivery(one, endpoint)
      yield* addDelivery(host, again)
      yield* change("object")
      const claims = yield* claimed(other)
      yield* equal("the front", idsOf(claims.values()), [firstDelivery(one, endpoint).id])
      yield* settleAll(host, [success(yield* claimOf(claims, firstDeliveryId(one, endpoint)))])
      yield* equal("the next one", idsOf((yield* claimed(host)).values()), [firstDeliveryId(two, endpoint)])
      yield* change("none")
      yield* equal("the other one", idsOf((yield* claimed(other)).values()), [again.id])
    }),
  },
])
