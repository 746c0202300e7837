import { Effect } from "effect"
import * as AttemptCounts from "../../../../core/model/webhooks/AttemptCounts.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import type { Settlement } from "../../../../core/ports/DeliveryQueue.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { someTime } from "../support/Fixtures.ts"
import { outerTransaction } from "../support/OuterTransactions.ts"
import {
  addTest,
  bothHosts,
  claimed,
  claimOf,
  count,
  createEndpoint,
  deliveryPorts,
  endpointOn,
  firstDeliveryId,
  type Host,
  happen,
  hour,
  logOf,
  makeAttempt,
  minute,
  newEndpoint,
  prune,
  request,
  settleAll,
  settlement,
  success,
  switchOff,
  turnOf,
} from "../support/Webhooks.ts"

/** The beginning of an hour. */
const begin = AttemptCounts.hourOf(someTime)

/** All hours that these cases use. */
const ever = { from: 0, until: begin + 10_000 * hour }

const everyHour = { ...ever, step: hour }

/** Counts with only some durations, as `class count`. */
const short = ({ durations, failedAttempts, givenUp, succeeded }: AttemptCounts.AttemptCounts) => ({
  succeeded,
  failedAttempts,
  givenUp,
  durations: durations.flatMap((attempts, index) => (attempts === 0 ? [] : [`${index} ${attempts}`])),
})

/** The counts of an endpoint by hours after {@link begin}, in order. */
const countsOf = Effect.fnUntraced(function* (
  host: Host,
  { id, shop }: Pick<EndpointRecord, "shop" | "id">,
  span: { readonly from: number; readonly until: number } = ever,
) {
  const all = yield* host.log.activity(shop, { ...span, step: hour })
  return all
    .filter(({ endpointId }) => endpointId === id)
    .flatMap(({ steps }) => steps)
    .toSorted((one, other) => one.at - other.at)
    .map((each) => ({ hour: (each.at - begin) / hour, ...short(each) }))
})

/** What an endpoint waits for, and its newest attempts. */
const waitingOf = Effect.fnUntraced(function* (host: Host, { id, shop }: Pick<EndpointRecord, "shop" | "id">) {
  const own = (yield* host.log.activity(shop, everyHour)).filter(({ endpointId }) => endpointId === id)
  return own.map(({ pending, recent }) => ({ pending, recent }))
})

/** Claims the deliveries of events that happened, in order. */
const claims = Effect.fnUntraced(function* (host: Host, endpoint: EndpointRecord, times: ReadonlyArray<number>) {
  const events = yield* happen(endpoint.shop, times)
  const found = yield* claimed(host, someTime + minute)
  return yield* Effect.forEach(events, (event) => claimOf(found, firstDeliveryId(event, endpoint)))
})

/** The contract of `DeliveryLog.activity`. */
export const attemptCountsCases = calling(...deliveryPorts)([
  {
    id: "log.counts.outcomes",
    title: "MUST count ended attempts by endpoint, by the hour in which they began, and by outcome and duration",
    requirements: ["§8-7", "D60"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop, { kinds: ["design.created"] })
      const own = yield* claims(host, endpoint, [0, 1, 2, 3, 4])
      const ended = [
        { at: begin, durationMs: 5, statusCode: 200 },
        { at: begin + hour - 1, durationMs: 6, statusCode: 200 },
        { at: begin + hour - 1, durationMs: 5001, statusCode: 500 },
        { at: begin + hour, durationMs: 5, statusCode: 200 },
        { at: begin - 1, durationMs: 5000, statusCode: 500 },
      ]
      for (const [index, claim] of own.entries()) {
        const attempt = makeAttempt(claim, someTime, ended[index])
        // The third waits for a retry, and the last is given up.
        const outcome = index === 4 ? ({ status: "failed", nextAttemptAt: null } as const) : {}
        yield* settleAll(turnOf(both, index), [{ ...settlement(claim, attempt), ...outcome }])
      }
      for (const one of both) {
        yield* equal("by hour", yield* countsOf(one, endpoint), [
          { hour: -1, succeeded: 0, failedAttempts: 1, givenUp: 1, durations: ["14 1"] },
          { hour: 0, succeeded: 2, failedAttempts: 1, givenUp: 0, durations: ["0 1", "1 1", "15 1"] },
          { hour: 1, succeeded: 1, failedAttempts: 0, givenUp: 0, durations: ["0 1"] },
        ])
        const span = { from: begin, until: begin + hour }
        yield* equal(
          "one hour",
          (yield* countsOf(one, endpoint, span)).map((each) => each.hour),
          [0],
        )
        yield* equal("another endpoint", yield* countsOf(one, beside), [])
        yield* equal("another shop", yield* one.log.activity("nobody", everyHour), [])
      }
    }),
  },
  {
    id: "log.counts.mixed",
    title: "MUST count each settlement of a batch that takes effect once, dropped deliveries included, and no test",
    requirements: ["§8-7", "D60", "D31"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const namesake = yield* newEndpoint({ id: endpoint.id })
      const test = yield* addTest(endpoint)
      const events = yield* happen(endpoint.shop, [0, 1])
      const [elsewhere] = yield* happen(namesake.shop)
      const found = yield* claimed(host, someTime + minute)
      const [first, second] = yield* Effect.forEach(events, (event) => claimOf(found, firstDeliveryId(event, endpoint)))
      const tested = yield* claimOf(found, test.id)
      const other = yield* claimOf(found, firstDeliveryId(elsewhere, namesake))
      if (first === undefined || second === undefined) return
      yield* host.endpoints.update(endpoint.shop, endpoint.id, changing({ kinds: ["order.cancelled"] }))
      const failed = settlement(second, makeAttempt(second, someTime + 100))
      const batch: ReadonlyArray<Settlement> = [
        success(tested, someTime + 100),
        success(first, someTime + 100),
        failed,
        success(other, someTime + 100),
        success(first, someTime + 100),
        success({ ...other, token: "outdated" }, someTime + 100),
      ]
      const effects = yield* host.queue.settle(batch, count)
      yield* equal("effects", effects, [true, true, true, true, false, false])
      const again = yield* host.queue.settle([success(first, someTime + 100)], count)
      yield* equal("again", again, [false])
      for (const one of both) {
        yield* equal("the counts", yield* countsOf(one, endpoint), [
          { hour: 0, succeeded: 1, failedAttempts: 1, givenUp: 0, durations: ["6 2"] },
        ])
        yield* equal("the namesake", yield* countsOf(one, namesake), [
          { hour: 0, succeeded: 1, failedAttempts: 0, givenUp: 0, durations: ["6 1"] },
        ])
      }
    }),
  },
  {
    id: "log.counts.beside",
    title: "MUST count every attempt that workers settle at the same time, healthy endpoints or not",
    requirements: ["§8-7", "D60"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const events = yield* happen(
        endpoint.shop,
        Array.from({ length: 40 }, (_, index) => index),
      )
      const found = yield* claimed(host, someTime + minute)
      const outcomes = yield* Effect.forEach(events, (event, index) =>
        Effect.map(
          Effect.forEach([endpoint, beside], (one) => claimOf(found, firstDeliveryId(event, one))),
          (own) =>
            own.map((claim) =>
              index % 8 === 0 ? settlement(claim, makeAttempt(claim, someTime + 100)) : success(claim, someTime + 100),
            ),
        ),
      )
      yield* Effect.forEach(
        outcomes,
        (own, index) => settleAll(turnOf(both, index), index % 2 === 0 ? own : own.toReversed()),
        { concurrency: "unbounded" },
      )
      for (const one of [endpoint, beside]) {
        yield* equal("the counts", yield* countsOf(host, one), [
          { hour: 0, succeeded: 35, failedAttempts: 5, givenUp: 0, durations: ["6 40"] },
        ])
      }
    }),
  },
  {
    id: "log.counts.transaction",
    title: "MUST forget the counts, the attempt and the end of a delivery together if their transaction is rolled back",
    requirements: ["§8-7", "D60", "D23"],
    needs: ["transaction"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const transaction = yield* outerTransaction
      const endpoint = yield* newEndpoint()
      const [first, second] = yield* claims(host, endpoint, [0, 1])
      if (first === undefined || second === undefined) return
      // Successes at a healthy endpoint may be settled in another way than failures.
      const rounds = [
        [success(first, someTime + 100)],
        [success(second, someTime + 100), settlement(first, makeAttempt(first, someTime + 100))],
      ]
      const state = (one: Host) =>
        Effect.all([logOf(one, endpoint), countsOf(one, endpoint), waitingOf(one, endpoint), endpointOn(one, endpoint)])
      const before = yield* state(host)
      yield* equal("nothing is counted", before[1], [])
      for (const settlements of rounds) {
        const undone = yield* Effect.flip(
          transaction.run(
            Effect.gen(function* () {
              yield* settleAll(host, settlements)
              const counts = yield* countsOf(host, endpoint)
              yield* equal("counted inside", counts.length, 1)
              return yield* Effect.fail("rolled back")
            }),
          ),
        )
        yield* equal("the failure", undone, "rolled back")
        for (const one of both) yield* equal("afterwards", yield* state(one), before)
      }
      // The claims still hold: what is settled now is counted once.
      for (const settlements of rounds.slice(1)) yield* settleAll(host, settlements)
      for (const one of both) {
        yield* equal("the counts", yield* countsOf(one, endpoint), [
          { hour: 0, succeeded: 1, failedAttempts: 1, givenUp: 0, durations: ["6 2"] },
        ])
        const log = yield* logOf(one, endpoint)
        yield* equal(
          "the deliveries",
          log.map(({ attempts, status }) => [status, attempts.length]),
          [
            ["succeeded", 1],
            ["pending", 1],
          ],
        )
      }
    }),
  },
  {
    id: "log.counts.gone",
    title: "MUST forget the counts of hours that are no longer kept, and those of a removed endpoint",
    requirements: ["§8-7", "D60", "D33"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const beside = yield* createEndpoint(endpoint.shop)
      const own = yield* claims(host, endpoint, [0, 1])
      for (const [index, claim] of own.entries()) {
        yield* settleAll(host, [success(claim, begin + index * hour + 100)])
      }
      for (const claim of yield* host.queue.claim(request({ now: someTime + hour }))) {
        yield* settleAll(host, [success(claim, begin + 100)])
      }
      yield* prune(both, { keep: 50, eventsBefore: begin })
      yield* equal(
        "all are kept",
        (yield* countsOf(host, endpoint)).map((each) => each.hour),
        [0, 1],
      )
      yield* prune(both, { keep: 50, eventsBefore: begin + hour })
      yield* equal(
        "the old one is gone",
        (yield* countsOf(host, endpoint)).map((each) => each.hour),
        [1],
      )
      yield* equal("beside it", yield* countsOf(host, beside), [])
      yield* host.endpoints.remove(endpoint.shop, endpoint.id)
      yield* equal(
        "removed",
        (yield* host.log.activity(endpoint.shop, everyHour)).flatMap(({ steps }) => steps),
        [],
      )
    }),
  },
  {
    id: "log.waiting",
    title: "MUST count what is pending for each endpoint, whenever it was created, and have its newest attempts",
    requirements: ["§8-7", "D60"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const quiet = yield* createEndpoint(endpoint.shop, { kinds: ["design.created"] })
      const namesake = yield* newEndpoint({ id: endpoint.id })
      const own = yield* claims(host, endpoint, [-999 * hour, 0, 1, 2, 3])
      const test = yield* addTest(endpoint, someTime + 5)
      const [delivered, retried, off] = own
      if (delivered === undefined || retried === undefined || off === undefined) return
      const tested = yield* claimOf(yield* claimed(host, someTime + minute), test.id)
      const long = makeAttempt(retried, someTime + 50, { responseStart: `{${"no ".repeat(100)}` })
      const first = success(delivered)
      yield* settleAll(host, [first, settlement(retried, long), success(tested, someTime + 70)])
      const cut = { ...long, responseStart: `{${"no ".repeat(33)}` }
      for (const one of both) {
        yield* equal("waiting", yield* waitingOf(one, endpoint), [{ pending: 4, recent: [cut, first.attempt] }])
        yield* equal("nothing", yield* waitingOf(one, quiet), [{ pending: 0, recent: [] }])
        yield* equal("another shop", yield* waitingOf(one, namesake), [{ pending: 0, recent: [] }])
        yield* equal("no shop", yield* one.log.activity("nobody", everyHour), [])
      }
      const last = makeAttempt(off, someTime + 90)
      // Newer deliveries that nobody has attempted hide none.
      const newer = Array.from({ length: 30 }, (_, index) => 10 + index)
      yield* happen(endpoint.shop, newer)
      yield* settleAll(host, [settlement(off, last)], switchOff)
      yield* equal("suspended", yield* waitingOf(host, endpoint), [{ pending: 34, recent: [last, cut] }])
    }),
  },
])
