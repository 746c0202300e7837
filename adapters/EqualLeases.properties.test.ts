/**
 * Claims, their leases and retries, with times that are equal or a millisecond apart: a store answers as the one in
 * memory does. The shared cases hold what that one answers.
 */
import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { inject } from "vitest"
import { makeShop } from "../conformance/suites/storage/support/Fixtures.ts"
import { advance, hour, makeAttempt, makeEndpoint, makeEvent } from "../conformance/suites/storage/support/Webhooks.ts"
import { agreesWithMemory } from "../conformance/testkit/databases/AgreesWithMemory.ts"
import { pglite, postgres } from "../conformance/testkit/hosts/TestHost.ts"
import { usualOptions } from "../core/model/webhooks/EndpointOptions.ts"
import { DeliveryLog } from "../core/ports/DeliveryLog.ts"
import { type Claim, DeliveryQueue, type Walked } from "../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../core/ports/EndpointStore.ts"
import { type NoticeClaim, NoticeStore } from "../core/ports/NoticeStore.ts"
import { OrderStore } from "../core/ports/OrderStore.ts"
import { ShopStore } from "../core/ports/ShopStore.ts"

/** The beginning of an hour, later than any clock. */
const t = Date.UTC(2096, 9, 5)

/** The same instant more often than its neighbours. */
const Time = Schema.Literals([t, t, t + 1, t - 1])

/** Milliseconds until a lease ends. */
const For = Schema.Literals([1, 2])

/** The first or the last claim of all, outdated ones included. */
const Which = Schema.Literals([0, -1])

const Claiming = Schema.Struct({ does: Schema.Literal("claim"), at: Time, for: For, limit: Schema.Literals([1, 100]) })
const ClaimingNotices = Schema.Struct({ does: Schema.Literal("claim notices"), at: Time, for: For })

/** Claims more often than other commands. */
const Command = Schema.Union([
  Claiming,
  Claiming,
  ClaimingNotices,
  ClaimingNotices,
  Schema.Struct({ does: Schema.Literal("happen"), at: Time }),
  Schema.Struct({
    does: Schema.Literal("settle"),
    at: Time,
    which: Which,
    next: Schema.Union([Time, Schema.Literals(["succeeded", "failed"])]),
  }),
  Schema.Struct({ does: Schema.Literal("release"), which: Which }),
  Schema.Struct({ does: Schema.Literal("try"), at: Time, which: Which }),
  Schema.Struct({ does: Schema.Literal("settle notice"), next: Schema.NullOr(Time), which: Which }),
])
type Command = typeof Command.Type

/** Before the others: a notice about a delivery that was given up, another one under way, and more that are due. */
const before: ReadonlyArray<Command> = [
  { does: "happen", at: t - 1 },
  { does: "claim", at: t - 1, for: 1, limit: 1 },
  { does: "settle", at: t - 1, which: 0, next: "failed" },
  { does: "happen", at: t },
  { does: "claim", at: t, for: 1, limit: 1 },
]

/** Everything that was claimed of a shop, outdated claims included. */
interface Held {
  readonly claims: Array<Claim>
  readonly notices: Array<NoticeClaim>
}

/** Whether a walk over all shops names one. Retries become claimable by it. */
const isNamed = Effect.fnUntraced(function* (shop: string, now: number) {
  const queue = yield* DeliveryQueue
  const named = new Set<string>()
  for (let after: string | null = null; ; ) {
    const step: Walked = yield* queue.walk({ now, after, limit: 100 })
    for (const one of step.shops) named.add(one)
    after = step.after
    if (after === null && (step.nextDue ?? Number.POSITIVE_INFINITY) > now) return named.has(shop)
  }
})

/** A worker's claim of what a walk names. */
const claim = Effect.fnUntraced(function* (shop: string, command: typeof Claiming.Type, held: Held) {
  const now = command.at
  const shops = (yield* isNamed(shop, now)) ? [shop] : []
  const most = { perEndpoint: 100, limit: 100 }
  const claims = yield* (yield* DeliveryQueue).claim({
    ...{ now, limit: command.limit, perShop: 100, perEndpoint: 100, probation: { ...most, troubled: 100 }, busy: [] },
    shops: { newcomer: shops, troubled: shops, proven: shops },
    leaseUntil: now + command.for,
    token: `${shop}-${held.claims.length}-${crypto.randomUUID()}`,
  })
  const inOrder = claims.toSorted((one, other) => one.endpointId.localeCompare(other.endpointId))
  held.claims.push(...inOrder)
  return inOrder.map(({ attempt, deliveryId, startsAt }) => ({ attempt, deliveryId, startsAt }))
})

/** A command's number makes the ids of its events, which are the same in both stores. */
const carryOut = Effect.fnUntraced(function* (shop: string, command: Command, number: number, held: Held) {
  const queue = yield* DeliveryQueue
  const notices = yield* NoticeStore
  switch (command.does) {
    case "happen": {
      const event = makeEvent(shop, { id: `evt_${shop}-${String(number).padStart(3, "0")}`, createdAt: command.at })
      return yield* (yield* OrderStore).commit({ shop, designs: [], order: null, events: [event] })
    }
    case "claim":
      return yield* claim(shop, command, held)
    case "settle": {
      const { at, next } = command
      const own = held.claims.at(command.which)
      if (own === undefined) return null
      const isSuccess = next === "succeeded"
      const attempt = makeAttempt(own, at, { at, durationMs: 0, statusCode: isSuccess ? 200 : 500 })
      const after =
        typeof next === "number"
          ? { status: "pending" as const, nextAttemptAt: next }
          : { status: next, nextAttemptAt: null }
      return yield* queue.settle([{ claim: own, attempt, ...after }], advance)
    }
    case "release": {
      const own = held.claims.at(command.which)
      return own === undefined ? null : yield* queue.release([own])
    }
    case "try": {
      const own = held.claims.at(command.which)
      if (own === undefined) return null
      return yield* queue.tryNow({ shop, endpointId: own.endpointId, id: own.deliveryId, now: command.at })
    }
    case "claim notices": {
      const now = command.at
      const token = crypto.randomUUID()
      const all = yield* notices.claim({ now, limit: 10_000, leaseUntil: now + command.for, token })
      const own = all
        .filter(({ notice }) => notice.shop === shop)
        .toSorted((one, other) => one.notice.id.localeCompare(other.notice.id))
      held.notices.push(...own)
      return own.map(({ attempt, notice }) => [notice.id, attempt])
    }
    case "settle notice": {
      const own = held.notices.at(command.which)
      return own === undefined ? null : yield* notices.settle(own, command.next)
    }
  }
})

/** The log and the notices that a shop's owner sees. */
const seen = Effect.fnUntraced(function* (shop: string, endpoints: ReadonlyArray<string>) {
  const log = yield* DeliveryLog
  const notices = yield* NoticeStore
  const activity = yield* log.activity(shop, { from: t - hour, until: t + hour, step: hour })
  return {
    deliveries: yield* Effect.forEach(endpoints, (id) => log.list(shop, id, 100)),
    activity: activity
      .map(({ steps, ...own }) => ({ ...own, steps: steps.toSorted((one, other) => one.at - other.at) }))
      .toSorted((one, other) => one.endpointId.localeCompare(other.endpointId)),
    notices: yield* Effect.forEach([t - 1, t, t + 1], (now) =>
      Effect.map(notices.list(shop, 100, now), (all) => all.map(({ id }) => id)),
    ),
  }
})

let shops = 0

/** A store's answer to each command, and what is seen afterwards. The second endpoint takes one attempt at a time. */
const answers = Effect.fnUntraced(function* (id: string, commands: ReadonlyArray<Command>) {
  yield* (yield* ShopStore).put(makeShop({ id }))
  const endpoints = [`whe_${id}-1`, `whe_${id}-2`]
  for (const [index, endpoint] of endpoints.entries()) {
    const options = index === 0 ? usualOptions : { ...usualOptions, maxConcurrent: 1 }
    yield* (yield* EndpointStore).add(makeEndpoint(id, { id: endpoint, createdAt: t - 1, options }), 5)
  }
  const held: Held = { claims: [], notices: [] }
  return yield* Effect.forEach([...before, ...commands], (command, number) =>
    Effect.all([carryOut(id, command, number, held), seen(id, endpoints)]),
  )
})

for (const [kind, runs] of [
  [pglite, inject("wholeMatrix") ? 60 : 5],
  [postgres, inject("wholeMatrix") ? 100 : 12],
] as const) {
  it.live(
    `MUST claim as memory does if leases and due times end together, or a millisecond before or after, on ${kind.name}`,
    () => agreesWithMemory(kind, Command, runs, (commands) => answers(`leases-${++shops}`, commands)),
    120_000,
  )
}
