/** Fixtures of webhook cases: endpoints, events, deliveries and claims. */
import { Context, Effect, Option } from "effect"
import { type EventRecord, noSubject } from "../../../../core/model/events/Event.ts"
import type { Health } from "../../../../core/model/Health.ts"
import type { Instant } from "../../../../core/model/Instant.ts"
import type { Shop } from "../../../../core/model/shops/Shop.ts"
import type { Attempt, DeliveryRecord } from "../../../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import { usualOptions } from "../../../../core/model/webhooks/EndpointOptions.ts"
import type { FoundDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"
import type { ResendFilter } from "../../../../core/model/webhooks/Resend.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { type Claim, DeliveryQueue, type Settlement } from "../../../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../../../core/ports/DeliverySignal.ts"
import { EndpointStore } from "../../../../core/ports/EndpointStore.ts"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { NoticeStore } from "../../../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../../core/ports/StoragePorts.ts"
import { type PruneStep, Upkeep } from "../../../../core/ports/Upkeep.ts"
import * as DeliveryState from "../../../../core/rules/webhooks/DeliveryState.ts"
import * as EndpointState from "../../../../core/rules/webhooks/EndpointState.ts"
import { defaultSchedule } from "../../../../core/rules/webhooks/RetryPolicy.ts"
import { equal, holds, some } from "../../Assertion.ts"
import { onOtherHost, type StorageCase } from "../StorageCase.ts"
import { makeShop, someTime, unique } from "./Fixtures.ts"
import { inTurn, type TurnQueue, type TurnRequest } from "./TurnQueue.ts"

/** The ports of cases that look at deliveries through their whole life. */
export const deliveryPorts = [ShopStore, OrderStore, EndpointStore, DeliveryQueue, DeliveryLog, Upkeep] as const

/** The ports of a host. A case calls only the ones that it names. */
export interface Host {
  readonly shops: ShopStore["Service"]
  readonly orders: OrderStore["Service"]
  readonly endpoints: EndpointStore["Service"]
  readonly queue: TurnQueue
  readonly log: DeliveryLog["Service"]
  readonly events: EventStore["Service"]
  readonly upkeep: Upkeep["Service"]
  readonly signal: DeliverySignal["Service"]
  readonly notices: NoticeStore["Service"]
}

export const theHost = Effect.map(Effect.context<StoragePorts>(), (ports): Host => {
  let queue: TurnQueue | undefined
  return {
    get shops() {
      return Context.get(ports, ShopStore)
    },
    get orders() {
      return Context.get(ports, OrderStore)
    },
    get endpoints() {
      return Context.get(ports, EndpointStore)
    },
    get queue() {
      queue ??= inTurn(Context.get(ports, DeliveryQueue))
      return queue
    },
    get log() {
      return Context.get(ports, DeliveryLog)
    },
    get events() {
      return Context.get(ports, EventStore)
    },
    get upkeep() {
      return Context.get(ports, Upkeep)
    },
    get signal() {
      return Context.get(ports, DeliverySignal)
    },
    get notices() {
      return Context.get(ports, NoticeStore)
    },
  }
})

/** The ports of both hosts. */
export const bothHosts = Effect.all([theHost, onOtherHost(theHost)])

/** One host and the other, alternating. */
export const turnOf = <A>(both: readonly [A, A], index: number): A => both[index % 2 === 0 ? 0 : 1]

/** A minute and an hour in milliseconds. */
export const minute = 60_000
export const hour = 60 * minute

/** An instant after all that cases do. */
export const late = someTime + 900 * hour

/** Puts a new shop whose endpoints are removed after the case, so that nothing of it stays in the queue. */
export const newWebhookShop = Effect.fnUntraced(function* (fields: Partial<Shop> = {}) {
  const { endpoints, shops } = yield* theHost
  const shop = makeShop(fields)
  yield* shops.put(shop)
  yield* Effect.addFinalizer(() =>
    endpoints.list(shop.id).pipe(
      Effect.flatMap((kept) => Effect.forEach(kept, ({ id }) => endpoints.remove(shop.id, id), { discard: true })),
      Effect.ignore,
    ),
  )
  return shop
})

/** Marks cases of the queue that all shops share: each finds it empty. */
export const alone = (cases: ReadonlyArray<StorageCase>): ReadonlyArray<StorageCase> =>
  cases.map((one) => ({ ...one, alone: true, run: Effect.andThen(emptyQueue, one.run) }))

const emptyQueue = Effect.gen(function* () {
  const [{ queue }] = yield* bothHosts
  yield* equal("leftovers in the queue", yield* queue.claim(request({ now: someTime + 999 * hour })), [])
})

/** A new, active, healthy endpoint of a shop. */
export const makeEndpoint = (shop: string, fields: Partial<EndpointRecord> = {}): EndpointRecord => ({
  shop,
  id: `whe_${unique(22)}`,
  url: `https://${unique(12)}.example.com/hook`,
  description: "ERP",
  kinds: ["design.ordered", "order.cancelled"],
  status: "active",
  consecutiveFailures: 0,
  switchedOffAt: null,
  proven: true,
  troubled: false,
  createdAt: someTime,
  secret: unique(),
  standardWebhooks: false,
  options: usualOptions,
  secretSince: null,
  rotation: null,
  ...fields,
})

/** The fields of a switched-off endpoint. */
export const switchedOff = {
  status: "switched_off",
  consecutiveFailures: 20,
  switchedOffAt: someTime,
  proven: false,
  troubled: true,
} as const

/** Stores a new endpoint of a shop and returns it. */
export const createEndpoint = Effect.fnUntraced(function* (shop: string, fields: Partial<EndpointRecord> = {}) {
  const endpoint = makeEndpoint(shop, fields)
  yield* equal("adding an endpoint", yield* (yield* EndpointStore).add(endpoint, 1_000), true)
  return endpoint
})

/** A new shop with an endpoint. */
export const newEndpoint = Effect.fnUntraced(function* (fields: Partial<EndpointRecord> = {}) {
  const shop = yield* newWebhookShop()
  return yield* createEndpoint(shop.id, fields)
})

/** A new event of a shop with a unique body. */
export const makeEvent = (shop: string, fields: Partial<EventRecord> = {}): EventRecord => {
  const id = fields.id ?? `evt_${unique(22)}`
  return {
    shop,
    id,
    event: "design.ordered",
    test: false,
    createdAt: someTime,
    subject: noSubject,
    trace: `00-${"4b".repeat(16)}-${"6f".repeat(8)}-01`,
    body: JSON.stringify({ id, mark: unique() }),
    ...fields,
  }
}

/** Commits new events of a shop at the given milliseconds after {@link someTime}, and returns them. */
export const happen = <const T extends ReadonlyArray<number> = readonly [0]>(
  shop: string,
  times?: T,
  fields: Partial<EventRecord> = {},
) => {
  const events = (times ?? [0]).map((time) => makeEvent(shop, { createdAt: someTime + time, ...fields }))
  // One per given time.
  const answer = events as { readonly [K in keyof T]: EventRecord }
  return Effect.as(
    OrderStore.use((orders) => orders.commit({ shop, designs: [], order: null, events })),
    answer,
  )
}

/** The id of an event's first delivery to an endpoint (D22). */
export const firstDeliveryId = (event: EventRecord, endpoint: EndpointRecord): string =>
  `dlv_${event.id.slice(4)}${endpoint.id.slice(4)}`

/** The delivery that the commit of an event creates for an endpoint. */
export const firstDelivery = (event: EventRecord, endpoint: EndpointRecord): DeliveryRecord => ({
  shop: event.shop,
  id: firstDeliveryId(event, endpoint),
  endpointId: endpoint.id,
  eventId: event.id,
  event: event.event,
  test: event.test,
  status: "pending",
  createdAt: event.createdAt,
  nextAttemptAt: event.createdAt,
  attempts: [],
})

/** Another delivery of an event: a redelivery or a test. */
export const makeDelivery = (
  event: EventRecord,
  endpoint: EndpointRecord,
  fields: Partial<DeliveryRecord> = {},
): DeliveryRecord => ({ ...firstDelivery(event, endpoint), id: `dlv_${unique(22)}`, ...fields })

/** Adds a new test event with its delivery, and returns the delivery. */
export const addTest = Effect.fnUntraced(function* (endpoint: EndpointRecord, createdAt: Instant = someTime) {
  const event = makeEvent(endpoint.shop, { event: "ping", test: true, createdAt })
  const delivery = makeDelivery(event, endpoint)
  yield* (yield* DeliveryQueue).add(delivery, event)
  return delivery
})

/** A claim of everything due, for a minute. */
export const request = (fields: Partial<TurnRequest> = {}): TurnRequest => {
  const now = fields.now ?? someTime
  return {
    limit: 1_000,
    perShop: 1_000,
    perEndpoint: 1_000,
    probation: { limit: 1_000, troubled: 1_000, perEndpoint: 1_000 },
    busy: [],
    leaseUntil: now + minute,
    token: unique(),
    ...fields,
    now,
  }
}

/** Claims everything due and returns it by delivery id. */
export const claimed = Effect.fnUntraced(function* (host: Host, now: Instant = someTime) {
  const claims = yield* host.queue.claim(request({ now }))
  return new Map(claims.map((claim) => [claim.deliveryId, claim]))
})

/** The claim of a delivery; fails if it was not claimed. */
export const claimOf = (claims: ReadonlyMap<string, Claim>, deliveryId: string) =>
  some(`the claim of ${deliveryId}`, Option.fromUndefinedOr(claims.get(deliveryId)))

/** Expects a claim of everything due to find nothing. */
export const nothing = Effect.fnUntraced(function* (what: string, host: Host, now = someTime) {
  yield* equal(what, yield* host.queue.claim(request({ now })), [])
})

/** A filter of all finished deliveries from before an instant, without tests. */
export const anyFinished = (until: Instant, fields: Partial<ResendFilter> = {}): ResendFilter => ({
  state: null,
  kind: null,
  from: null,
  until,
  tests: false,
  ids: null,
  ...fields,
})

/** The number of claims per endpoint. */
export const perEndpoint = (claims: ReadonlyArray<Claim>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { endpointId } of claims) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  return counts
}

/** The ids of deliveries, sorted. */
export const idsOf = (claims: Iterable<Claim>): ReadonlyArray<string> =>
  [...claims].map(({ deliveryId }) => deliveryId).toSorted()

/** An attempt of a claim that ended at an instant after 100 ms, with status 500 unless fields say otherwise. */
export const makeAttempt = (claim: Claim, endedAt: Instant, fields: Partial<Attempt> = {}): Attempt => ({
  number: claim.attempt,
  at: endedAt - 100,
  statusCode: 500,
  durationMs: 100,
  responseStart: "no",
  error: null,
  ...fields,
})

/** The settlement of an attempt by the rules. */
export const settlement = (claim: Claim, attempt: Attempt): Settlement => {
  const delivery = { status: "pending", test: claim.test } as const
  const outcome = DeliveryState.afterAttempt(delivery, attempt, defaultSchedule)
  return { claim, attempt, status: "failed", nextAttemptAt: null, ...outcome }
}

/** A failed attempt that ended at an instant. */
export const failure = (claim: Claim, endedAt: Instant = someTime, fields: Partial<Attempt> = {}): Settlement =>
  settlement(claim, makeAttempt(claim, endedAt, fields))

/** A successful attempt that ended at an instant. */
export const success = (claim: Claim, endedAt: Instant = someTime): Settlement =>
  settlement(claim, makeAttempt(claim, endedAt, { statusCode: 200, responseStart: "" }))

/** The rules' health of an endpoint after an attempt (§3, D27). */
export const advance = (health: Health, { attempt, claim }: Settlement): Health =>
  EndpointState.afterAttempt(health, {
    test: claim.test,
    success: DeliveryState.isSuccess(attempt),
    endedAt: DeliveryState.endedAt(attempt),
    durationMs: attempt.durationMs,
  })

/** Counts each settlement as a failure and never switches off. */
export const count = (health: Health): Health => ({
  ...health,
  consecutiveFailures: health.consecutiveFailures + 1,
})

/** Switches off at once. */
export const switchOff = (health: Health): Health => ({ ...health, ...switchedOff })

/** Settles and expects each settlement to take effect. */
export const settleAll = Effect.fnUntraced(function* (
  host: Host,
  settlements: ReadonlyArray<Settlement>,
  step: (health: Health, settlement: Settlement) => Health = advance,
) {
  const effects = yield* host.queue.settle(settlements, step)
  yield* equal(
    "effective settlements",
    effects,
    settlements.map(() => true),
  )
})

/** Runs all pruning steps, alternating between the hosts, each continuing where the previous one ended. */
export const prune = Effect.fnUntraced(function* (
  hosts: ReadonlyArray<Host>,
  step: Pick<PruneStep, "keep" | "keepSince" | "eventsBefore"> & Partial<PruneStep>,
) {
  let after: string | null = null
  let steps = 0
  do {
    const host = hosts[steps % hosts.length]
    if (host === undefined) return
    after = yield* host.upkeep.prune({ limit: 1_000, now: 0, ...step, after })
    steps++
    yield* holds("pruning ends", steps < 10_000)
  } while (after !== null)
})

/** Adds a delivery and expects it to be added. */
export const addDelivery = Effect.fnUntraced(function* (
  host: Host,
  delivery: DeliveryRecord,
  event: EventRecord | null = null,
) {
  yield* equal("whether it was added", yield* host.queue.add(delivery, event), true)
})

/** An endpoint as a host stores it. */
export const endpointOn = (host: Host, { id, shop }: EndpointRecord) =>
  Effect.flatMap(host.endpoints.find(shop, id), (found) => some("the endpoint", found))

/** The log of an endpoint on a host, newest first. */
export const logOf = (host: Host, { id, shop }: EndpointRecord) => host.log.list(shop, id, 10_000)

/** The delivery and the body of one that was found. */
export const sentOf = ({ body, delivery }: FoundDelivery) => ({ body, delivery })

/** A delivery as a host stores it. */
export const deliveryOn = (host: Host, { endpointId, id, shop }: DeliveryRecord) =>
  host.log.find(shop, endpointId, id).pipe(
    Effect.flatMap((found) => some("the delivery", found)),
    Effect.map(({ delivery }) => delivery),
  )
