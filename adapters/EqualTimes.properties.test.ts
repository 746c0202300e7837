/**
 * Everything that stores compare times for, with times that are equal or a millisecond apart: a store answers as the
 * one in memory does. The shared cases hold what that one answers.
 */
import { it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { inject } from "vitest"
import { makeEntry, queryOf } from "../conformance/suites/storage/audit/Entries.ts"
import {
  everyOrder,
  makeInboxItem,
  makeOrder,
  makeOrdered,
  makeShop,
  makeToken,
} from "../conformance/suites/storage/support/Fixtures.ts"
import { makeEndpoint, makeEvent } from "../conformance/suites/storage/support/Webhooks.ts"
import { agreesWithMemory } from "../conformance/testkit/databases/AgreesWithMemory.ts"
import { pglite, postgres } from "../conformance/testkit/hosts/TestHost.ts"
import { auditRetention } from "../core/model/audit/AuditEntry.ts"
import type { Shop } from "../core/model/shops/Shop.ts"
import { AuditStore } from "../core/ports/AuditStore.ts"
import { DeliveryLog } from "../core/ports/DeliveryLog.ts"
import { EndpointStore } from "../core/ports/EndpointStore.ts"
import { Inbox } from "../core/ports/Inbox.ts"
import { KeptAnswers } from "../core/ports/KeptAnswers.ts"
import { NoticeStore } from "../core/ports/NoticeStore.ts"
import { OrderStore } from "../core/ports/OrderStore.ts"
import { RateLimits } from "../core/ports/RateLimits.ts"
import { SettingsSessions } from "../core/ports/SettingsSessions.ts"
import { ShopStore } from "../core/ports/ShopStore.ts"
import { TokenStore } from "../core/ports/TokenStore.ts"
import { Upkeep } from "../core/ports/Upkeep.ts"

/** The beginning of a day, and so of an hour, later than any clock. */
const t = Date.UTC(2096, 9, 5)

/** The same instant more often than its neighbours. */
const Time = Schema.Literals([t, t, t + 1, t - 1])
const Which = Schema.Literals([0, 1])

const Command = Schema.Union([
  Schema.Struct({
    does: Schema.Literals(["answer", "unstored"]),
    at: Time,
    for: Schema.Literals([1, 2]),
    which: Which,
  }),
  Schema.Struct({ does: Schema.Literals(["spend", "end"]), at: Time, which: Which }),
  Schema.Struct({
    does: Schema.Literals(["take", "touch", "event", "order", "audit", "inbox"]),
    at: Time,
    which: Which,
  }),
  Schema.Struct({ does: Schema.Literal("prune"), at: Time, before: Time }),
])
type Command = typeof Command.Type

/** A command's number makes the ids of its records, which are the same in both stores. */
const carryOut = Effect.fnUntraced(function* (shop: Shop, command: Command, number: number) {
  const { id } = shop
  const name = `${id}-${String(number).padStart(3, "0")}`
  switch (command.does) {
    case "answer": {
      const { at: now, for: until, which } = command
      const request = { shop: id, key: `key ${which}`, request: "a digest", now, until: now + until, hasTexts: false }
      return yield* (yield* KeptAnswers).once(request, Effect.succeed(name))
    }
    case "unstored": {
      const report = {
        shop: id,
        id: `u${command.which}`,
        isCancelled: command.which === 0,
        isEmpty: command.which === 1,
      }
      return yield* (yield* OrderStore).keepUnstored({ ...report, until: command.at + command.for }, command.at)
    }
    case "spend":
      return yield* (yield* SettingsSessions).spend({ shop: id, id: `s${command.which}`, until: command.at })
    case "end":
      return yield* (yield* SettingsSessions).endAll({ shop: id, owner: "o", now: command.at, until: command.at + 1 })
    case "take": {
      const rate = { limit: 2, window: 1 }
      const asked = { shop: id, tokenId: "tok", now: command.at, rate }
      const limits = yield* RateLimits
      return command.which === 0 ? yield* limits.take(asked) : yield* limits.peek(asked)
    }
    case "touch":
      return yield* (yield* TokenStore).touch(id, `tok-${id}`, command.at)
    case "event":
      return yield* (yield* OrderStore).commit({
        ...{ shop: id, designs: [], order: null },
        events: [makeEvent(id, { id: `evt_${name}`, createdAt: command.at })],
      })
    case "order": {
      const order = makeOrder(id, name, { orderedAt: command.at, etag: name })
      return yield* (yield* OrderStore).commit({
        shop: id,
        designs: [makeOrdered(order, `dsn_${name}`, 0)],
        order,
        events: [],
      })
    }
    case "audit": {
      const at = command.which === 0 ? command.at : command.at - auditRetention
      return yield* (yield* AuditStore).add(makeEntry(id, { id: `aud_${name}`, at }))
    }
    case "inbox": {
      const item = { id: `inb_${name}`, receivedAt: command.at, eventId: name, content: name }
      return yield* (yield* Inbox).put(makeInboxItem(id, { ...item, body: "{}", orderId: "1", modifiedAt: command.at }))
    }
    case "prune": {
      const upkeep = yield* Upkeep
      const step = { keep: 1, keepSince: command.at, eventsBefore: command.before, now: command.at, limit: 100 }
      for (let after: string | null = null; ; ) {
        after = yield* upkeep.prune({ ...step, after })
        if (after === null) return null
      }
    }
  }
})

const times = [t - 1, t, t + 1]

/** Everything that a shop's stores answer by time, at each of the times. */
const seen = Effect.fnUntraced(function* ({ id }: Shop, endpointId: string) {
  const [audit, log] = [yield* AuditStore, yield* DeliveryLog]
  const [inbox, notices, orders] = [yield* Inbox, yield* NoticeStore, yield* OrderStore]
  const at = Effect.fnUntraced(function* (from: number, until: number) {
    const filter = { since: from, until }
    return {
      entries: (yield* audit.list(queryOf(id, { from, until }))).map((entry) => entry.id),
      orders: (yield* orders.search({ ...everyOrder, shop: id, from, until })).orders.map(({ order }) => order.id),
      deliveries: (yield* log.page({ shop: id, filter, after: null, limit: 100 })).deliveries.length,
      missed: yield* log.missed(id, endpointId, from),
      notices: (yield* notices.list(id, 100, from)).length,
    }
  })
  const spans = yield* Effect.forEach(
    times.flatMap((from) => times.map((until) => [from, until] as const)),
    ([from, until]) => at(from, until),
  )
  return {
    spans,
    old: (yield* audit.list(queryOf(id, { until: t - auditRetention + 2 }))).map((entry) => entry.id),
    inbox: (yield* inbox.list({ shop: id, state: null, after: null, limit: 100 })).map((entry) => entry.id),
    unstored: yield* Effect.forEach(["u0", "u1"], (order) =>
      Effect.map(orders.unstoredOrder(id, order), Option.getOrNull),
    ),
    tokens: (yield* (yield* TokenStore).list(id)).map(({ lastUsedAt }) => lastUsedAt),
    session: yield* (yield* SettingsSessions).standing({ shop: id, owner: "o", session: "s0" }),
  }
})

let shops = 0

/** A store's answer to each command, and its contents afterwards. */
const answers = Effect.fnUntraced(function* (shop: Shop, endpointId: string, commands: ReadonlyArray<Command>) {
  yield* (yield* ShopStore).put(shop)
  yield* (yield* TokenStore).add(makeToken(shop.id, { id: `tok-${shop.id}`, createdAt: t }), 5)
  yield* (yield* EndpointStore).add(makeEndpoint(shop.id, { id: endpointId, kinds: [], createdAt: t }), 5)
  return yield* Effect.forEach(commands, (command, number) =>
    Effect.all([carryOut(shop, command, number), seen(shop, endpointId)]),
  )
})

for (const [kind, runs] of [
  [pglite, inject("wholeMatrix") ? 40 : 3],
  [postgres, inject("wholeMatrix") ? 40 : 4],
] as const) {
  it.live(
    `MUST answer as memory does if times are equal, or a millisecond before or after, on ${kind.name}`,
    () =>
      agreesWithMemory(kind, Command, runs, (commands) => {
        const shop = makeShop({ id: `equal-${++shops}` })
        return answers(shop, `whe_${shop.id}`, commands)
      }),
    120_000,
  )
}
