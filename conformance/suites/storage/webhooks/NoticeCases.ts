import { Effect } from "effect"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { DeliveryNotice } from "../../../../core/model/Resources.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { type NoticeRecord, noticeOf } from "../../../../core/model/webhooks/Notice.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { type NoticeClaim, NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { TokenStore } from "../../../../core/ports/TokenStore.ts"
import { Upkeep } from "../../../../core/ports/Upkeep.ts"
import { endingId, endingOf } from "../../../../core/rules/webhooks/NoticeRules.ts"
import { equal } from "../../Assertion.ts"
import { calling, type StorageCase } from "../StorageCase.ts"
import { makeToken, newShop, retrying, someTime, unique } from "../support/Fixtures.ts"
import { meanwhile } from "../support/OuterTransactions.ts"
import {
  advance,
  alone,
  bothHosts,
  claimed,
  failure,
  type Host,
  happen,
  hour,
  late,
  minute,
  newEndpoint,
  prune,
  settleAll,
  turnOf,
} from "../support/Webhooks.ts"

/** A day in milliseconds. */
const day = 24 * hour

/** The settlement of a delivery that is given up. */
const givenUp = { status: "failed", nextAttemptAt: null } as const

/**
 * Gives up deliveries of an endpoint, each at an instant after {@link someTime} when its last attempt ends. Returns the
 * notices.
 */
const giveUp = Effect.fnUntraced(function* (host: Host, endpoint: EndpointRecord, times: ReadonlyArray<number>) {
  yield* happen(
    endpoint.shop,
    times.map(() => -hour),
  )
  const claims = [...(yield* claimed(host)).values()].filter(({ shop }) => shop === endpoint.shop)
  yield* settleAll(
    host,
    claims.map((claim, index) => ({ ...failure(claim, someTime + (times[index] ?? 0)), ...givenUp })),
  )
  const notices = yield* host.notices.list(endpoint.shop, 1_000, late)
  return notices.toReversed().slice(-times.length)
})

const claim = (host: Host, now: Instant, limit = 1_000) =>
  host.notices.claim({ now, limit, leaseUntil: now + minute, token: unique() })

/** Settles all notices that other cases have left. */
const tellRest = (host: Host) =>
  Effect.flatMap(claim(host, late, 100_000), (claims) =>
    Effect.forEach(claims, (one) => host.notices.settle(one, null), { discard: true }),
  )

/** The notice of a record that is about a delivery. */
const aboutDelivery = (record: NoticeRecord) => noticeOf(record) as DeliveryNotice

const idsOf = (records: ReadonlyArray<NoticeRecord>) => records.map(({ id }) => id)

const claimedIds = (claims: ReadonlyArray<NoticeClaim>) => idsOf(claims.map(({ notice }) => notice))

/** The contract of `NoticeStore`, and of `DeliveryQueue.settle` for notices. */
export const noticeCases: ReadonlyArray<StorageCase> = alone(
  calling(
    ShopStore,
    OrderStore,
    EndpointStore,
    DeliveryQueue,
    NoticeStore,
  )([
    {
      id: "notices.settle",
      title: "MUST store notices with the settlements that caused them, each once, and none of ineffective settlements",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const endpoint = yield* newEndpoint()
        yield* happen(
          endpoint.shop,
          Array.from({ length: 22 }, (_, index) => index - 100),
        )
        const claims = [...(yield* claimed(both[0])).values()]
        const settlements = claims.map((one, index) =>
          index === 3 ? { ...failure(one, someTime + index), ...givenUp } : failure(one, someTime + index),
        )
        for (const [index, settlement] of settlements.entries()) {
          yield* settleAll(turnOf(both, index), [settlement])
          const again = yield* turnOf(both, index + 1).queue.settle([settlement], (health) => ({
            ...health,
            consecutiveFailures: 99,
          }))
          yield* equal("whether it took effect twice", again, [false])
        }
        for (const host of both) {
          const notices = yield* host.notices.list(endpoint.shop, 10, late)
          yield* equal(
            "notices, newest first",
            notices.map((record) => [record.createdAt - someTime, noticeOf(record).notice]),
            [
              [19, "endpoint.switched_off"],
              [9, "endpoint.failing"],
              [3, "delivery.given_up"],
            ],
          )
          const [off] = notices
          yield* equal("the endpoint", off === undefined ? null : aboutDelivery(off).endpoint, {
            id: endpoint.id,
            url: endpoint.url,
            consecutiveFailures: 20,
          })
        }
      }),
    },
    {
      id: "notices.settle.batch",
      title: "MUST store the notices of attempts that are settled together, in the order in which they ended",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const [host, other] = yield* bothHosts
        const endpoint = yield* newEndpoint()
        yield* happen(
          endpoint.shop,
          Array.from({ length: 20 }, (_, index) => index - 100),
        )
        const claims = [...(yield* claimed(host)).values()]
        yield* settleAll(
          host,
          claims.map((one, index) => failure(one, someTime + index)),
        )
        const notices = yield* other.notices.list(endpoint.shop, 10, late)
        yield* equal(
          "notices",
          notices.map((record) => [record.createdAt - someTime, noticeOf(record).notice]),
          [
            [19, "endpoint.switched_off"],
            [9, "endpoint.failing"],
          ],
        )
      }),
    },
    {
      id: "notices.list",
      title: "MUST list only a shop's own notices, newest first and then by id, up to the given number",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const endpoint = yield* newEndpoint()
        const other = yield* newEndpoint()
        const told = yield* giveUp(both[0], endpoint, [5, 1, 5, 3])
        yield* giveUp(both[0], other, [4])
        const expected = told.toSorted(
          (left, right) => right.createdAt - left.createdAt || (left.id < right.id ? 1 : -1),
        )
        for (const host of both) {
          yield* equal("all", idsOf(yield* host.notices.list(endpoint.shop, 10, late)), idsOf(expected))
          yield* equal("the newest", yield* host.notices.list(endpoint.shop, 2, late), expected.slice(0, 2))
        }
      }),
    },
    {
      id: "notices.claim",
      title:
        "MUST return each notice to one worker until its lease ends, the longest due first, and not once it is sent",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const endpoint = yield* newEndpoint()
        const [first, second, third] = yield* giveUp(both[0], endpoint, [1, 2, 3])
        const ids = idsOf([first, second, third].filter((record) => record !== undefined))
        yield* equal("before it is due", yield* claim(both[0], someTime), [])
        const one = yield* claim(both[0], someTime + 10, 2)
        yield* equal("the longest due", claimedIds(one), ids.slice(0, 2))
        yield* equal(
          "attempt numbers",
          one.map(({ attempt }) => attempt),
          [1, 1],
        )
        const rest = yield* claim(both[1], someTime + 10)
        yield* equal("the rest", claimedIds(rest), ids.slice(2))
        yield* equal("what is left", yield* claim(both[0], someTime + 10), [])
        for (const told of rest) yield* equal("telling it", yield* both[1].notices.settle(told, null), true)
        const after = yield* claim(both[1], someTime + 10 + minute)
        yield* equal("when the leases are over", claimedIds(after).toSorted(), ids.slice(0, 2).toSorted())
        for (const lost of one) yield* equal("settling a lost claim", yield* both[0].notices.settle(lost, null), false)
        for (const told of after) yield* equal("telling it", yield* both[1].notices.settle(told, null), true)
        for (const told of after) yield* equal("telling it again", yield* both[1].notices.settle(told, null), false)
        yield* equal("when all are sent", yield* claim(both[0], someTime + 99 * hour), [])
      }),
    },
    {
      id: "notices.claim.again",
      title: "MUST return a notice that could not be sent when it is due again, with the number of the attempt",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const endpoint = yield* newEndpoint()
        yield* giveUp(both[0], endpoint, [0])
        for (const round of [1, 2, 3]) {
          const now = someTime + round * hour
          const host = turnOf(both, round)
          yield* equal("before", yield* claim(host, now - 1 - (round === 1 ? hour : 0)), [])
          const [one] = yield* claim(host, now)
          yield* equal("attempt number", one?.attempt, round)
          if (one !== undefined) yield* equal("settling", yield* host.notices.settle(one, now + hour), true)
        }
        yield* tellRest(both[1])
      }),
    },
    {
      id: "notices.claim.race",
      rounds: 5,
      title: "MUST return each notice once if hosts claim at the same time",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const endpoints = [yield* newEndpoint(), yield* newEndpoint(), yield* newEndpoint(), yield* newEndpoint()]
        const told = (yield* Effect.forEach(endpoints, (each) =>
          giveUp(both[0], each, [1, 2, 3, 4, 5, 6, 7, 8]),
        )).flat()
        const claims = yield* Effect.all(
          Array.from({ length: 8 }, (_, index) => claim(turnOf(both, index), someTime + hour, 8)),
          { concurrency: "unbounded" },
        )
        const rest = yield* claim(both[0], someTime + hour)
        yield* equal("claimed notices", claimedIds([...claims.flat(), ...rest]).toSorted(), idsOf(told).toSorted())
        for (const one of [...claims.flat(), ...rest]) yield* both[0].notices.settle(one, null)
      }),
    },
    {
      id: "notices.claim.open",
      title: "MUST NOT return to another host a notice that an open outer transaction has claimed",
      requirements: ["D42"],
      needs: ["transaction"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const told = yield* giveUp(both[0], yield* newEndpoint(), [1, 2, 3, 4, 5, 6, 7, 8])
        const claims: Array<NoticeClaim> = []
        const keep = (found: ReadonlyArray<NoticeClaim>) => Effect.sync(() => claims.push(...found))
        yield* meanwhile(
          Effect.flatMap(claim(both[0], someTime + hour, 3), keep),
          Effect.flatMap(claim(both[1], someTime + hour), keep),
        )
        const rest = yield* claim(both[0], someTime + hour)
        yield* equal("claimed notices", claimedIds([...claims, ...rest]).toSorted(), idsOf(told).toSorted())
        for (const one of [...claims, ...rest]) yield* both[0].notices.settle(one, null)
      }),
    },
    {
      id: "notices.prune",
      ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, NoticeStore, Upkeep],
      title: "MUST drop old notices that are settled, and no others",
      requirements: ["D33", "D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const endpoint = yield* newEndpoint()
        const told = yield* giveUp(both[0], endpoint, [1, 2, 3, 4, 5, 6, 7, 10])
        const [waiting, young] = [told[1], told.at(-1)]
        for (const one of yield* claim(both[0], someTime + hour)) {
          if (one.notice.id !== waiting?.id) yield* both[0].notices.settle(one, null)
        }
        yield* prune(both, { keep: 50, eventsBefore: someTime + 10, limit: 7 })
        const left = idsOf(yield* both[1].notices.list(endpoint.shop, 10, late))
        yield* equal("what is left", left, idsOf([young, waiting].filter((one) => one !== undefined)))
        yield* tellRest(both[0])
      }),
    },
    {
      id: "notices.token",
      ports: [ShopStore, TokenStore, DeliveryQueue, NoticeStore],
      title: "MUST store the notice of a token's end with the token, due and listed from its instant on, once",
      requirements: ["D77"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const shop = yield* newShop
        const tokens = yield* TokenStore
        const end = someTime + 10 * day
        const [ending, short, unending] = [
          makeToken(shop, { expiresAt: end }),
          makeToken(shop, { expiresAt: someTime + hour }),
          makeToken(shop),
        ]
        for (const token of [ending, short, unending]) yield* tokens.add(token, 3)
        const refused = makeToken(shop, { expiresAt: end })
        yield* equal("one too many", yield* tokens.add(refused, 3), false)
        const [first, second] = [endingOf(short), endingOf(ending)]
        for (const { notices } of both) {
          yield* equal("before the first", yield* notices.list(shop, 10, someTime - 1), [])
          yield* equal("at the first", yield* notices.list(shop, 10, someTime), first)
          yield* equal("before the second", yield* notices.list(shop, 10, end - 7 * day - 1), first)
          yield* equal("at the second", yield* notices.list(shop, 10, end - 7 * day), [...second, ...first])
          yield* equal("the newest", yield* notices.list(shop, 1, someTime), first)
        }
        const due = claim(both[1], end - 7 * day - 1)
        yield* equal("due before the second", claimedIds(yield* due), idsOf(first))
        const later = (yield* claim(both[0], end - 7 * day)).filter(({ notice }) => notice.id === second[0]?.id)
        yield* equal("due at the second", claimedIds(later), idsOf(second))
        for (const one of later) yield* equal("telling it", yield* both[0].notices.settle(one, null), true)
        yield* tellRest(both[0])
        yield* equal("due again", yield* claim(both[0], end + day), [])
      }),
    },
    {
      id: "notices.token.revoked",
      ports: [ShopStore, TokenStore, DeliveryQueue, NoticeStore],
      title: "MUST drop the notice of a token's end with the token, unless it was sent or given up",
      requirements: ["D77"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        yield* tellRest(both[0])
        const shop = yield* newShop
        const tokens = yield* TokenStore
        const [told, held, waiting, kept] = [
          makeToken(shop, { expiresAt: someTime + hour }),
          makeToken(shop, { expiresAt: someTime + 2 * hour }),
          makeToken(shop, { expiresAt: someTime + 10 * day }),
          makeToken(shop, { expiresAt: someTime + 20 * day }),
        ]
        for (const token of [told, held, waiting, kept]) yield* tokens.add(token, 10)
        const claims = yield* claim(both[0], someTime)
        const [sent, open] = [endingId(told.id), endingId(held.id)].map((id) =>
          claims.find(({ notice }) => notice.id === id),
        )
        if (sent !== undefined) yield* equal("telling it", yield* both[0].notices.settle(sent, null), true)
        for (const { id } of [told, held, waiting]) yield* equal("revoking", yield* tokens.revoke(shop, id), true)
        if (open !== undefined) yield* equal("the held notice", yield* both[1].notices.settle(open, null), false)
        const left = idsOf(yield* both[1].notices.list(shop, 10, late))
        yield* equal("what is left", left.toSorted(), [kept.id, told.id].map(endingId).toSorted())
        yield* equal("what is due", claimedIds(yield* claim(both[1], late)), [endingId(kept.id)])
        yield* tellRest(both[0])
      }),
    },
    {
      id: "notices.settle.race",
      rounds: 5,
      title: "MUST store one notice of each kind if many attempts of an endpoint are settled at the same time",
      requirements: ["D42"],
      run: Effect.gen(function* () {
        const both = yield* bothHosts
        const endpoint = yield* newEndpoint()
        yield* happen(
          endpoint.shop,
          Array.from({ length: 24 }, (_, index) => index - 100),
        )
        const claims = [...(yield* claimed(both[0])).values()]
        yield* Effect.forEach(
          claims,
          (one, index) => retrying(turnOf(both, index).queue.settle([failure(one, someTime + 5)], advance)),
          { concurrency: "unbounded", discard: true },
        )
        const kinds = (yield* both[0].notices.list(endpoint.shop, 100, late)).map((record) => noticeOf(record).notice)
        yield* equal("notices", kinds.toSorted(), ["endpoint.failing", "endpoint.switched_off"])
      }),
    },
  ]),
)
