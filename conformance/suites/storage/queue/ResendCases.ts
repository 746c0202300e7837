import { Effect } from "effect"
import type { EventRecord } from "../../../../core/model/events/Event.ts"
import type { DeliveryRecord } from "../../../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import type { LogPosition, ResendFilter } from "../../../../core/model/webhooks/Resend.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { changing, pausing, turningOn } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime, unique } from "../support/Fixtures.ts"
import {
  addDelivery,
  addTest,
  anyFinished,
  bothHosts,
  claimed,
  claimOf,
  createEndpoint,
  failure,
  firstDelivery,
  type Host,
  happen,
  hour,
  logOf,
  makeDelivery,
  newEndpoint,
  settleAll,
  success,
} from "../support/Webhooks.ts"

const now = someTime + hour

const resent = (run: string, { id }: EventRecord): string => `dlv_${run}${id.slice(4)}`

/** Attempts everything due, so that the deliveries of the given events fail for good and all others succeed. */
const finish = Effect.fnUntraced(function* (host: Host, at: number, failed: ReadonlyArray<EventRecord> = []) {
  const claims = [...(yield* claimed(host, at)).values()]
  const isFailed = (eventId: string) => failed.some(({ id }) => id === eventId)
  yield* settleAll(
    host,
    claims.map((claim) =>
      isFailed(claim.eventId)
        ? { ...failure(claim, at), status: "failed" as const, nextAttemptAt: null }
        : success(claim, at),
    ),
  )
})

/** Takes the steps of a run to its end, in turn on the hosts. Returns what they sent and added. */
const through = Effect.fnUntraced(function* (
  hosts: readonly [Host, Host],
  { id, shop }: EndpointRecord,
  filter: ResendFilter,
  { limit = 1000, run = unique(22) }: { readonly limit?: number; readonly run?: string } = {},
) {
  let after: LogPosition | null = null
  const steps: Array<readonly [sent: number, added: number]> = []
  do {
    const host: Host = hosts[steps.length % 2 === 0 ? 0 : 1]
    const step: Effect.Success<ReturnType<Host["queue"]["resend"]>> = yield* host.queue.resend({
      ...{ shop, endpointId: id, filter, after, limit, run, now },
    })
    steps.push([step.sent, step.added])
    after = step.after
  } while (after !== null)
  return { steps, added: steps.reduce((sum, [, added]) => sum + added, 0) }
})

const sorted = (deliveries: ReadonlyArray<DeliveryRecord>) =>
  deliveries.toSorted((left, right) => (left.id < right.id ? -1 : 1))

/** The contracts of `DeliveryQueue.resend` and `DeliveryLog.resendable`. */
export const resendCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "resend.finished",
    title: "MUST add a delivery, due at once, of each event with a finished delivery, with its id and body",
    requirements: ["D22", "D29"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const events = yield* happen(endpoint.shop, [0, 1, 2])
      yield* finish(both[0], someTime + 2, [events[1]])
      const before = yield* logOf(both[0], endpoint)
      const other = yield* logOf(both[0], beside)
      const run = unique(22)
      const filter = anyFinished(now)
      yield* equal("counted", yield* both[1].log.resendable(endpoint.shop, endpoint.id, filter), 3)
      yield* equal("the steps", (yield* through(both, endpoint, filter, { run })).steps, [[3, 3]])
      const added = events.map((event) =>
        makeDelivery(event, endpoint, { id: resent(run, event), createdAt: now, nextAttemptAt: now }),
      )
      for (const host of both) {
        yield* equal("the log", sorted(yield* logOf(host, endpoint)), sorted([...before, ...added]))
        yield* equal("the log of another", yield* logOf(host, beside), other)
      }
      yield* equal("before they are due", (yield* claimed(both[1], now - 1)).size, 0)
      const claims = yield* claimed(both[1], now)
      for (const event of events) {
        const { attempt, body, eventId } = yield* claimOf(claims, resent(run, event))
        yield* equal("the claim", { attempt, body, eventId }, { attempt: 1, body: event.body, eventId: event.id })
      }
    }),
  },
  {
    id: "resend.filter",
    title: "MUST find deliveries by state, kind, time and id, and tests only if the filter says so",
    requirements: ["D29", "D30", "D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      const [first, second] = yield* happen(shop, [0, 10])
      const [cancelled] = yield* happen(shop, [20], { event: "order.cancelled" })
      const test = yield* addTest(endpoint, someTime + 30)
      yield* finish(host, someTime + 30, [second])
      const [dropped] = yield* happen(shop, [40])
      yield* host.endpoints.update(shop, id, changing({ kinds: ["order.cancelled"] }))
      const named = [first, test].map((one) => ("eventId" in one ? one.id : firstDelivery(one, endpoint).id))
      const at = (from: number | null, until: number, fields: Partial<ResendFilter> = {}) =>
        anyFinished(someTime + until, { from: from === null ? null : someTime + from, ...fields })
      const expected: ReadonlyArray<readonly [what: string, filter: ResendFilter, ids: ReadonlyArray<string>]> = [
        ["all", anyFinished(now), [first.id, second.id, cancelled.id, dropped.id]],
        ["tests too", anyFinished(now, { tests: true }), [first, second, cancelled, dropped].map((one) => one.id)],
        ["failed", anyFinished(now, { state: "failed" }), [second.id]],
        ["succeeded", anyFinished(now, { state: "succeeded" }), [first.id, cancelled.id]],
        ["dropped", anyFinished(now, { state: "dropped" }), [dropped.id]],
        ["a kind", anyFinished(now, { kind: "order.cancelled" }), [cancelled.id]],
        ["from a time", at(10, hour), [second.id, cancelled.id, dropped.id]],
        ["until a time", at(null, 20), [first.id, second.id]],
        ["a state and a kind", anyFinished(now, { state: "failed", kind: "order.cancelled" }), []],
        ["named", anyFinished(now, { ids: named }), [first.id]],
        ["named, with a test", anyFinished(now, { ids: named, tests: true }), [first.id]],
        ["no names", anyFinished(now, { ids: [] }), []],
      ]
      for (const [what, filter, events] of expected) {
        const ids = filter.tests ? [...events, test.eventId] : events
        yield* equal(`counted: ${what}`, yield* host.log.resendable(shop, id, filter), ids.length)
        const run = unique(22)
        yield* equal(`added: ${what}`, (yield* through(both, endpoint, filter, { run })).added, ids.length)
        const added = (yield* logOf(host, endpoint)).filter((one) => one.id.startsWith(`dlv_${run}`))
        yield* equal(`events: ${what}`, added.map(({ eventId }) => eventId).toSorted(), ids.toSorted())
        yield* equal(`tests: ${what}`, added.filter((one) => one.test).length, filter.tests ? 1 : 0)
        // Nothing may wait for the next run.
        yield* host.endpoints.update(shop, id, changing({ kinds: ["design.ordered", "order.cancelled"] }))
        yield* finish(host, now)
      }
    }),
  },
  {
    id: "resend.once",
    title: "MUST send an event once in a run, and not at all while another delivery of it waits",
    requirements: ["D22", "D29"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const [twice, waits] = yield* happen(endpoint.shop, [0, 1])
      yield* finish(host, someTime + 1, [twice, waits])
      const later = { createdAt: someTime + 2, nextAttemptAt: someTime + 2 }
      yield* addDelivery(host, makeDelivery(twice, endpoint, later))
      yield* finish(host, someTime + 2, [twice])
      yield* addDelivery(host, makeDelivery(waits, endpoint, later))
      const filter = anyFinished(now, { state: "failed" })
      const run = unique(22)
      yield* equal("counted", yield* host.log.resendable(endpoint.shop, endpoint.id, filter), 1)
      yield* equal("in steps of one", (yield* through(both, endpoint, filter, { limit: 1, run })).steps, [[1, 1]])
      yield* equal("by another run", (yield* through(both, endpoint, filter)).added, 0)
      yield* equal("counted after", yield* host.log.resendable(endpoint.shop, endpoint.id, filter), 0)
      const ids = (yield* logOf(host, endpoint)).map(({ id }) => id).filter((id) => id.startsWith(`dlv_${run}`))
      yield* equal("its deliveries", ids, [resent(run, twice)])
    }),
  },
  {
    id: "resend.steps",
    title: "MUST go through the log oldest first, in steps of any hosts, and add nothing twice if one is repeated",
    requirements: ["D22", "D29"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { id, shop } = endpoint
      // Some were created at the same time: then their ids decide.
      const events = yield* happen(shop, [0, 0, 0, 1, 2, 2, 3])
      yield* finish(both[0], someTime + 3)
      const inOrder = events
        .map((event) => firstDelivery(event, endpoint))
        .toSorted((one, two) => one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1))
      const run = unique(22)
      const step = (host: Host, after: LogPosition | null, at = now) =>
        host.queue.resend({ shop, endpointId: id, filter: anyFinished(now), after, limit: 3, run, now: at })
      const place = (index: number) => {
        const { createdAt = 0, id = "" } = inOrder[index] ?? {}
        return { createdAt, id }
      }
      yield* equal("the first", yield* step(both[0], null), { sent: 3, added: 3, after: place(2) })
      yield* equal("the first again", yield* step(both[1], null), { sent: 3, added: 0, after: place(2) })
      // What it sent is finished by now.
      yield* finish(both[0], now)
      yield* equal("once more", yield* step(both[1], null, now + 1), { sent: 3, added: 0, after: place(2) })
      yield* equal("the second", yield* step(both[1], place(2)), { sent: 3, added: 3, after: place(5) })
      yield* equal("the last", yield* step(both[0], place(5)), { sent: 1, added: 1, after: null })
      yield* equal("the last again", yield* step(both[0], place(5)), { sent: 1, added: 0, after: null })
      const added = (yield* logOf(both[1], endpoint)).filter((one) => one.id.startsWith(`dlv_${run}`))
      yield* equal("events", new Set(added.map(({ eventId }) => eventId)).size, 7)
      yield* equal("deliveries", added.length, 7)
    }),
  },
  {
    id: "resend.held",
    title: "MUST hold what it adds while the endpoint is off, and add nothing to one of another shop or none",
    requirements: ["D28", "D9"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const stranger = yield* newEndpoint({ id: endpoint.id })
      const [event] = yield* happen(endpoint.shop)
      yield* finish(host, someTime)
      yield* host.endpoints.update(endpoint.shop, endpoint.id, pausing(someTime))
      const filter = anyFinished(now)
      yield* equal("of another shop", (yield* through(both, stranger, filter)).steps, [[0, 0]])
      yield* equal("counted there", yield* host.log.resendable(stranger.shop, stranger.id, filter), 0)
      const gone = { ...endpoint, id: "whe_none" }
      yield* equal("of none", (yield* through(both, gone, filter)).steps, [[0, 0]])
      yield* equal("counted there", yield* host.log.resendable(gone.shop, gone.id, filter), 0)
      yield* equal("added", (yield* through(both, endpoint, filter)).added, 1)
      yield* equal("while it is paused", (yield* claimed(host, now)).size, 0)
      yield* host.endpoints.update(endpoint.shop, endpoint.id, turningOn)
      const claims = [...(yield* claimed(host, now)).values()]
      yield* equal(
        "once it is on",
        claims.map(({ eventId }) => eventId),
        [event.id],
      )
    }),
  },
])
