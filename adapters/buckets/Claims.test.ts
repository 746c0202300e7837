/** Claims that find more in two buckets than their limits allow. */
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeShop, someTime, unique } from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, happen, request } from "../../conformance/suites/storage/support/Webhooks.ts"
import { newDeployment, openDatabases } from "../../conformance/testkit/databases/BucketDatabases.ts"
import type { EndpointRecord } from "../../core/model/Endpoint.ts"
import { type ClaimRequest, DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../core/ports/StoragePorts.ts"
import * as Buckets from "./index.ts"

const proven = { proven: true, troubled: false }
const troubled = { proven: false, troubled: true }
const newcomer = { proven: false, troubled: false }

/** A shop in one of two buckets with these endpoints, and some due deliveries of each. */
const newShop = Effect.fnUntraced(function* (
  bucket: 0 | 1,
  endpoints: ReadonlyArray<Partial<EndpointRecord>>,
  due: number,
) {
  let id = unique(12)
  while (Buckets.hashOf(id) % 2 !== bucket) id = unique(12)
  yield* ShopStore.use((shops) => shops.put(makeShop({ id })))
  for (const endpoint of endpoints) yield* createEndpoint(id, endpoint)
  yield* happen(
    id,
    Array.from({ length: due }, () => 0),
  )
  return id
})

/** Claims of shops, each named for every standing. */
const claim = (shops: ReadonlyArray<string>, limits: Partial<ClaimRequest>) =>
  Effect.map(
    DeliveryQueue.use((queue) =>
      queue.claim({ ...request(), shops: { newcomer: shops, troubled: shops, proven: shops }, ...limits }),
    ),
    (claims) => claims.map(({ proven, shop, troubled }) => ({ shop, proven, troubled })),
  )

const inTwoBuckets = <A, E>(effect: Effect.Effect<A, E, StoragePorts>) =>
  Effect.gen(function* () {
    const { databases } = yield* openDatabases(yield* newDeployment(["first", "second"], 2), 2)
    return yield* Effect.provide(effect, Buckets.layer({ databases }), { local: true })
  }).pipe(Effect.scoped)

it.live("a claim MUST return newcomers of any bucket first, and leave the rest for other claims", () =>
  inTwoBuckets(
    Effect.gen(function* () {
      const first = yield* newShop(0, [proven], 2)
      const second = yield* newShop(1, [newcomer], 1)
      expect(yield* claim([first, second], { limit: 2 })).toEqual([
        { shop: second, ...newcomer },
        { shop: first, ...proven },
      ])
      expect(yield* claim([first, second], { limit: 2 })).toEqual([{ shop: first, ...proven }])
    }),
  ),
)

it.live("a claim with room left MUST return what a shop may have in place of an endpoint whose turn it is not", () =>
  inTwoBuckets(
    Effect.gen(function* () {
      const first = yield* newShop(0, [troubled, proven], 1)
      const second = yield* newShop(1, [newcomer], 1)
      const limits = { limit: 3, perShop: 1, probation: { limit: 1, troubled: 1, perEndpoint: 1 } }
      expect(yield* claim([first, second], limits)).toEqual([
        { shop: second, ...newcomer },
        { shop: first, ...proven },
      ])
      const later = { ...limits, now: someTime + 1, perShop: 2 }
      expect(yield* claim([first, second], later)).toEqual([{ shop: first, ...troubled }])
    }),
  ),
)
