/** What is asked of every list of the APIs, and what the stores behind them have. */
import { Context, Effect } from "effect"
import { EndpointKind } from "../../../../core/model/events/Event.ts"
import type { Json } from "../../../../core/model/json/Json.ts"
import { AuditStore } from "../../../../core/ports/AuditStore.ts"
import { DeliveryLog } from "../../../../core/ports/DeliveryLog.ts"
import { EventStore } from "../../../../core/ports/EventStore.ts"
import { Inbox } from "../../../../core/ports/Inbox.ts"
import { OrderStore } from "../../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../../core/ports/ShopStore.ts"
import { shop, World } from "./World.ts"

export type Entry = Json

/** A filter: its query, and whether it selects an entry of the whole list. */
export type Filter = readonly [query: Readonly<Record<string, string>>, selects: (entry: Entry) => boolean]

const all: Filter = [{}, () => true]

export const cut = "2026-01-08T00:00:00.000+00:00"

const typeOf = (entry: Entry) => (entry["subject"] as Json)["type"]

/** What to ask each list for, by the operation's id. */
export const lists: Readonly<Record<string, ReadonlyArray<Filter>>> = {
  listOrders: [all, [{ orderedAfter: cut }, ({ orderedAt }) => Date.parse(String(orderedAt)) >= Date.parse(cut)]],
  listEvents: [
    all,
    [{ types: "order.cancelled" }, ({ event }) => event === "order.cancelled"],
    [{ types: "design.ordered,design.created" }, ({ event }) => event !== "order.cancelled"],
  ],
  "audit.listAudit": [
    all,
    [{ subject: "order" }, (entry) => typeOf(entry) === "order"],
    [{ subject: "design:subject-1" }, (entry) => (entry["subject"] as Json)["id"] === "subject-1"],
    [{ subject: "token", from: "2020-01-01" }, (entry) => typeOf(entry) === "token"],
    [{ to: "2020-01-01" }, () => false],
  ],
  "shops.listShops": [all],
  "webhooks.listDeliveries": [all],
  "designs.listDrafts": [
    all,
    [{ status: "draft" }, () => true],
    [{ savedBefore: "2000-01-01" }, () => false],
    [{ customizer: "999999" }, () => false],
  ],
  "inbox.listInbox": [
    all,
    ...["waiting", "applied", "ignored", "failed"].map(
      (state): Filter => [{ state }, (entry) => entry["state"] === state],
    ),
  ],
}

/** How many entries the store behind a list has. */
export const stored = Effect.fnUntraced(function* (id: string) {
  const { endpoints, ports } = yield* World
  const every = { shop, after: null, limit: 100_000 }
  switch (id) {
    case "inbox.listInbox":
      return (yield* Context.get(ports, Inbox).list({ ...every, state: null })).length
    case "designs.listDrafts":
      return (yield* Context.get(ports, OrderStore).drafts({
        ...{ ...every, customizer: null, savedBefore: null, bytes: 2 ** 30 },
      })).length
    case "audit.listAudit":
      return (yield* Context.get(ports, AuditStore).list({ ...every, subject: null, from: null, until: null })).length
    case "shops.listShops":
      return (yield* Context.get(ports, ShopStore).list({ search: null, after: null, limit: 1_000 })).length
    case "webhooks.listDeliveries":
      return (yield* Context.get(ports, DeliveryLog).list(shop, endpoints.quiet, 100_000)).length
    case "listOrders":
      return (yield* Context.get(ports, OrderStore).readOrders({ ...every, bytes: 2 ** 30, orderedAfter: null })).total
    default: {
      const kinds = EndpointKind.literals
      return (yield* Context.get(ports, EventStore).feed({ ...every, bytes: 2 ** 30, kinds })).bodies.length
    }
  }
})
