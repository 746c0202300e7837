/** A shop with a history for the pages of the settings app: orders, tokens, and endpoints in every state. */

import { Context, Effect } from "effect"
import { base62 } from "../../../core/model/Base62.ts"
import { type EventKind, type EventRecord, noSubject } from "../../../core/model/events/Event.ts"
import { type Health, healthy, newHealth } from "../../../core/model/Health.ts"
import type { Shop } from "../../../core/model/shops/Shop.ts"
import type { Attempt, DeliveryStatus } from "../../../core/model/webhooks/Delivery.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EndpointStore } from "../../../core/ports/EndpointStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { SettingsSessions, setUpMark } from "../../../core/ports/SettingsSessions.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { maximumFailures } from "../../../core/rules/webhooks/EndpointState.ts"
import { changing } from "../../../core/rules/webhooks/EndpointUpdates.ts"
import customizers from "../../../hosts/cli/demo/customizers.json" with { type: "json" }
import designs from "../../../hosts/cli/demo/designs.json" with { type: "json" }
import orders from "../../../hosts/cli/demo/orders.json" with { type: "json" }
import { exampleOf } from "../../../hosts/settings/EventCatalogue.ts"
import { shopInput } from "../../suites/service/Samples.ts"
import { unique } from "../../suites/storage/support/Fixtures.ts"
import { inTurn } from "../../suites/storage/support/TurnQueue.ts"
import { bodyOf, manage, type Send } from "../hosts/TestHost.ts"

const minute = 60_000

/** The URLs of the shop's endpoints. */
export interface Urls {
  /** Healthy, with a full log. */
  readonly healthy: string
  /** Fails most of the time. */
  readonly failing: string
  /** Switched off; it has missed events. */
  readonly off: string
  /** Has received nothing. */
  readonly quiet: string
}

/** The result of an attempt. */
export type Outcome = Pick<Attempt, "statusCode" | "responseStart" | "error" | "durationMs">

const ok = (durationMs: number, responseStart = ""): Outcome => ({
  statusCode: 200,
  responseStart,
  error: null,
  durationMs,
})

/** Four hundred characters of an error page of a framework. */
const longError = [
  "<!doctype html><title>500</title><h1>NullPointerException</h1><pre>",
  "at com.example.erp.webhooks.DesignOrderedHandler.handle(DesignOrderedHandler.java:118) ".repeat(4),
]
  .join("")
  .slice(0, 400)

const refused: Outcome = { statusCode: 500, responseStart: longError, error: null, durationMs: 812 }
const failures: ReadonlyArray<Outcome> = [
  refused,
  { statusCode: null, responseStart: null, error: "timeout", durationMs: 5000 },
  { statusCode: 302, responseStart: "", error: "redirect", durationMs: 44 },
  { statusCode: null, responseStart: null, error: "tls", durationMs: 61 },
  { statusCode: 401, responseStart: '{"error":"signature does not match"}', error: null, durationMs: 18 },
  { statusCode: null, responseStart: null, error: "connect", durationMs: 3000 },
]

/** A delivery in the past. Its attempts were one minute apart. */
export interface Past {
  readonly minutesAgo: number
  readonly event?: EventKind
  readonly test?: boolean
  readonly outcomes: ReadonlyArray<Outcome>
  readonly status: DeliveryStatus
}

/** The id of an event in the past. Like every id of an event, it sorts by its time. */
const eventId = (createdAt: number): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  new DataView(bytes.buffer).setUint16(0, Math.floor(createdAt / 2 ** 32))
  new DataView(bytes.buffer).setUint32(2, createdAt % 2 ** 32)
  return `evt_${base62(bytes, 22)}`
}

const event = (shop: Shop, kind: EventKind, createdAt: number, test = false): EventRecord => {
  const id = eventId(createdAt)
  const example = JSON.parse(exampleOf(shop, kind)) as Record<string, unknown>
  const body = JSON.stringify({ ...example, id, createdAt: new Date(createdAt).toISOString(), test })
  const about =
    kind === "ping" ? noSubject : { order: "1001", design: kind === "order.cancelled" ? null : "dsn_example" }
  return { shop: shop.id, id, event: kind, test, createdAt, subject: about, trace: null, body }
}

/**
 * Adds past deliveries to the log of an endpoint. The last attempt gives the endpoint its `health`. No other delivery
 * may be due meanwhile.
 */
export const past = Effect.fnUntraced(function* (
  shop: Shop,
  endpointId: string,
  deliveries: ReadonlyArray<Past>,
  health: Partial<Health> = {},
) {
  const queue = yield* DeliveryQueue
  const now = Date.now()
  const made = new Map<string, Past & { readonly at: number }>()
  for (const delivery of deliveries) {
    const at = now - delivery.minutesAgo * minute
    const happened = event(shop, delivery.event ?? "design.ordered", at, delivery.test)
    const id = `dlv_${unique(22)}`
    const record = { id, shop: shop.id, endpointId, eventId: happened.id, event: happened.event, test: happened.test }
    const pending = { status: "pending", createdAt: at, nextAttemptAt: at, attempts: [] } as const
    yield* queue.add({ ...record, ...pending }, happened)
    made.set(id, { ...delivery, at })
  }
  const rounds = Math.max(...deliveries.map(({ outcomes }) => outcomes.length))
  for (let round = 0; round < rounds; round++) {
    const token = unique()
    const all = { limit: 1_000, troubled: 1_000, perEndpoint: 1_000 }
    const leaseUntil = now + minute
    const { limit, perEndpoint } = all
    const claims = yield* inTurn(queue).claim({
      ...{ now, limit, perEndpoint, perShop: limit, probation: all },
      ...{ busy: [], leaseUntil, token },
    })
    const settlements = claims.flatMap((claim) => {
      const delivery = made.get(claim.deliveryId)
      const outcome = delivery?.outcomes[round]
      if (delivery === undefined || outcome === undefined) return []
      const last = round === delivery.outcomes.length - 1
      const status = last ? delivery.status : "pending"
      const at = delivery.at + round * minute
      // No two are due at the same time: their order must not depend on random ids.
      const next = last ? now + 25 * minute + delivery.minutesAgo * 1000 : at + minute
      const nextAttemptAt = status === "pending" ? next : null
      return [{ claim, attempt: { number: round + 1, at, ...outcome }, status, nextAttemptAt }]
    })
    const settled = new Set(settlements.map(({ claim }) => claim))
    yield* queue.release(claims.filter((claim) => !settled.has(claim)))
    // Health that changes causes notices, so the endpoint first fails 10 times in a row.
    const isLast = round === rounds - 1
    const earlier = isLast ? { consecutiveFailures: Math.min(10, health.consecutiveFailures ?? 0) } : {}
    yield* queue.settle(settlements.slice(0, -1), (before) => ({ ...before, ...healthy, ...earlier }))
    yield* queue.settle(settlements.slice(-1), (before) => ({ ...before, ...healthy, ...(isLast ? health : {}) }))
  }
})

const healthyLog: ReadonlyArray<Past> = Array.from({ length: 60 }, (_, index): Past => {
  const minutesAgo = 3 + index * 19 + ((index * 7) % 13)
  const kind = index % 9 === 4 ? "design.created" : "design.ordered"
  const answer = ok(38 + ((index * 37) % 90), index % 3 === 0 ? '{"received":true}' : "")
  if (index === 2) return { minutesAgo, test: true, outcomes: [answer], status: "succeeded" }
  return index % 17 === 5
    ? { minutesAgo, event: kind, outcomes: [refused, answer], status: "succeeded" }
    : { minutesAgo, event: kind, outcomes: [answer], status: "succeeded" }
})

const failingLog: ReadonlyArray<Past> = [
  ...failures.map(
    (failure, index): Past => ({
      minutesAgo: 4 + index * 11,
      outcomes: [...failures.slice(0, index % 3), failure],
      status: "pending",
    }),
  ),
  { minutesAgo: 90, outcomes: [...failures, refused], status: "failed" },
  ...[140, 260, 400].map((minutesAgo): Past => ({ minutesAgo, outcomes: [ok(96)], status: "succeeded" })),
]

const offLog: ReadonlyArray<Past> = [
  ...Array.from({ length: 4 }, (_, index): Past => {
    const outcomes = failures.slice(index % 3, (index % 3) + 3)
    return { minutesAgo: 200 + index * 6, event: "order.cancelled", outcomes, status: "pending" }
  }),
  { minutesAgo: 500, event: "order.cancelled", outcomes: [ok(77)], status: "succeeded" },
]

/** How many events the switched-off endpoint misses. */
export const missedEvents = 12

/** The ids of a busy shop and its endpoints. */
export interface BusyShop {
  readonly id: string
  readonly endpoints: { readonly [Name in keyof Urls]: string }
}

/** The options of a busy shop. */
export interface Filling {
  /** The id of the shop, which must not exist yet. */
  readonly id: string
  /** The URLs that the endpoints are added with. The management API must accept them. */
  readonly urls: Urls
  /** The URLs that the endpoints have in the end. Default: `urls`. */
  readonly shown?: Urls
  readonly imageBase?: string
}

/** Makes a busy shop. No worker may be running. */
export const busyShop = Effect.fnUntraced(function* (
  send: Send,
  ports: Context.Context<StoragePorts>,
  { id, imageBase = shopInput.imageBase, shown, urls }: Filling,
) {
  const call = Effect.fnUntraced(function* (status: number, method: string, path: string, body: unknown) {
    return yield* bodyOf(status, yield* manage(send, method, `/shops/${id}${path}`, body))
  })
  const details = { ...shopInput, domain: "acme-prints.example.com", plan: "plus", imageBase } as const
  yield* call(200, "PUT", "", details)
  for (const { definition, id: customizer, ...description } of customizers) {
    yield* call(200, "PUT", `/customizers/${customizer}`, description)
    yield* call(200, "POST", `/customizers/${customizer}/publish`, { definition })
  }
  for (const { id: design, ...input } of designs) yield* call(201, "PUT", `/designs/${design}`, input)
  for (const [index, { cancelled, id: order, ...input }] of orders.entries()) {
    const orderedAt = new Date(Date.now() - (orders.length - index) * 97 * minute).toISOString()
    yield* call(200, "PUT", `/orders/${order}`, { ...input, orderedAt })
    if (cancelled) yield* call(200, "POST", `/orders/${order}/cancel`, undefined)
  }
  for (const name of ["ERP of the workshop", "Monthly report", "Laser cutter"])
    yield* call(201, "POST", "/tokens", { name })

  const create = Effect.fnUntraced(function* (url: string, description: string, events: ReadonlyArray<string>) {
    return String((yield* call(201, "POST", "/webhooks", { url, description, events }))["id"])
  })
  const endpoints = {
    healthy: yield* create(urls.healthy, "ERP of the workshop", ["design.ordered", "design.created"]),
    failing: yield* create(urls.failing, "Production planning, Berlin", ["design.ordered"]),
    off: yield* create(urls.off, "Analytics", ["order.cancelled"]),
    quiet: yield* create(urls.quiet, "", ["design.created"]),
  }
  for (const name of shown === undefined ? [] : (["healthy", "failing", "off", "quiet"] as const)) {
    yield* Context.get(ports, EndpointStore).update(id, endpoints[name], changing({ url: shown?.[name] ?? urls[name] }))
  }
  const shop: Shop = { id, ...details }
  const log = (endpoint: string, deliveries: ReadonlyArray<Past>, health?: Partial<Health>) =>
    Effect.provideContext(past(shop, endpoint, deliveries, health), ports)
  yield* log(endpoints.healthy, healthyLog)
  yield* log(endpoints.failing, failingLog, { consecutiveFailures: 7, proven: false, troubled: true })
  const switchedOffAt = Date.now() - 183 * minute
  const off = { ...newHealth, status: "switched_off", switchedOffAt, consecutiveFailures: maximumFailures } as const
  yield* log(endpoints.off, offLog, off)
  // The orders that were cancelled above have already caused some events.
  const more = missedEvents - orders.filter(({ cancelled }) => cancelled).length
  const events = Array.from({ length: more }, (_, index) =>
    event(shop, "order.cancelled", Date.now() - (160 - index * 10) * minute),
  )
  yield* Context.get(ports, OrderStore).commit({ shop: id, designs: [], order: null, events })
  yield* Context.get(ports, SettingsSessions).spend({
    shop: id,
    id: setUpMark,
    until: Date.now() + 400 * 24 * 60 * minute,
  })
  const made: BusyShop = { id, endpoints }
  return made
})
