/** Random histories of a shop's webhooks against a small model, on every store (§3, §6, §8, D22, D25, D27–D31). */
import { expect, layer as testLayer } from "@effect/vitest"
import { Arbitrary, Context, Effect, References, Schema } from "effect"
import { TestClock } from "effect/testing"
import { inject } from "vitest"
import { someTime } from "../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../conformance/suites/storage/support/TurnQueue.ts"
import { memory, pglite, postgres } from "../conformance/testkit/hosts/TestHost.ts"
import { responseOf, type SentRequest, verified } from "../conformance/testkit/workers/Outside.ts"
import { makeWorld, SharedStore, sharedStore, type World } from "../conformance/testkit/workers/TestWorker.ts"
import type { EndpointKind, EventKind, EventRecord } from "../core/model/events/Event.ts"
import { compareIds } from "../core/model/Ids.ts"
import { format, type Instant } from "../core/model/Instant.ts"
import { WireForm } from "../core/model/WireForm.ts"
import { usualOptions } from "../core/model/webhooks/EndpointOptions.ts"
import type { Claim, Settlement } from "../core/ports/DeliveryQueue.ts"
import { LookupFailed } from "../core/ports/HostLookup.ts"
import type { StoragePorts } from "../core/ports/StoragePorts.ts"
import { Upkeep } from "../core/ports/Upkeep.ts"
import * as EndpointState from "../core/rules/webhooks/EndpointState.ts"
import { lineOf } from "../core/rules/webhooks/Ordering.ts"
import { cancelOrder } from "../core/usecases/orders/CancelOrder.ts"
import { recover, redeliver, sendTestEvent } from "../core/usecases/webhooks/ManageDeliveries.ts"
import { deleteEndpoint, enableEndpoint, updateEndpoint } from "../core/usecases/webhooks/ManageEndpoints.ts"

// ---------------------------------------------------------------------------------------------------------------------
// The model: what must be so, in as few words as possible
// ---------------------------------------------------------------------------------------------------------------------

const minute = 60_000

/** The table of §6. */
const waits = [1, 5, 30, 120, 360, 1440].map((minutes) => minutes * minute)

const lease = 30_000

interface ModelAttempt {
  readonly number: number
  readonly at: Instant
  readonly durationMs: number
  readonly statusCode: number | null
  readonly error: string | null
}

interface ModelDelivery {
  readonly id: string
  readonly eventId: string
  readonly event: EventKind
  readonly test: boolean
  readonly createdAt: Instant
  /** The object in whose line it stands, and its place there (D53). */
  line: string | null
  place: number
  status: "pending" | "succeeded" | "failed"
  nextAttemptAt: Instant | null
  /** When it can be claimed: when it is due, or when a lease ends. */
  availableAt: Instant
  /** The claim that may settle it. */
  token: string | null
  readonly attempts: Array<ModelAttempt>
}

interface ModelEndpoint {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly kinds: ReadonlyArray<EndpointKind>
  ordering: Ordering
  active: boolean
  failures: number
  switchedOffAt: Instant | null
  mood: Mood
  readonly deliveries: Map<string, ModelDelivery>
}

interface Model {
  now: Instant
  paid: boolean
  readonly endpoints: Map<number, ModelEndpoint>
  readonly events: Map<string, EventRecord>
  /** The place of each event in the feed; deliveries that come later have later places. */
  readonly feed: Map<string, number>
  places: number
  readonly designs: Map<number, "draft" | "ordered" | "cancelled">
  /** Until when the cancellations of orders that have not come are kept (D50). */
  readonly early: Map<number, Instant>
  /** Claims of workers that died. */
  readonly crashed: Array<Claim>
}

/** Whether the endpoint gets one delivery of an object at a time, in the order of the feed. */
type Ordering = "none" | "object"

const lineIn = (
  { events }: Model,
  { ordering }: Pick<ModelEndpoint, "ordering">,
  { eventId, test }: Pick<ModelDelivery, "eventId" | "test">,
): string | null => {
  const event = events.get(eventId)
  return event === undefined ? null : lineOf({ test }, { options: { ...usualOptions, ordering } }, event.subject)
}

const newDelivery = (
  model: Model,
  endpoint: Pick<ModelEndpoint, "ordering">,
  { event, test }: Pick<EventRecord, "event" | "test">,
  eventId: string,
  id: string,
): ModelDelivery => ({
  id,
  eventId,
  event,
  test,
  createdAt: model.now,
  line: lineIn(model, endpoint, { eventId, test }),
  place: ++model.places,
  status: "pending",
  nextAttemptAt: model.now,
  availableAt: model.now,
  token: null,
  attempts: [],
})

/** Whether a delivery waits for another one of its object. */
const isBehind = ({ deliveries }: ModelEndpoint, { line, place, status }: ModelDelivery): boolean =>
  status === "pending" &&
  line !== null &&
  [...deliveries.values()].some((one) => one.status === "pending" && one.line === line && one.place < place)

/** Pending deliveries come in lines, in the order of the feed, or out of them. */
const reorder = (model: Model, endpoint: ModelEndpoint, ordering: Ordering): void => {
  if (endpoint.ordering === ordering) return
  endpoint.ordering = ordering
  const pending = [...endpoint.deliveries.values()].filter(({ status }) => status === "pending")
  for (const delivery of pending) delivery.line = lineIn(model, endpoint, delivery)
  const feedPlace = ({ eventId }: ModelDelivery) => model.feed.get(eventId) ?? 0
  const inOrder = pending.toSorted((left, right) => feedPlace(left) - feedPlace(right) || compareIds(left.id, right.id))
  for (const delivery of inOrder) delivery.place = ++model.places
}

/** An event makes a delivery for every active endpoint of its kind (D22, D28). */
const happened = (model: Model, event: EventRecord): void => {
  model.events.set(event.id, event)
  model.feed.set(event.id, ++model.places)
  if (!model.paid) return
  for (const endpoint of model.endpoints.values()) {
    if (!endpoint.active || !endpoint.kinds.some((kind) => kind === event.event)) continue
    const id = `dlv_${event.id.slice(4)}${endpoint.id.slice(4)}`
    endpoint.deliveries.set(id, newDelivery(model, endpoint, event, event.id, id))
  }
}

/** Events since an instant that an endpoint has neither received nor waits for (D28). */
const missedBy = (model: Model, endpoint: ModelEndpoint, since: Instant): ReadonlyArray<EventRecord> => {
  const had = [...endpoint.deliveries.values()].filter(({ status }) => status !== "failed")
  const received = new Set(had.map(({ eventId }) => eventId))
  return [...model.events.values()].filter(
    ({ createdAt, event, id }) =>
      createdAt >= since && endpoint.kinds.some((kind) => kind === event) && !received.has(id),
  )
}

/** What of an endpoint can be claimed now, in the order in which it must be: by when it was due, and then by id. */
const claimable = (model: Model, endpoint: ModelEndpoint): ReadonlyArray<ModelDelivery> =>
  [...endpoint.deliveries.values()]
    .filter(
      (delivery) =>
        delivery.status === "pending" &&
        delivery.availableAt <= model.now &&
        model.paid &&
        (delivery.test || endpoint.active) &&
        !isBehind(endpoint, delivery),
    )
    .sort((left, right) => (left.nextAttemptAt ?? 0) - (right.nextAttemptAt ?? 0) || compareIds(left.id, right.id))

/** An attempt that ended now (§3, §6, D25–D29). */
const attempted = (
  model: Model,
  endpoint: ModelEndpoint,
  delivery: ModelDelivery,
  { at, error, statusCode }: Pick<ModelAttempt, "at" | "statusCode" | "error">,
): void => {
  const number = delivery.attempts.length + 1
  delivery.attempts.push({ number, at, durationMs: model.now - at, statusCode, error })
  delivery.token = null
  const success = statusCode === 200
  const wait = delivery.test || success ? undefined : waits[number - 1]
  delivery.status = success ? "succeeded" : wait === undefined ? "failed" : "pending"
  delivery.nextAttemptAt = wait === undefined ? null : model.now + wait
  delivery.availableAt = delivery.nextAttemptAt ?? delivery.availableAt
  if (delivery.test || !endpoint.active) return
  endpoint.failures = success ? 0 : endpoint.failures + 1
  if (endpoint.failures < 20) return
  endpoint.active = false
  endpoint.switchedOffAt = model.now
}

// ---------------------------------------------------------------------------------------------------------------------
// Commands
// ---------------------------------------------------------------------------------------------------------------------

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const endpoint = upTo(2)

const Mood = Schema.Literals(["ok", "fails", "fails", "refused", "unknown", "dies"])
type Mood = typeof Mood.Type

const Command = Schema.Union([
  Schema.Struct({
    does: Schema.Literal("add"),
    endpoint,
    kinds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 })),
    ordering: Schema.Literals(["none", "object", "object"]),
  }),
  Schema.Struct({ does: Schema.Literal("reorder"), endpoint, ordering: Schema.Literals(["none", "object"]) }),
  Schema.Struct({ does: Schema.Literal("remove"), endpoint }),
  Schema.Struct({ does: Schema.Literal("save"), design: upTo(5) }),
  Schema.Struct({ does: Schema.Literal("order"), design: upTo(5) }),
  Schema.Struct({ does: Schema.Literal("cancel"), design: upTo(5) }),
  Schema.Struct({ does: Schema.Literal("mood"), endpoint, mood: Mood }),
  Schema.Struct({ does: Schema.Literal("work") }),
  // Waits for what is due next and does it, as often as a delivery may need.
  Schema.Struct({ does: Schema.Literal("next"), times: Schema.Literals([1, 2, 7]) }),
  Schema.Struct({ does: Schema.Literal("next"), times: Schema.Literals([1, 2, 7]) }),
  Schema.Struct({
    does: Schema.Literal("jump"),
    by: Schema.Literals([1, lease, minute - 1, ...waits]),
  }),
  Schema.Struct({ does: Schema.Literal("turnOn"), endpoint }),
  Schema.Struct({ does: Schema.Literal("redeliver"), endpoint, delivery: upTo(9), times: Schema.Literals([1, 2, 20]) }),
  Schema.Struct({ does: Schema.Literal("test"), endpoint }),
  Schema.Struct({ does: Schema.Literal("recover"), endpoint }),
  Schema.Struct({ does: Schema.Literal("crash"), each: Schema.Literals([1, 2, 1000]) }),
  Schema.Struct({ does: Schema.Literal("late"), statusCode: Schema.Literals([200, 500]) }),
  Schema.Struct({ does: Schema.Literal("plan"), paid: Schema.Boolean }),
])
type Command = typeof Command.Type

const history = Arbitrary.array(Arbitrary.schema(Command), { minLength: 10, maxLength: 60 })

/** Every history begins with an endpoint and an order, so that most of them have something to deliver. */
const beginning: ReadonlyArray<Command> = [
  { does: "add", endpoint: 0, kinds: 7, ordering: "object" },
  { does: "mood", endpoint: 0, mood: "fails" },
  { does: "order", design: 0 },
]

const kindsOf = (mask: number): ReadonlyArray<EndpointKind> =>
  (["design.ordered", "order.cancelled", "design.created"] as const).filter((_, index) => (mask & (1 << index)) !== 0)

const responses = {
  ok: { statusCode: 200, error: null },
  fails: { statusCode: 500, error: null },
  refused: { statusCode: null, error: "address_refused" },
  unknown: { statusCode: null, error: "dns" },
} as const

// ---------------------------------------------------------------------------------------------------------------------
// The two side by side
// ---------------------------------------------------------------------------------------------------------------------

/** A worker does all that is due; the model checks each attempt, and that none is left. */
const work = Effect.fnUntraced(function* (world: World, model: Model) {
  const { outside, settlements } = world
  outside.sent.length = 0
  settlements.length = 0
  yield* world.drain
  const sent = Map.groupBy(outside.sent, ({ request }) => request.url)
  const settled = Map.groupBy(
    settlements.flatMap((one) => one.settlements),
    ({ claim }) => claim.endpointId,
  )
  expect(settlements.flatMap(({ effects }) => effects).every((effect) => effect)).toBe(true)
  for (const endpoint of model.endpoints.values()) {
    const requests = sent.get(endpoint.url) ?? []
    const ended = settled.get(endpoint.id) ?? []
    sent.delete(endpoint.url)
    settled.delete(endpoint.id)
    for (const one of requests) yield* checkRequest(model, endpoint, one)
    const { mood } = endpoint
    if (mood === "dies") {
      expect(ended).toEqual([])
      for (const { deliveryId } of requests) {
        Object.assign(firstClaimable(model, endpoint, deliveryId), { availableAt: model.now + lease, token: "died" })
      }
    } else {
      expect(requests.map(({ deliveryId }) => deliveryId)).toEqual(
        mood === "ok" || mood === "fails" ? ended.map(({ claim }) => claim.deliveryId) : [],
      )
      for (const { claim } of ended) {
        const delivery = firstClaimable(model, endpoint, claim.deliveryId)
        attempted(model, endpoint, delivery, { at: model.now, ...responses[mood] })
      }
    }
    expect(claimable(model, endpoint).map(({ id }) => id)).toEqual([])
  }
  expect([[...sent.keys()], [...settled.keys()]]).toEqual([[], []])
})

/** The delivery that is claimed first of an endpoint, which must be this one. */
const firstClaimable = (model: Model, endpoint: ModelEndpoint, id: string): ModelDelivery => {
  const [first] = claimable(model, endpoint)
  if (first === undefined) throw new Error(`${id} can't be claimed`)
  expect(id).toBe(first.id)
  return first
}

const checkRequest = Effect.fnUntraced(function* (model: Model, endpoint: ModelEndpoint, sent: SentRequest) {
  const delivery = endpoint.deliveries.get(sent.deliveryId)
  expect(delivery?.eventId).toBe(sent.eventId)
  expect(sent.at).toBe(model.now)
  expect(sent.request.headers["X-Service-Event"]).toBe(delivery?.event)
  const event = model.events.get(sent.eventId)
  if (event !== undefined) expect(sent.request.body).toBe(event.body)
  const { event: read } = yield* verified(sent, endpoint.secret)
  expect([read.event, read.test]).toEqual([delivery?.event, delivery?.test])
})

/** Claims deliveries as a worker does that then dies. */
const crash = Effect.fnUntraced(function* (world: World, model: Model, each: number) {
  const token = `crash-${model.now}`
  const claims = yield* inTurn(world.store).claim({
    now: model.now,
    limit: 1000,
    perShop: 1000,
    perEndpoint: each,
    probation: { limit: 1000, troubled: 1000, perEndpoint: each },
    busy: [],
    leaseUntil: model.now + lease,
    token,
  })
  for (const endpoint of model.endpoints.values()) {
    const candidates = claimable(model, endpoint)
    const own = claims.filter(({ endpointId }) => endpointId === endpoint.id)
    expect(own.map(({ deliveryId }) => deliveryId)).toEqual(candidates.slice(0, each).map(({ id }) => id))
    for (const claim of own) {
      const delivery = endpoint.deliveries.get(claim.deliveryId)
      expect([claim.url, claim.attempt]).toEqual([endpoint.url, (delivery?.attempts.length ?? 0) + 1])
    }
    for (const claim of own) {
      const delivery = endpoint.deliveries.get(claim.deliveryId)
      if (delivery !== undefined) Object.assign(delivery, { availableAt: model.now + lease, token })
    }
  }
  expect(claims.every(({ endpointId }) => [...model.endpoints.values()].some(({ id }) => id === endpointId))).toBe(true)
  model.crashed.push(...claims)
})

/** Workers that were taken for dead settle after all: what nobody else has claimed since takes effect. */
const late = Effect.fnUntraced(function* (world: World, model: Model, statusCode: 200 | 500) {
  for (const claim of model.crashed.splice(0)) {
    const at = Number(claim.token.slice("crash-".length))
    const owner = [...model.endpoints.values()].find(({ id }) => id === claim.endpointId)
    const delivery = owner?.deliveries.get(claim.deliveryId)
    const current = delivery !== undefined && delivery.token === claim.token
    const wait = claim.test || statusCode === 200 ? undefined : waits[claim.attempt - 1]
    const settlement: Settlement = {
      claim,
      attempt: {
        number: claim.attempt,
        at,
        statusCode,
        durationMs: model.now - at,
        responseStart: "",
        error: null,
      },
      status: statusCode === 200 ? "succeeded" : wait === undefined ? "failed" : "pending",
      nextAttemptAt: wait === undefined ? null : model.now + wait,
    }
    const effects = yield* world.store.settle([settlement], (health, { attempt }) =>
      EndpointState.afterAttempt(health, {
        test: claim.test,
        success: attempt.statusCode === 200,
        endedAt: attempt.at + attempt.durationMs,
        durationMs: attempt.durationMs,
      }),
    )
    expect(effects).toEqual([current])
    if (current && owner !== undefined) attempted(model, owner, delivery, { at, statusCode, error: null })
  }
})

type Does<Name extends Command["does"]> = Extract<Command, { readonly does: Name }>

const createEndpoint = Effect.fnUntraced(function* (world: World, model: Model, command: Does<"add">) {
  if (model.endpoints.has(command.endpoint) || !model.paid) return
  const kinds = kindsOf(command.kinds)
  const url = `https://e${command.endpoint}-${model.now}.example.com/hook`
  const { id, shown } = yield* world.endpoint({ url, events: kinds, ordering: command.ordering })
  model.endpoints.set(command.endpoint, {
    ...{
      id,
      url,
      kinds,
      secret: shown,
      ordering: command.ordering,
      active: true,
      failures: 0,
      switchedOffAt: null,
      mood: "fails",
    },
    deliveries: new Map(),
  })
})

/** Changes a design or an order, and compares the events with the model. */
const change = Effect.fnUntraced(function* (world: World, model: Model, command: Does<"save" | "order" | "cancel">) {
  const before = world.events.length
  const newKinds = () => world.events.slice(before).map(({ event }) => event)
  const { design, does } = command
  const status = model.designs.get(design)
  switch (does) {
    case "save": {
      const saved = yield* Effect.exit(world.save(`d-${design}`))
      expect(saved._tag).toBe(status === undefined || status === "draft" ? "Success" : "Failure")
      expect(newKinds()).toEqual(status === undefined ? ["design.created"] : [])
      if (status === undefined) model.designs.set(design, "draft")
      break
    }
    case "order": {
      if (status !== undefined && status !== "draft") return
      yield* world.order(`o-${design}`, [`d-${design}`], format(model.now))
      const isCancelled = (model.early.get(design) ?? 0) > model.now
      expect(newKinds()).toEqual([
        ...(status === undefined ? ["design.created"] : []),
        "design.ordered",
        ...(isCancelled ? ["order.cancelled"] : []),
      ])
      model.designs.set(design, isCancelled ? "cancelled" : "ordered")
      break
    }
    case "cancel": {
      const result = yield* world.run(cancelOrder(world.shop, `o-${design}`))
      const exists = status === "ordered" || status === "cancelled"
      expect(result instanceof WireForm).toBe(exists)
      expect(newKinds()).toEqual(status === "ordered" ? ["order.cancelled"] : [])
      if (exists) model.designs.set(design, "cancelled")
      else model.early.set(design, model.now + 1440 * minute)
    }
  }
  for (const event of world.events.slice(before)) happened(model, event)
})

/** When the next delivery can be claimed; after all time if none can. */
const nextDue = (model: Model): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...[...model.endpoints.values()]
      .flatMap((endpoint) =>
        [...endpoint.deliveries.values()].filter(
          (delivery) => (delivery.test || endpoint.active) && !isBehind(endpoint, delivery),
        ),
      )
      .filter(({ status }) => status === "pending" && model.paid)
      .map(({ availableAt }) => availableAt),
  )

/** Lets the worker work at each of the next times that something is due. */
const workNext = Effect.fnUntraced(function* (world: World, model: Model, times: number) {
  for (let time = 0; time < times; time++) {
    const due = nextDue(model)
    if (due === Number.POSITIVE_INFINITY) return
    model.now = Math.max(model.now + 1, due)
    yield* TestClock.setTime(model.now)
    yield* work(world, model)
  }
})

const turnOn = Effect.fnUntraced(function* ({ run, shop }: World, model: Model, endpoint: ModelEndpoint) {
  const { missed } = yield* run(enableEndpoint(shop, endpoint.id))
  const { switchedOffAt } = endpoint
  expect(missed).toBe(switchedOffAt === null ? 0 : missedBy(model, endpoint, switchedOffAt).length)
  if (!endpoint.active) Object.assign(endpoint, { active: true, failures: 0, switchedOffAt: null })
})

const redeliverTimes = Effect.fnUntraced(function* (
  { run, shop }: World,
  model: Model,
  endpoint: ModelEndpoint,
  command: Does<"redeliver">,
) {
  const delivery = [...endpoint.deliveries.values()].at(command.delivery)
  if (delivery === undefined) return
  for (let time = 0; time < command.times; time++) {
    const made = yield* Effect.result(run(redeliver(shop, endpoint.id, delivery.id)))
    expect(made._tag).toBe(model.paid ? "Success" : "Failure")
    if (made._tag === "Failure") return
    const { id } = made.success
    endpoint.deliveries.set(id, newDelivery(model, endpoint, delivery, delivery.eventId, id))
  }
})

const sendTest = Effect.fnUntraced(function* ({ run, shop }: World, model: Model, endpoint: ModelEndpoint) {
  const sent = yield* Effect.result(run(sendTestEvent(shop, endpoint.id)))
  expect(sent._tag).toBe(model.paid ? "Success" : "Failure")
  if (sent._tag === "Failure") return
  const anyOrdered = [...model.designs.values()].includes("ordered")
  const event = { event: anyOrdered ? "design.ordered" : "ping", test: true } as const
  const { eventId, id } = sent.success
  endpoint.deliveries.set(id, newDelivery(model, endpoint, event, eventId, id))
})

const recoverMissed = Effect.fnUntraced(function* (world: World, model: Model, endpoint: ModelEndpoint) {
  const missed = missedBy(model, endpoint, someTime)
  const count = yield* Effect.result(world.run(recover(world.shop, endpoint.id, { since: format(someTime) })))
  expect(count._tag).toBe(model.paid ? "Success" : "Failure")
  if (count._tag === "Failure") return
  expect(count.success).toBe(missed.length)
  const made = (yield* world.log(endpoint)).filter(({ id }) => !endpoint.deliveries.has(id))
  expect(made.map(({ eventId }) => eventId).toSorted()).toEqual(missed.map(({ id }) => id).toSorted())
  const feedPlace = ({ eventId }: { readonly eventId: string }) => model.feed.get(eventId) ?? 0
  for (const { eventId, id } of made.toSorted((left, right) => feedPlace(left) - feedPlace(right))) {
    const event = model.events.get(eventId)
    if (event !== undefined) endpoint.deliveries.set(id, newDelivery(model, endpoint, event, eventId, id))
  }
})

/** Performs a command that is for an endpoint of the model. */
const performAt = Effect.fnUntraced(function* (
  world: World,
  model: Model,
  endpoint: ModelEndpoint,
  command: Does<"remove" | "reorder" | "mood" | "turnOn" | "redeliver" | "test" | "recover">,
) {
  switch (command.does) {
    case "remove":
      yield* world.run(deleteEndpoint(world.shop, endpoint.id))
      model.endpoints.delete(command.endpoint)
      return
    case "reorder":
      yield* world.run(updateEndpoint(world.shop, endpoint.id, { ordering: command.ordering }))
      return reorder(model, endpoint, command.ordering)
    case "mood":
      endpoint.mood = command.mood
      return
    case "turnOn":
      return yield* turnOn(world, model, endpoint)
    case "redeliver":
      return yield* redeliverTimes(world, model, endpoint, command)
    case "test":
      return yield* sendTest(world, model, endpoint)
    case "recover":
      return yield* recoverMissed(world, model, endpoint)
  }
})

const perform = Effect.fnUntraced(function* (world: World, model: Model, command: Command) {
  switch (command.does) {
    case "add":
      return yield* createEndpoint(world, model, command)
    case "save":
    case "order":
    case "cancel":
      return yield* change(world, model, command)
    case "work":
      return yield* work(world, model)
    case "next":
      return yield* workNext(world, model, command.times)
    case "jump":
      model.now += command.by
      return yield* TestClock.setTime(model.now)
    case "crash":
      return yield* crash(world, model, command.each)
    case "late":
      return yield* late(world, model, command.statusCode)
    case "plan":
      model.paid = command.paid
      return yield* world.plan(command.paid ? "pro" : "free")
    default: {
      const endpoint = model.endpoints.get(command.endpoint)
      if (endpoint !== undefined) yield* performAt(world, model, endpoint, command)
    }
  }
})

/** Whatever the owner can see, and the queue's figures, agree with the model. */
const compare = Effect.fnUntraced(function* (world: World, model: Model) {
  for (const endpoint of model.endpoints.values()) {
    const { consecutiveFailures, status, switchedOffAt } = yield* world.endpointNow(endpoint)
    expect({ consecutiveFailures, status, switchedOffAt }).toEqual({
      consecutiveFailures: endpoint.failures,
      status: endpoint.active ? "active" : "switched_off",
      switchedOffAt: endpoint.switchedOffAt,
    })
    const byId = <A extends { readonly id: string }>(all: Iterable<A>) =>
      [...all].sort((left, right) => (left.id < right.id ? -1 : 1))
    const log = yield* world.log(endpoint)
    expect(log.map(({ createdAt }) => createdAt)).toEqual(
      log.map(({ createdAt }) => createdAt).toSorted((left, right) => right - left),
    )
    expect(
      byId(log).map(({ attempts, endpointId: _, shop: __, ...delivery }) => ({
        ...delivery,
        attempts: attempts.map(({ responseStart: _, ...attempt }) => attempt),
      })),
    ).toEqual(
      byId(endpoint.deliveries.values()).map(
        ({ availableAt: _, line: __, place: ___, token: ____, ...delivery }) => delivery,
      ),
    )
  }
  const all = [...model.endpoints.values()]
  const statistics = yield* Context.get(world.ports, Upkeep).statistics(model.now)
  expect(statistics).toMatchObject({
    pending: all.flatMap(({ deliveries }) => [...deliveries.values()]).filter(({ status }) => status === "pending")
      .length,
    endpoints: all.length,
    endpointsSwitchedOff: all.filter(({ active }) => !active).length,
  })
  const due = all.flatMap((endpoint) => claimable(model, endpoint))
  expect(statistics.pastDue).toBe(due.length)
  const oldestDue =
    due.length === 0 || !model.paid ? null : Math.min(...due.map(({ nextAttemptAt }) => nextAttemptAt ?? 0))
  expect(statistics.oldestDue).toBe(oldestDue)
  const { pastDue, pending } = statistics
  expect(yield* Context.get(world.ports, Upkeep).backlog(world.shop, model.now)).toEqual({
    pastDue,
    pending,
    oldestDue,
  })
})

/** Counts important events: histories in which little happens would prove little. */
const makeSeen = () => ({ attempts: 0, switchedOff: 0, exhausted: 0, leasesRunOut: 0, late: 0, behind: 0 })
type Seen = ReturnType<typeof makeSeen>

/** Returns false if a store does not agree with the model, so that the history is shrunk. */
const agrees = (ports: Context.Context<StoragePorts>, commands: ReadonlyArray<Command>, seen: Seen) =>
  Effect.scoped(
    Effect.gen(function* () {
      const world = yield* makeWorld({ ports, worker: { perEndpoint: 1, lease } })
      const model: Model = {
        ...{
          now: someTime,
          paid: true,
          endpoints: new Map(),
          events: new Map(),
          feed: new Map(),
          places: 0,
          designs: new Map(),
          early: new Map(),
          crashed: [],
        },
      }
      world.outside.lookup = (name) => {
        const mood = [...model.endpoints.values()].find(({ url }) => new URL(url).hostname === name)?.mood
        if (mood === "unknown") return Effect.fail(new LookupFailed({ message: "NXDOMAIN" }))
        return Effect.succeed([mood === "refused" ? "10.0.0.1" : "93.184.216.34"])
      }
      world.outside.respond = ({ request }) => {
        const mood = [...model.endpoints.values()].find(({ url }) => url === request.url)?.mood
        if (mood === "dies") return Effect.die(new Error("A defect of the sender"))
        return Effect.succeed(responseOf(mood === "fails" ? 500 : 200))
      }
      let lastStep = 0
      const step = (command: Command) =>
        Effect.gen(function* () {
          const held = model.crashed.length
          yield* perform(world, model, command)
          const all = [...model.endpoints.values()]
          const deliveries = all.flatMap((endpoint) => [...endpoint.deliveries.values()])
          seen.attempts += deliveries.filter(({ attempts }) => attempts.at(-1)?.at === model.now).length
          seen.switchedOff += all.filter(({ switchedOffAt }) => (switchedOffAt ?? 0) > lastStep).length
          seen.exhausted += deliveries.filter(
            ({ attempts }) => attempts.length === 7 && (attempts.at(-1)?.at ?? 0) > lastStep,
          ).length
          seen.leasesRunOut += deliveries.filter(
            ({ availableAt, token }) => token !== null && availableAt > lastStep && availableAt <= model.now,
          ).length
          seen.behind += all.flatMap((one) => [...one.deliveries.values()].filter((each) => isBehind(one, each))).length
          lastStep = model.now
          if (command.does === "late") seen.late += held
          yield* compare(world, model)
          // So that no two commands happen in the same millisecond.
          model.now += 1
          yield* TestClock.setTime(model.now)
        })
      yield* Effect.forEach([...beginning, ...commands], step, { discard: true }).pipe(
        // Nothing of it is left in the queue for the next.
        Effect.ensuring(
          Effect.suspend(() =>
            Effect.ignore(
              Effect.forEach([...model.endpoints.values()], ({ id }) => world.run(deleteEndpoint(world.shop, id))),
            ),
          ),
        ),
      )
      return true
    }),
  )

// With this seed, six histories see all that may happen.
for (const [kind, runs] of [
  [memory, inject("wholeMatrix") ? 400 : 30],
  [pglite, inject("wholeMatrix") ? 20 : 6],
  [postgres, inject("wholeMatrix") ? 25 : 6],
] as const) {
  testLayer(sharedStore(kind), { excludeTestServices: true })(`Webhooks on ${kind.name}`, (it) => {
    it.effect(
      "MUST agree with the model over random changes, deliveries, crashes and clock jumps (§3, §6, §8, D22, D25, D27–D31)",
      () =>
        Effect.gen(function* () {
          const ports = yield* SharedStore
          const seen = makeSeen()
          const result = yield* Arbitrary.checkEffect(
            history,
            (commands) =>
              agrees(ports, commands, seen).pipe(
                // A defect would end the search for a shorter history.
                Effect.catchCause((cause) => Effect.fail(cause)),
                Effect.provide(TestClock.layer()),
                // Senders that die are logged, each time.
                Effect.provideService(References.MinimumLogLevel, "None"),
              ),
            { runs, seed: 2043, size: 60, maxShrinks: 300 },
          )
          expect(Arbitrary.formatCheckFailure(result)).toBeUndefined()
          for (const [what, times] of Object.entries(seen)) expect([what, times > 0]).toEqual([what, true])
        }),
      120_000,
    )
  })
}
