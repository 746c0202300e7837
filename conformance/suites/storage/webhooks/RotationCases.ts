import { Effect, Option } from "effect"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, promoting, rotating, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, holds, none } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { hostileTexts, someTime, unique } from "../support/Fixtures.ts"
import {
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  endpointOn,
  firstDeliveryId,
  happen,
  hour,
  newEndpoint,
  newWebhookShop,
  switchedOff,
  turnOf,
} from "../support/Webhooks.ts"

const now = someTime
const until = someTime + hour

/** A new secret that signs from an instant on. */
const makeNew = (fields: { readonly secret?: string; readonly until?: number; readonly now?: number } = {}) => ({
  secret: `2.${unique(60)}`,
  until,
  now,
  ...fields,
})

/** Rotates the secret of an endpoint on a host, expects the result, and returns it. */
const rotate = Effect.fnUntraced(function* (
  store: EndpointStore["Service"],
  endpoint: EndpointRecord,
  anew: ReturnType<typeof makeNew>,
  expected: Partial<EndpointRecord>,
) {
  const rotated = { ...endpoint, ...expected }
  yield* equal(
    "the result of rotate",
    yield* store.update(endpoint.shop, endpoint.id, rotating(anew)),
    Option.some(rotated),
  )
  return rotated
})

/** Promotes the new secret of an endpoint on a host, expects the result, and returns it. */
const promote = Effect.fnUntraced(function* (
  store: EndpointStore["Service"],
  endpoint: EndpointRecord,
  at: number,
  expected: Partial<EndpointRecord>,
) {
  const promoted = { ...endpoint, ...expected }
  yield* equal(
    "the result of promote",
    yield* store.update(endpoint.shop, endpoint.id, promoting(at)),
    Option.some(promoted),
  )
  return promoted
})

/** The contract of `EndpointStore` for rotating secrets. */
export const rotationCases = calling(
  ShopStore,
  EndpointStore,
)([
  {
    id: "endpoints.rotate",
    title:
      "MUST store a new secret beside the old one, exactly, visible at once on every host, and change nothing else",
    requirements: ["D20", "D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const [index, secret] of [...hostileTexts, unique(4_000)].entries()) {
        const endpoint = yield* newEndpoint(index % 2 === 0 ? { consecutiveFailures: 7 } : switchedOff)
        const beside = yield* createEndpoint(endpoint.shop)
        const other = yield* createEndpoint((yield* newWebhookShop()).id, { id: endpoint.id })
        const { endpoints } = turnOf(both, index)
        const rotated = yield* rotate(endpoints, endpoint, makeNew({ secret }), { rotation: { secret, until } })
        for (const host of both) {
          yield* equal("found", yield* endpointOn(host, endpoint), rotated)
          yield* equal("listed", yield* host.endpoints.list(endpoint.shop), [rotated, beside].toSorted(byId))
          yield* equal("another shop's of the same id", yield* endpointOn(host, other), other)
        }
      }
    }),
  },
  {
    id: "endpoints.rotate.again",
    title: "MUST replace a new secret that does not sign yet with a newer one, while the old one keeps signing",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      let endpoint = yield* newEndpoint()
      for (const [index, at] of [now, now + 1, until - 1].entries()) {
        const anew = makeNew({ now: at, until: until + index })
        const { secret } = anew
        endpoint = yield* rotate(turnOf(both, index).endpoints, endpoint, anew, {
          rotation: { secret, until: until + index },
        })
        yield* equal("found", yield* endpointOn(both[1], endpoint), endpoint)
      }
    }),
  },
  {
    id: "endpoints.rotate.over",
    title: "MUST treat the new secret as the old one once the previous rotation is over, and not a millisecond earlier",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const [index, late] of [0, 1, 10 * hour].entries()) {
        const { endpoints } = turnOf(both, index)
        const endpoint = yield* newEndpoint()
        const first = makeNew()
        const rotated = yield* rotate(endpoints, endpoint, first, { rotation: { secret: first.secret, until } })
        const second = makeNew({ now: until - 1, until: until + hour })
        const running = yield* rotate(endpoints, rotated, second, {
          rotation: { secret: second.secret, until: until + hour },
        })
        const third = makeNew({ now: until + hour + late, until: until + 20 * hour })
        yield* rotate(endpoints, running, third, {
          secret: second.secret,
          secretSince: until + hour,
          rotation: { secret: third.secret, until: until + 20 * hour },
        })
      }
    }),
  },
  {
    id: "endpoints.rotate.at-once",
    title:
      "MUST replace the secret at once if the new one signs from now on, even during a rotation, and drop all others",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const [index, running] of [false, true].entries()) {
        const { endpoints } = turnOf(both, index)
        let endpoint = yield* newEndpoint()
        const before = makeNew()
        if (running) {
          endpoint = yield* rotate(endpoints, endpoint, before, { rotation: { secret: before.secret, until } })
        }
        const anew = makeNew({ now: now + 5, until: now + 5 })
        const replaced = { secret: anew.secret, secretSince: now + 5, rotation: null }
        endpoint = yield* rotate(endpoints, endpoint, anew, replaced)
        for (const host of both) yield* equal("found", yield* endpointOn(host, endpoint), endpoint)
      }
    }),
  },
  {
    id: "endpoints.promote",
    title:
      "MUST let only the new secret sign from now on, and change nothing when it is promoted again or there is none",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const [index, at] of [now, until - 1].entries()) {
        const { endpoints } = turnOf(both, index)
        const endpoint = yield* newEndpoint(index === 0 ? {} : switchedOff)
        const beside = yield* createEndpoint(endpoint.shop, { rotation: { secret: "2.beside", until } })
        yield* promote(endpoints, endpoint, at, {})
        const anew = makeNew()
        const rotated = yield* rotate(endpoints, endpoint, anew, { rotation: { secret: anew.secret, until } })
        const promoted = yield* promote(endpoints, rotated, at, {
          secret: anew.secret,
          secretSince: at,
          rotation: null,
        })
        yield* promote(both[1].endpoints, promoted, at + 1, {})
        for (const host of both) {
          yield* equal("found", yield* endpointOn(host, endpoint), promoted)
          yield* equal("another", yield* endpointOn(host, beside), beside)
        }
      }
    }),
  },
  {
    id: "endpoints.promote.over",
    title: "MUST keep only the new secret, from the instant when it began to sign, if the rotation ended by time",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const [index, late] of [0, 1, hour].entries()) {
        const { endpoints } = turnOf(both, index)
        const endpoint = yield* newEndpoint()
        const { secret, ...times } = makeNew()
        const rotated = yield* rotate(endpoints, endpoint, { secret, ...times }, { rotation: { secret, until } })
        yield* promote(endpoints, rotated, until + late, { secret, secretSince: until, rotation: null })
      }
    }),
  },
  {
    id: "endpoints.rotate.missing",
    title: "MUST return none for an endpoint that the shop never had or no longer has, and store nothing",
    requirements: ["§5-3", "D9", "D40"],
    run: Effect.gen(function* () {
      const [{ endpoints }] = yield* bothHosts
      const gone = yield* newEndpoint()
      const kept = yield* newEndpoint()
      yield* endpoints.remove(gone.shop, gone.id)
      for (const [shop, id] of [
        [gone.shop, gone.id],
        [gone.shop, kept.id],
        [kept.shop, `whe_${unique(22)}`],
      ] as const) {
        yield* none("rotate", yield* endpoints.update(shop, id, rotating(makeNew())))
        yield* none("promote", yield* endpoints.update(shop, id, promoting(now)))
        yield* none("found", yield* endpoints.find(shop, id))
      }
      yield* equal("another shop's", yield* endpoints.list(kept.shop), [kept])
    }),
  },
  {
    id: "endpoints.rotate.race",
    rounds: 5,
    title: "MUST apply each of many concurrent rotations, one after the other, on two hosts",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const racing = Array.from({ length: 10 }, () => makeNew())
      const answers = yield* Effect.forEach(
        racing,
        (anew, index) => turnOf(both, index).endpoints.update(endpoint.shop, endpoint.id, rotating(anew)),
        { concurrency: "unbounded" },
      )
      const expected = racing.map(({ secret }) => ({ ...endpoint, rotation: { secret, until } }))
      yield* equal("the answers", answers, expected.map(Option.some))
      const kept = yield* endpointOn(both[0], endpoint)
      yield* holds(
        "the stored new secret is one of those returned",
        racing.some(({ secret }) => secret === kept.rotation?.secret),
      )
      yield* equal("the endpoint", kept, { ...endpoint, rotation: kept.rotation })
    }),
  },
  {
    id: "endpoints.promote.race",
    rounds: 5,
    title: "MUST promote a new secret once if many promote it at once and another is made, and never lose both",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      for (const _ of [0, 1, 2]) {
        const first = makeNew()
        const endpoint = yield* newEndpoint({ rotation: { secret: first.secret, until } })
        const { id, shop } = endpoint
        const second = makeNew()
        const racing = Array.from({ length: 9 }, (_, index) => {
          const { endpoints } = turnOf(both, index)
          return index === 4 ? endpoints.update(shop, id, rotating(second)) : endpoints.update(shop, id, promoting(now))
        })
        yield* Effect.all(racing, { concurrency: "unbounded" })
        const { rotation, secret, secretSince } = yield* endpointOn(both[0], endpoint)
        const kept = [secret, secretSince, rotation?.secret ?? null]
        // As if the calls had run one after the other, in any order.
        const orders = [
          [first.secret, now, second.secret],
          [second.secret, now, null],
        ]
        yield* holds(
          `the stored secrets are a possible result: ${JSON.stringify(kept)}`,
          orders.some((order) => JSON.stringify(order) === JSON.stringify(kept)),
        )
      }
    }),
  },
  {
    id: "endpoints.rotate.concurrent",
    rounds: 5,
    title: "MUST keep a rotation and concurrent changes of other fields",
    requirements: ["D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint(switchedOff)
      const { id, shop } = endpoint
      const anew = makeNew()
      yield* Effect.all(
        [
          both[0].endpoints.update(shop, id, rotating(anew)),
          both[1].endpoints.update(shop, id, changing({ url: "https://new.example.com/" })),
          both[0].endpoints.update(shop, id, turningOn),
          both[1].endpoints.update(shop, id, changing({ description: "new" })),
        ],
        { concurrency: "unbounded" },
      )
      const kept = yield* endpointOn(both[1], endpoint)
      yield* equal("the endpoint", kept, {
        ...endpoint,
        url: "https://new.example.com/",
        description: "new",
        status: "active",
        consecutiveFailures: 0,
        switchedOffAt: null,
        troubled: false,
        rotation: { secret: anew.secret, until },
      })
    }),
  },
  {
    id: "endpoints.rotate.claims",
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue],
    title: "MUST return deliveries with the current secrets, even for earlier events",
    requirements: ["D24", "D40"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      const anew = makeNew()
      const [first, second, third] = yield* happen(shop, [0, 1, 2])
      const given = Effect.fnUntraced(function* (event: typeof first, at: number) {
        const claim = yield* claimOf(yield* claimed(turnOf(both, at), now + at), firstDeliveryId(event, endpoint))
        return [claim.secret, claim.rotation]
      })
      yield* equal("before", yield* given(first, 0), [endpoint.secret, null])
      yield* both[1].endpoints.update(shop, id, rotating(anew))
      yield* equal("while it runs", yield* given(second, 1), [endpoint.secret, { secret: anew.secret, until }])
      yield* both[0].endpoints.update(shop, id, promoting(now + 2))
      yield* equal("after it", yield* given(third, 2), [anew.secret, null])
    }),
  },
])

const byId = (left: EndpointRecord, right: EndpointRecord): number => (left.id < right.id ? -1 : 1)
