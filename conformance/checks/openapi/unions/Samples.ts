/**
 * A sample of every member of every union that programs of others and people see. Members come from the schemas, or
 * from types that a table must have in full, so that a new one without a sample fails.
 */

import { ActorType } from "../../../../core/model/audit/Actor.ts"
import { AuditAction, type AuditEntry, SubjectType } from "../../../../core/model/audit/AuditEntry.ts"
import { designData, EventKind, orderData, pingData } from "../../../../core/model/events/Event.ts"
import { EndpointStatus } from "../../../../core/model/Health.ts"
import type { InboxEntry } from "../../../../core/model/ingest/InboxItem.ts"
import { InboxStates } from "../../../../core/model/ingest/InboxView.ts"
import type { Notice, NoticeKind } from "../../../../core/model/Resources.ts"
import { type Attempt, AttemptError, DeliveryStatus } from "../../../../core/model/webhooks/Delivery.ts"
import type { EndpointRecord } from "../../../../core/model/webhooks/Endpoint.ts"
import type { LoggedDelivery } from "../../../../core/model/webhooks/LoggedDelivery.ts"

export const now = Date.UTC(2026, 9, 5, 14, 48)

const createdAt = "2026-10-05T14:48:00.000+00:00"

/** What every notice has, and what those about endpoints have. */
const told = { createdAt, shop: "sample" }
const ofEndpoint = {
  endpoint: { id: "whe_0", url: "https://erp.example.com/hooks", consecutiveFailures: 20 },
  delivery: { id: "dlv_0", event: "design.ordered", attempts: 8, statusCode: null, error: "connect" },
} as const
const dropped = { source: "shopify", topic: "orders/create", orderId: "1001", state: "waiting", reason: null } as const

export const notices: { readonly [Kind in NoticeKind]: Notice } = {
  "endpoint.failing": { id: "ntc_1", notice: "endpoint.failing", ...told, ...ofEndpoint },
  "endpoint.switched_off": { id: "ntc_2", notice: "endpoint.switched_off", ...told, ...ofEndpoint },
  "delivery.given_up": { id: "ntc_3", notice: "delivery.given_up", ...told, ...ofEndpoint },
  "token.ending": {
    ...{ id: "ntc_4", notice: "token.ending", ...told },
    token: { id: "tok_1", name: "ERP", hint: "abcd", expiresAt: createdAt },
  },
  "inbox.dropped": {
    ...{ id: "ntc_5", notice: "inbox.dropped", ...told },
    inbox: { events: 3, oldest: { id: "inb_1", ...dropped, receivedAt: createdAt } },
  },
  "inbox.failed": {
    ...{ id: "ntc_6", notice: "inbox.failed", ...told },
    inbox: { id: "inb_1", ...dropped, state: "failed", receivedAt: createdAt, events: 1, orders: ["1001"] },
  },
  "inbox.waiting": {
    ...{ id: "ntc_7", notice: "inbox.waiting", ...told },
    inbox: { id: "inb_1", ...dropped, state: "unpaid", receivedAt: createdAt, events: 12, orders: ["1001", "1002"] },
  },
  "platform.disconnected": {
    ...{ id: "ntc_8", notice: "platform.disconnected", ...told },
    platform: { name: "shopify", domain: "acme.myshopify.com" },
  },
}

/** The data of an event of each kind, from the wire forms of a design and of an order. */
export const eventData: { readonly [Kind in EventKind]: (design: string, order: string) => string } = {
  "design.ordered": (design) => designData(design),
  "design.created": (design) => designData(design),
  "design.cancelled": (design) => designData(design),
  "order.cancelled": (_design, order) => orderData(order),
  ping: () => pingData("A test"),
}

const attempt = (error: AttemptError | null, number = 1): Attempt => ({
  ...{ number, at: now, durationMs: 12, error },
  // A redirect is an answer too, and so is one that was cut off.
  statusCode: error === null ? 500 : error === "redirect" ? 301 : null,
  responseStart: error === null ? "no" : null,
})

const combinations = DeliveryStatus.literals.flatMap((status) =>
  EventKind.literals.flatMap((event) => [null, ...AttemptError.literals].map((error) => ({ status, event, error }))),
)

/** Deliveries of every state, about every kind of event, that ended in every way. */
export const deliveries: ReadonlyArray<LoggedDelivery> = combinations.map(({ error, event, status }, index) => ({
  ...{ shop: "sample", id: `dlv_${index}`, endpointId: "whe_0", eventId: `evt_${index}`, event, status },
  ...{ test: event === "ping", createdAt: now - index, nextAttemptAt: status === "pending" ? now + 1 : null },
  ...{ subject: { order: "1001", design: "d1" }, attempts: 1, lastAttempt: attempt(error), claimedUntil: null },
  isBehind: false,
}))

/** An entry of the audit for each action. */
export const audit: ReadonlyArray<AuditEntry> = AuditAction.literals.flatMap((action, index) => {
  const type = SubjectType.literals.find((one) => action.startsWith(`${one}.`))
  if (type === undefined) throw new Error(`Actions are named by what they change: ${action} is by nothing that exists`)
  const actor = { type: ActorType.literals[index % ActorType.literals.length] ?? "person", name: "Ada" }
  const subject = { type, id: type === "shop" ? "sample" : "1001" }
  const values = { before: { status: "active" }, after: { status: "paused" } }
  return { shop: "sample", id: `aud_${String(index).padStart(3, "0")}`, at: now, actor, action, subject, ...values }
})

export const inbox: ReadonlyArray<InboxEntry> = InboxStates.literals.flatMap((state) =>
  (["shopify", "woocommerce"] satisfies ReadonlyArray<InboxEntry["source"]>).map((source) => ({
    ...{ shop: "sample", id: `inb_${state}_${source}`, source, topic: "orders/create", eventId: null, orderId: "1001" },
    ...{
      change: "place" as const,
      modifiedAt: null,
      triggeredAt: null,
      content: null,
      property: "_design",
      state,
      receivedAt: now,
    },
    ...{ reason: state === "applied" ? null : `It is ${state}`, designId: null },
  })),
)

/** An endpoint in each status, from one that is stored. */
export const endpoints = (stored: EndpointRecord): ReadonlyArray<EndpointRecord> =>
  EndpointStatus.literals.map((status, index) => ({
    ...{ ...stored, id: `whe_${index}`, status, consecutiveFailures: status === "switched_off" ? 20 : 0 },
    switchedOffAt: status === "active" ? null : now,
  }))
