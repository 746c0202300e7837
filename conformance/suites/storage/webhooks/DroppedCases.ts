import { Effect } from "effect"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import { meanwhile } from "../support/OuterTransactions.ts"
import {
  addDelivery,
  addTest,
  alone,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  deliveryOn,
  failure,
  firstDelivery,
  firstDeliveryId,
  happen,
  hour,
  makeDelivery,
  newEndpoint,
  nothing,
  settleAll,
  success,
  switchedOff,
  theHost,
} from "../support/Webhooks.ts"

const all = ["design.created", "design.ordered"] as const

/** The contract of `EndpointStore.update` for pending deliveries of kinds that the endpoint no longer takes. */
export const droppedCases = alone(
  calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
    DeliveryLog,
  )([
    {
      id: "dropped.pending",
      title: "MUST drop pending deliveries of kinds that an endpoint no longer takes, and of no other kind or endpoint",
      requirements: ["D31"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const [host, other] = both
        const endpoint = yield* newEndpoint({ kinds: all })
        const beside = yield* createEndpoint(endpoint.shop, { kinds: all })
        const elsewhere = yield* newEndpoint({ id: endpoint.id, kinds: all })
        const [failed] = yield* happen(endpoint.shop)
        const claims = [...(yield* claimed(host)).values()]
        yield* settleAll(
          host,
          claims.map((claim) => failure(claim)),
        )
        const [ordered] = yield* happen(endpoint.shop, [1])
        const [created] = yield* happen(endpoint.shop, [2], { event: "design.created" })
        const [theirs] = yield* happen(elsewhere.shop, [3], { id: ordered.id })
        const test = yield* addTest(endpoint, someTime + 4)
        yield* host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["design.created"] }))
        for (const one of both) {
          for (const event of [failed, ordered]) {
            const { attempts, nextAttemptAt, status } = yield* deliveryOn(one, firstDelivery(event, endpoint))
            yield* equal("state", [status, nextAttemptAt, attempts.length], ["dropped", null, event === failed ? 1 : 0])
          }
        }
        const sent = yield* claimed(other, someTime + hour)
        const expected = [
          test.id,
          firstDeliveryId(created, endpoint),
          firstDeliveryId(theirs, elsewhere),
          ...[failed, ordered, created].map((event) => firstDeliveryId(event, beside)),
        ]
        yield* equal("what is sent", [...sent.keys()].toSorted(), expected.toSorted())
      }),
    },
    {
      id: "dropped.again",
      title:
        "MUST leave dropped deliveries dropped if the kind is taken again, count their events as missed, and recover",
      requirements: ["D28", "D29", "D31"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint({ kinds: all, ...switchedOff, status: "active" })
        const [event] = yield* happen(endpoint.shop)
        const change = (kinds: typeof all | readonly ["design.created"]) =>
          host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds }))
        yield* change(["design.created"])
        const again = makeDelivery(event, endpoint)
        yield* addDelivery(host, again)
        yield* equal("a later redelivery", [...(yield* claimed(other)).keys()], [again.id])
        yield* change(all)
        yield* nothing("what is sent", other, someTime)
        yield* equal("its state", (yield* deliveryOn(other, firstDelivery(event, endpoint))).status, "dropped")
        const [second] = yield* happen(endpoint.shop, [1])
        yield* change(["design.created"])
        yield* change(all)
        yield* equal("missed", yield* other.log.missed(endpoint.shop, endpoint.id, 0), 2)
        const run = { shop: endpoint.shop, endpointId: endpoint.id, since: 0, now: someTime + 2, run: "again" }
        yield* equal("recovered", yield* host.queue.recover(run), 2)
        const sent = [...(yield* claimed(other, someTime + 2)).values()].map(({ eventId }) => eventId)
        yield* equal("what is sent", sent.toSorted(), [event.id, second.id].toSorted())
      }),
    },
    {
      id: "dropped.held",
      title: "MUST drop deliveries that an endpoint which is switched off holds, and not send them once it is on",
      requirements: ["D28", "D31"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint({ kinds: all })
        yield* happen(endpoint.shop, [0, 1])
        const [first] = [...(yield* claimed(host, someTime)).values()]
        yield* settleAll(host, first === undefined ? [] : [failure(first)], (health) => ({ ...health, ...switchedOff }))
        yield* host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["design.created"] }))
        yield* host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
        yield* nothing("what is sent", other, someTime + hour)
      }),
    },
    {
      id: "dropped.claimed",
      title: "MUST store the attempt of a delivery that is dropped meanwhile, and retry or claim it no more",
      requirements: ["D31"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint({ kinds: all })
        const events = yield* happen(endpoint.shop, [0, 0, 0, 0])
        const claims = yield* claimed(host)
        yield* other.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["design.created"] }))
        const [failing, succeeding, given] = yield* Effect.forEach(events, (event) =>
          claimOf(claims, firstDeliveryId(event, endpoint)),
        )
        if (failing === undefined || succeeding === undefined || given === undefined) return
        yield* settleAll(host, [failure(failing)])
        yield* settleAll(host, [success(succeeding)])
        yield* host.queue.release([given])
        const states = yield* Effect.forEach(events, (event) =>
          Effect.map(
            deliveryOn(other, firstDelivery(event, endpoint)),
            ({ attempts, nextAttemptAt, status }) => `${status} ${attempts.length} ${nextAttemptAt}`,
          ),
        )
        yield* equal("states", states, ["dropped 1 null", "succeeded 1 null", "dropped 0 null", "dropped 0 null"])
        yield* nothing("after the lease", other, someTime + 24 * hour)
      }),
    },
    {
      id: "dropped.open",
      title: "MUST also drop deliveries that an open outer transaction adds meanwhile",
      requirements: ["D23", "D31"],
      needs: ["transaction"],
      run: Effect.gen(function* () {
        const host = yield* theHost
        const endpoint = yield* newEndpoint({ kinds: all })
        const elsewhere = yield* onOtherHost(theHost)
        const change = elsewhere.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["design.created"] }))
        const orders = yield* OrderStore
        yield* meanwhile(Effect.provideService(happen(endpoint.shop), OrderStore, orders), change)
        yield* nothing("what is sent", host, someTime + hour)
      }),
    },
  ]),
)
