import { Effect, Option } from "effect"
import { noSubject } from "../../../../core/model/events/Event.ts"
import { compareIds } from "../../../../core/model/Ids.ts"
import type { DeliveryStatus } from "../../../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { usualOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import type {
  DeliveryFilter,
  DeliveryPage,
  DeliveryPlace,
  EventsAbout,
  LoggedDelivery,
  WaitingCause,
  WaitingCount,
} from "../../../../core/model/webhooks/LoggedDelivery.ts"
import { logged, waitingCauses } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { DeliveryQueue } from "../../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import type { StorageError } from "../../../../core/ports/StorageError.ts"
import { isSelected } from "../../../../core/rules/webhooks/DeliveryFilters.ts"
import { changing } from "../../../../core/rules/webhooks/EndpointUpdates.ts"
import { equal, none, some } from "../../Assertion.ts"
import { calling } from "../StorageCase.ts"
import { hostileTexts, makeDesign, someTime, unique } from "../support/Fixtures.ts"
import {
  addDelivery,
  addTest,
  bothHosts,
  claimed,
  claimOf,
  count,
  createEndpoint,
  failure,
  firstDelivery,
  firstDeliveryId,
  type Host,
  happen,
  makeDelivery,
  makeEvent,
  minute,
  newEndpoint,
  settleAll,
  success,
  switchOff,
} from "../support/Webhooks.ts"

type Place = DeliveryPlace | null

/** All pages of a list, read by both hosts in turn. Each page but the last is full. */
const allPages = Effect.fnUntraced(function* (
  both: readonly [Host, Host],
  limit: number,
  read: (host: Host, after: Place, limit: number) => Effect.Effect<DeliveryPage, StorageError>,
) {
  const found: Array<LoggedDelivery> = []
  let after: Place = null
  let pages = 0
  do {
    const page: DeliveryPage = yield* read(both[pages++ % 2 === 0 ? 0 : 1], after, limit)
    if (page.next !== null) yield* equal("the deliveries of a full page", page.deliveries.length, limit)
    found.push(...page.deliveries)
    after = page.next
  } while (after !== null && pages < 1_000)
  return found
})

const idsOf = (deliveries: Iterable<Pick<LoggedDelivery, "id">>) => [...deliveries].map(({ id }) => id)

const newestFirst = (left: LoggedDelivery, right: LoggedDelivery) =>
  right.createdAt - left.createdAt || compareIds(right.id, left.id)

const firstDue = (left: LoggedDelivery, right: LoggedDelivery) =>
  (left.nextAttemptAt ?? 0) - (right.nextAttemptAt ?? 0) || compareIds(left.id, right.id)

/** A delivery with one attempt at most. */
const recordOf = (one: LoggedDelivery) => ({ ...one, attempts: one.lastAttempt === null ? [] : [one.lastAttempt] })

const dropped = (shop: string, { id }: EndpointRecord) =>
  EndpointStore.use((endpoints) => endpoints.update(shop, id, changing({ kinds: ["design.ordered"] })))

/**
 * Two endpoints with deliveries of every state and kind, tests among them, many of them created at one instant. Returns
 * them all, in no particular order.
 */
const manyDeliveries = Effect.gen(function* () {
  const [host] = yield* bothHosts
  const endpoint = yield* newEndpoint()
  const { shop } = endpoint
  const beside = yield* createEndpoint(shop)
  const times = [0, 0, 0, 1, 1, 2, 3, 3, 3, 3]
  const ordered = yield* happen(shop, times, { subject: { order: "7", design: "a" } })
  const cancelled = yield* happen(shop, [0, 1, 3, 4], {
    event: "order.cancelled",
    subject: { order: "7", design: null },
  })
  const test = yield* addTest(endpoint, someTime + 3)
  const claims = yield* claimed(host, someTime + 10)
  const outcomes: ReadonlyArray<DeliveryStatus> = ["succeeded", "failed", "pending"]
  const claimedUntil = someTime + 10 + minute
  const unattempted = { attempts: 0, lastAttempt: null, claimedUntil, isBehind: false }
  const all: Array<LoggedDelivery> = [{ ...test, ...unattempted, subject: noSubject }]
  for (const one of [endpoint, beside]) {
    for (const [index, event] of [...ordered, ...cancelled].entries()) {
      const delivery = firstDelivery(event, one)
      const status = outcomes[(index + all.length) % 4]
      const logged = { ...delivery, ...unattempted, subject: event.subject }
      if (status === undefined) {
        all.push(logged)
        continue
      }
      const claim = yield* claimOf(claims, delivery.id)
      const settled =
        status === "succeeded" ? success(claim, someTime + 50) : failure(claim, someTime + 50 + (index % 3))
      const nextAttemptAt = status === "pending" ? settled.nextAttemptAt : null
      yield* settleAll(host, [{ ...settled, status, nextAttemptAt }], count)
      const lastAttempt = settled.attempt
      all.push({ ...logged, status, nextAttemptAt, attempts: 1, lastAttempt, claimedUntil: null })
    }
  }
  yield* dropped(shop, beside)
  return {
    shop,
    endpoint,
    beside,
    all: all.map((one): LoggedDelivery => {
      const isDropped = one.endpointId === beside.id && one.event === "order.cancelled" && one.status === "pending"
      return isDropped ? { ...one, status: "dropped", nextAttemptAt: null } : one
    }),
  }
})

/** The contract of `DeliveryLog.page` and `find`, and of `EventStore.find`. */
export const deliverySearchCases = calling(
  ShopStore,
  OrderStore,
  EndpointStore,
  DeliveryQueue,
  DeliveryLog,
)([
  {
    id: "search.page",
    title: "MUST page through a shop's deliveries over all endpoints, newest first, exactly, under ties and filters",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const namesake = yield* newEndpoint()
      yield* happen(namesake.shop, [0, 1])
      const { all, beside, endpoint, shop } = yield* manyDeliveries
      const filters: ReadonlyArray<DeliveryFilter> = [
        {},
        { endpoint: endpoint.id },
        { endpoint: namesake.id },
        ...(["pending", "succeeded", "failed", "dropped"] as const).map((status) => ({ status })),
        { kind: "order.cancelled" },
        { kind: "ping" },
        { test: true },
        { test: false, status: "failed", endpoint: beside.id },
        { from: someTime + 1 },
        { until: someTime + 3 },
        { from: someTime + 1, until: someTime + 3, kind: "design.ordered" },
        { from: someTime + 3, until: someTime + 3 },
        { attempts: { from: someTime - 50, until: someTime - 49, failed: false } },
        { attempts: { from: someTime - 50, until: someTime - 48, failed: true }, status: "failed" },
      ]
      for (const filter of filters) {
        const expected = all.filter((one) => isSelected(recordOf(one), filter)).toSorted(newestFirst)
        for (const limit of [1, 3, 50]) {
          const found = yield* allPages(both, limit, (host, after) => host.log.page({ shop, filter, after, limit }))
          yield* equal(`${JSON.stringify(filter)}, ${limit} a page`, found, expected)
        }
      }
      const nobody = yield* both[0].log.page({ shop: "nobody", filter: {}, after: null, limit: 10 })
      yield* equal("another shop", nobody, { deliveries: [], next: null })
    }),
  },
  {
    id: "search.attempts",
    title: "MUST find deliveries by when any of their attempts began, or any that failed",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const [event] = yield* happen(shop, [0])
      yield* happen(shop, [1])
      const { id } = firstDelivery(event, endpoint)
      const begun = someTime + minute
      const failed = failure(yield* claimOf(yield* claimed(host, someTime), id), begun + 100)
      yield* settleAll(host, [{ ...failed, nextAttemptAt: begun + minute }])
      const claim = yield* claimOf(yield* claimed(host, begun + minute), id)
      yield* settleAll(host, [success(claim, begun + minute + 100)])
      const spans = [
        { failed: false, from: begun, until: begun + 1, finds: true },
        { failed: true, from: begun, until: begun + 1, finds: true },
        { failed: true, from: begun + 1, until: begun + 2 * minute, finds: false },
        { failed: false, from: begun + 1, until: begun + 2 * minute, finds: true },
        { failed: false, from: begun + 1, until: begun + minute, finds: false },
        { failed: false, from: someTime, until: begun, finds: false },
      ]
      for (const { finds, ...attempts } of spans) {
        const page = yield* host.log.page({ shop, filter: { attempts }, after: null, limit: 10 })
        yield* equal(JSON.stringify(attempts), idsOf(page.deliveries), finds ? [id] : [])
      }
    }),
  },
  {
    id: "search.page.many",
    title: "MUST find what a filter selects among very many deliveries, however many pages are shorter than the limit",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const [host] = yield* bothHosts
      const endpoint = yield* newEndpoint({ kinds: ["design.ordered", "order.cancelled"] })
      const { shop } = endpoint
      const beside = yield* createEndpoint(shop, { kinds: ["order.cancelled"] })
      const [last] = yield* happen(shop, [-2], { event: "order.cancelled" })
      for (let part = 0; part < 5; part++) {
        yield* happen(
          shop,
          Array.from({ length: 500 }, (_, index) => part * 500 + index),
        )
      }
      const [first] = yield* happen(shop, [600], { event: "order.cancelled" })
      const found: Array<string> = []
      let after: Place = null
      let pages = 0
      do {
        const page: DeliveryPage = yield* host.log.page({
          ...{ shop, after, limit: 3 },
          filter: { kind: "order.cancelled" },
        })
        found.push(...idsOf(page.deliveries))
        after = page.next
      } while (after !== null && pages++ < 10)
      const expected = [first, last].flatMap((event) =>
        [endpoint, beside].map((one) => firstDeliveryId(event, one)).toSorted((one, other) => compareIds(other, one)),
      )
      yield* equal("all of the kind, newest first", found, expected)
    }),
  },
  {
    id: "search.pending",
    title: "MUST page through what is pending by when it is due, suspended or not, and never leave out any",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const { all, endpoint, shop } = yield* manyDeliveries
      const off = yield* createEndpoint(shop)
      const [event, later] = yield* happen(shop, [5, 6], { subject: { order: "8", design: "b" } })
      const claims = yield* claimed(host, someTime + 100)
      const failed = yield* claimOf(claims, firstDeliveryId(event, off))
      yield* settleAll(host, [failure(failed, someTime + minute)], switchOff)
      const expected = (which: (one: { readonly endpointId: string }) => boolean) => [
        ...all.filter((one) => one.status === "pending" && which(one)),
        ...[event, later].flatMap((each) =>
          [endpoint, off].flatMap((one) => {
            const unclaimed = { attempts: 0, lastAttempt: null, claimedUntil: null, isBehind: false }
            const delivery = { ...firstDelivery(each, one), subject: each.subject, ...unclaimed }
            return which(delivery) ? [delivery] : []
          }),
        ),
      ]
      for (const pending of [{}, { endpoint: endpoint.id }, { endpoint: off.id }]) {
        for (const limit of [1, 4, 50]) {
          const found = yield* allPages(both, limit, (each, after) => each.log.page({ shop, pending, after, limit }))
          const wanted = expected((one) => (pending.endpoint ?? one.endpointId) === one.endpointId)
          yield* equal("in order", idsOf(found), idsOf(found.toSorted(firstDue)))
          // Events of the third endpoint's kinds also went to the second: those are pending there, too.
          const own = new Set(idsOf(found))
          yield* equal(
            "none is left out",
            idsOf(wanted).filter((id) => !own.has(id)),
            [],
          )
          yield* equal(
            "all are pending",
            found.filter(({ status }) => status !== "pending"),
            [],
          )
          yield* equal("none twice", own.size, found.length)
        }
      }
      const [retried] = (yield* host.log.page({
        shop,
        pending: { endpoint: off.id },
        after: null,
        limit: 10,
      })).deliveries.slice(-1)
      yield* equal("the one that failed", retried?.lastAttempt, failure(failed, someTime + minute).attempt)
    }),
  },
  {
    id: "search.waiting",
    title: "MUST count what waits for each reason, exactly, and page through what waits for some of them",
    requirements: ["§8-7", "D32", "D53"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const ordered = yield* newEndpoint({ options: { ...usualOptions, ordering: "object" } })
      const { shop } = ordered
      const off = yield* createEndpoint(shop)
      const line = yield* happen(shop, [0, 1, 2], { subject: { order: "7", design: null } })
      const [fails, waits] = yield* happen(shop, [3, 4])
      const claims = yield* claimed(host, someTime + 10)
      const failed = failure(yield* claimOf(claims, firstDeliveryId(fails, ordered)), someTime + minute)
      yield* settleAll(host, [failed], count)
      const last = failure(yield* claimOf(claims, firstDeliveryId(line[0], off)), someTime + minute)
      yield* settleAll(host, [last], switchOff)
      const test = yield* addTest(off, someTime)
      const retryAt = failed.nextAttemptAt ?? 0
      for (const now of [retryAt - 1, retryAt]) {
        const [due, retry] = now === retryAt ? [[fails], []] : [[], [fails]]
        const ids = {
          due: [...[line[0], waits, ...due].map((event) => firstDeliveryId(event, ordered)), test.id],
          retry: retry.map((event) => firstDeliveryId(event, ordered)),
          behind: [line[1], line[2]].map((event) => firstDeliveryId(event, ordered)),
          held: [...line, fails, waits].map((event) => firstDeliveryId(event, off)),
        }
        const counts: ReadonlyArray<WaitingCount> = [
          { endpointId: ordered.id, cause: "due", count: 2 + due.length, first: someTime },
          ...retry.map(() => ({ endpointId: ordered.id, cause: "retry" as const, count: 1, first: retryAt })),
          { endpointId: ordered.id, cause: "behind", count: 2, first: someTime + 1 },
          { endpointId: off.id, cause: "due", count: 1, first: someTime },
          { endpointId: off.id, cause: "held", count: 5, first: someTime + 1 },
        ]
        for (const causes of [[], ["due"], ["retry"], ["behind"], ["held"], ["due", "retry"], waitingCauses] as const) {
          const pending = { why: { now, causes } }
          const found = yield* allPages(both, 2, (each, after) => each.log.page({ shop, pending, after, limit: 2 }))
          yield* equal("in order", idsOf(found), idsOf(found.toSorted(firstDue)))
          const expected = causes.flatMap((cause: WaitingCause) => ids[cause])
          yield* equal(`because: ${causes}`, idsOf(found).sort(compareIds), expected.toSorted(compareIds))
          const page = yield* host.log.page({ shop, pending, after: null, limit: 1 })
          const byName = (one: WaitingCount) => `${one.endpointId} ${one.cause}`
          const sorted = (all: ReadonlyArray<WaitingCount>) =>
            all.toSorted((one, other) => compareIds(byName(one), byName(other)))
          yield* equal("the counts", sorted(page.counts ?? []), sorted(counts))
        }
      }
    }),
  },
  {
    id: "search.claimed",
    title: "MUST say until when a delivery is claimed, until the claim is released or its attempt has ended",
    requirements: ["§8-7", "D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const [first, second, third] = yield* happen(shop, [0, 1, 2])
      const part = { shop, after: null, limit: 10 }
      const events = idsOf([first, second, third])
      const ends = ({ log }: Host) =>
        Effect.map(
          Effect.all([
            log.page({ ...part, filter: {} }),
            log.page({ ...part, events }),
            log.page({ ...part, pending: {} }),
            log.find(shop, null, firstDeliveryId(third, endpoint)),
          ]),
          ([page, ofEvents, pending, found]) => ({
            page: page.deliveries.map(({ claimedUntil }) => claimedUntil),
            ofEvents: ofEvents.deliveries.map(({ claimedUntil }) => claimedUntil),
            pending: pending.deliveries.map(({ claimedUntil }) => claimedUntil),
            last: Option.map(found, ({ claimedUntil }) => claimedUntil),
          }),
        )
      const are = Effect.fnUntraced(function* (
        what: string,
        page: Array<number | null>,
        pending: Array<number | null>,
      ) {
        const last = Option.some(page[0] ?? null)
        for (const one of both) yield* equal(what, yield* ends(one), { page, ofEvents: page, pending, last })
      })
      yield* are("before", [null, null, null], [null, null, null])
      const claims = yield* claimed(host, someTime + 1)
      const until = someTime + 1 + minute
      yield* are("claimed", [null, until, until], [until, until, null])
      const one = yield* claimOf(claims, firstDeliveryId(first, endpoint))
      const other = yield* claimOf(claims, firstDeliveryId(second, endpoint))
      yield* settleAll(host, [success(one)])
      yield* are("ended", [null, until, null], [until, null])
      yield* host.queue.release([other])
      yield* are("released", [null, null, null], [null, null])
    }),
  },
  {
    id: "search.events",
    title: "MUST find events by their order, design or id, newest first, and all deliveries of them",
    requirements: ["§8-7", "D22"],
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog, EventStore],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const beside = yield* createEndpoint(shop, { kinds: ["order.cancelled"] })
      const namesake = yield* newEndpoint()
      yield* happen(namesake.shop, [0], { subject: { order: "1001", design: "a" } })
      const [created] = yield* happen(shop, [0], { event: "design.created", subject: { order: null, design: "a" } })
      const [ordered, other] = yield* happen(shop, [1, 1], { subject: { order: "1001", design: "a" } })
      const [second] = yield* happen(shop, [1], { subject: { order: "1001", design: "b" } })
      const subject = { order: "1001", design: null }
      const [cancelled] = yield* happen(shop, [2], { event: "order.cancelled", subject })
      const test = makeEvent(shop, { test: true, createdAt: someTime + 3, subject: { order: "1001", design: "a" } })
      yield* addDelivery(host, makeDelivery(test, endpoint), test)
      yield* happen(shop, [4], { subject: { order: "a", design: "1001" } })
      const again = makeDelivery(ordered, endpoint, { createdAt: someTime + 9, nextAttemptAt: someTime + 9 })
      yield* addDelivery(host, again)
      const queries: ReadonlyArray<readonly [EventsAbout, ReadonlyArray<typeof created>]> = [
        [{ design: "a" }, [test, ordered, other, created]],
        [{ order: "1001" }, [test, cancelled, ordered, other, second]],
        [{ event: ordered.id }, [ordered]],
        [{ order: "nothing" }, []],
        [{ design: "" }, []],
        [{ order: "" }, []],
      ]
      for (const [about, events] of queries) {
        const expected = events.toSorted(
          (left, right) => right.createdAt - left.createdAt || compareIds(right.id, left.id),
        )
        for (const { events: stored } of both) {
          const found = yield* stored.find({ shop, about, limit: 10 })
          yield* equal(
            `events about ${JSON.stringify(about)}`,
            found,
            expected.map(({ body: _, ...event }) => event),
          )
          const some = yield* stored.find({ shop, about, limit: 2 })
          yield* equal("the newest", idsOf(some), idsOf(expected.slice(0, 2)))
          yield* equal("of another shop", yield* stored.find({ shop: "nobody", about, limit: 10 }), [])
        }
      }
      yield* EventStore.use((events) => events.redact(shop, [{ id: ordered.id, body: "{}" }]))
      const [redacted] = yield* host.events.find({ shop, about: { event: ordered.id }, limit: 1 })
      yield* equal("the subject of a redacted event", redacted?.subject, ordered.subject)
      const events = idsOf([ordered, cancelled])
      for (const limit of [1, 2, 50]) {
        const found = yield* allPages(both, limit, (each, after) => each.log.page({ shop, events, after, limit }))
        const cancelling = [endpoint, beside].map((one) => firstDeliveryId(cancelled, one))
        yield* equal("their deliveries", idsOf(found), [
          again.id,
          ...cancelling.toSorted((one, two) => compareIds(two, one)),
          firstDeliveryId(ordered, endpoint),
        ])
      }
    }),
  },
  {
    id: "search.spellings",
    title: "MUST find the ids of designs, events and deliveries that equal one but for the case of its letters",
    requirements: ["D32"],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const namesake = yield* newEndpoint()
      const rest = unique(14)
      // Ids differ in their first letters, in the eighth character and later; the last is another one.
      const endings = ["0354yBVD", "0354YBVd", "0354yBVE", "0354yBVC", "zzzzzzzz", "00000000"].map(
        (start) => `${start}${rest}`,
      )
      const [ending = "", twin = "", ...others] = endings
      const ids = (prefix: string) => endings.map((each) => `${prefix}_${each}`)
      yield* OrderStore.use(({ commit }) =>
        Effect.all([
          commit({ shop, designs: ids("dsn").map((id) => makeDesign(shop, id)), order: null, events: [] }),
          commit({
            ...{ shop: namesake.shop, designs: [makeDesign(namesake.shop, `dsn_${ending.toUpperCase()}`)] },
            ...{ order: null, events: [] },
          }),
        ]),
      )
      const gone = `dsn_${unique(21)}Z`
      const events = ids("evt").map((id, index) =>
        makeEvent(shop, { id, subject: { order: null, design: index < 2 ? gone : null } }),
      )
      yield* OrderStore.use(({ commit }) => commit({ shop, designs: [], order: null, events }))
      const deliveries = events.map((event) => firstDeliveryId(event, endpoint))
      for (const { log } of both) {
        const found = (of: "design" | "event" | "delivery", id: string) => log.spellings({ shop, of, id })
        for (const change of [(id: string) => id.toUpperCase(), (id: string) => id.toLowerCase()]) {
          for (const [of, prefix] of [
            ["design", "dsn"],
            ["event", "evt"],
          ] as const) {
            const twins = [`${prefix}_${ending}`, `${prefix}_${twin}`].toSorted(compareIds)
            yield* equal(of, yield* found(of, change(`${prefix}_${ending}`)), twins)
            for (const other of others) {
              const id = `${prefix}_${other}`
              yield* equal(`the ${of} ${change(id)}`, yield* found(of, change(id)), [id])
            }
            yield* equal(`no ${of}`, yield* found(of, change(`${prefix}_0354yBVD${unique(14)}`)), [])
          }
          const twins = deliveries.slice(0, 2).toSorted(compareIds)
          yield* equal("deliveries", yield* found("delivery", change(deliveries[0] ?? "")), twins)
          yield* equal("one", yield* found("delivery", change(deliveries[2] ?? "")), deliveries.slice(2, 3))
          yield* equal("a design that only events name", yield* found("design", change(gone)), [gone])
          yield* equal("of another kind", yield* found("event", change(gone)), [])
        }
        const other = { shop: namesake.shop, of: "event", id: `evt_${ending}` } as const
        yield* equal("another shop", yield* log.spellings(other), [])
      }
    }),
  },
  {
    id: "search.find",
    title: "MUST find a delivery by its id, with its subject and newest attempt, and only in its shop",
    requirements: ["§8-7", "D22"],
    ports: [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog, EventStore],
    run: Effect.gen(function* () {
      const both = yield* bothHosts
      const [host] = both
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const namesake = yield* newEndpoint()
      for (const text of hostileTexts.filter((each) => each !== "").slice(0, 8)) {
        const [event] = yield* happen(shop, [0], { subject: { order: text, design: text } })
        const delivery = firstDelivery(event, endpoint)
        const claim = yield* claimOf(yield* claimed(host, someTime + 1), delivery.id)
        const ended = success(claim, someTime + minute)
        yield* settleAll(host, [ended])
        const expected: LoggedDelivery = {
          ...delivery,
          status: "succeeded",
          nextAttemptAt: null,
          subject: event.subject,
          attempts: 1,
          lastAttempt: ended.attempt,
          claimedUntil: null,
          isBehind: false,
        }
        for (const { events, log } of both) {
          const it = yield* some("it", yield* log.find(shop, null, delivery.id))
          yield* equal("the delivery", logged(it), expected)
          yield* none("in another shop", yield* log.find(namesake.shop, null, delivery.id))
          const [found] = yield* events.find({ shop, about: { design: text }, limit: 1 })
          yield* equal("the event of the text", found?.id, event.id)
        }
      }
      yield* none("no such delivery", yield* host.log.find(shop, null, "dlv_none"))
      yield* equal("nothing", Option.isNone(yield* host.log.find("nobody", null, "dlv_none")), true)
    }),
  },
])
