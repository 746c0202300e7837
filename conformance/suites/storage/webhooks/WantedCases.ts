import { Effect } from "effect"
import type { EventRecord } from "../../../../core/model/events/Event.ts"
import { usualOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal } from "../../Assertion.ts"
import { calling, onOtherHost } from "../StorageCase.ts"
import { hostileTexts, someTime, unique } from "../support/Fixtures.ts"
import { meanwhile } from "../support/OuterTransactions.ts"
import {
  addTest,
  alone,
  bothHosts,
  claimed,
  createEndpoint,
  deliveryOn,
  firstDelivery,
  firstDeliveryId,
  happen,
  hour,
  newEndpoint,
  nothing,
  theHost,
} from "../support/Webhooks.ts"

const designOf = (id: number) => ({
  id: unique(),
  // JSON has NUL and halves of surrogate pairs, which a database may refuse.
  title: `${hostileTexts.join("")}\u0000\ud800`,
  customizer: { id, title: "A", version: 1 },
})

/** The body of an event about a design of a customizer. */
const about = (customizer: number): Partial<EventRecord> => ({
  body: JSON.stringify({ data: { design: designOf(customizer) } }),
})

/** An event about an order with designs of some customizers. */
const aboutOrder = (...customizers: ReadonlyArray<number>): Partial<EventRecord> => ({
  event: "order.cancelled",
  body: JSON.stringify({ data: { order: { designs: customizers.map(designOf) } } }),
})

const naming = (...customizers: ReadonlyArray<number>) => ({ options: { ...usualOptions, customizers } })

/** The contract of commits, changes and recoveries for endpoints that name the customizers whose designs they want. */
export const wantedCases = alone(
  calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
    DeliveryLog,
  )([
    {
      id: "wanted.new",
      title: "MUST deliver events that show a design of a customizer which the endpoint names, if it names any",
      requirements: ["D76"],
      run: Effect.gen(function* () {
        const [, other] = yield* bothHosts
        const endpoint = yield* newEndpoint(naming(7, 9_007_199_254_740_991))
        const beside = yield* createEndpoint(endpoint.shop)
        const wanted = [
          ...(yield* happen(endpoint.shop, [0], about(7))),
          ...(yield* happen(endpoint.shop, [1], about(9_007_199_254_740_991))),
          ...(yield* happen(endpoint.shop, [2], aboutOrder(8, 7))),
        ]
        const unwanted = [
          ...(yield* happen(endpoint.shop, [3], about(8))),
          ...(yield* happen(endpoint.shop, [4], about(77))),
          ...(yield* happen(endpoint.shop, [5], aboutOrder(8, 77))),
          ...(yield* happen(endpoint.shop, [6], aboutOrder())),
        ]
        const test = yield* addTest(endpoint, someTime + 7)
        const expected = [
          test.id,
          ...wanted.map((event) => firstDeliveryId(event, endpoint)),
          ...[...wanted, ...unwanted].map((event) => firstDeliveryId(event, beside)),
        ]
        const sent = yield* claimed(other, someTime + hour)
        yield* equal("what is sent", [...sent.keys()].toSorted(), expected.toSorted())
      }),
    },
    {
      id: "wanted.changed",
      title: "MUST drop pending deliveries that an endpoint no longer wants, and recover what it wants and has missed",
      requirements: ["D28", "D76"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint()
        const [seven] = yield* happen(endpoint.shop, [0], about(7))
        const [eight] = yield* happen(endpoint.shop, [1], aboutOrder(8))
        const statuses = Effect.forEach([seven, eight], (event) =>
          Effect.map(deliveryOn(other, firstDelivery(event, endpoint)), ({ status }) => status),
        )
        const change = (customizers: ReadonlyArray<number> | null) =>
          host.endpoints.update(endpoint.shop, endpoint.id, changing({ options: { customizers } }))
        yield* change([7])
        yield* equal("after a change to one", yield* statuses, ["pending", "dropped"])
        yield* change([8])
        yield* equal("after a change to the other", yield* statuses, ["dropped", "dropped"])
        yield* equal("missed", yield* other.log.missed(endpoint.shop, endpoint.id, 0), 1)
        const run = { shop: endpoint.shop, endpointId: endpoint.id, since: 0, now: someTime + 2, run: "again" }
        yield* equal("recovered", yield* host.queue.recover(run), 1)
        const sent = [...(yield* claimed(other, someTime + 2)).values()].map(({ eventId }) => eventId)
        yield* equal("what is sent", sent, [eight.id])
        yield* change(null)
        yield* equal("missed of all", yield* other.log.missed(endpoint.shop, endpoint.id, 0), 1)
      }),
    },
    {
      id: "wanted.open",
      title:
        "MUST also drop deliveries that an open outer transaction adds meanwhile, by the customizers of their events",
      requirements: ["D23", "D76"],
      needs: ["transaction"],
      run: Effect.gen(function* () {
        const host = yield* theHost
        const endpoint = yield* newEndpoint(naming(7))
        const elsewhere = yield* onOtherHost(theHost)
        const change = elsewhere.endpoints.update(
          endpoint.shop,
          endpoint.id,
          changing({ options: { customizers: [8] } }),
        )
        const orders = yield* OrderStore
        yield* meanwhile(Effect.provideService(happen(endpoint.shop, [0], about(7)), OrderStore, orders), change)
        yield* nothing("what is sent", host, someTime + hour)
      }),
    },
  ]),
)
