import { Clock, Effect } from "effect"
import { auditRetention } from "../../core/model/audit/AuditEntry.ts"
import { compareIds } from "../../core/model/Ids.ts"
import type { Instant } from "../../core/model/Instant.ts"
import type { DeliveryRecord } from "../../core/model/webhooks/Delivery.ts"
import { type Backlog, Upkeep } from "../../core/ports/Upkeep.ts"
import { droppedOf, inboxBefore, isLost } from "../../core/rules/webhooks/NoticeRules.ts"
import * as Pace from "../../core/rules/webhooks/Pace.ts"
import { dropEvents } from "./events/Feed.ts"
import type { EndpointQueue, ShopState, State } from "./State.ts"
import { dropHoldings } from "./shops/Shops.ts"
import {
  claimableParts,
  countClaimable,
  dueAt,
  endpointOf,
  firstOf,
  newestFirst,
  queuesOf,
} from "./webhooks/EndpointQueue.ts"
import { addNotices } from "./webhooks/Notices.ts"

/** Prunes deliveries and events in memory, and counts them. */
export const makeUpkeep = (state: State): Upkeep["Service"] =>
  Upkeep.of({
    time: Clock.currentTimeMillis,
    probe: Effect.void,

    // All in one step: nobody else runs meanwhile.
    prune: ({ eventsBefore, keep, keepSince, now }) =>
      Effect.sync(() => {
        for (const shop of state.removed) dropHoldings(state, shop)
        for (const holdings of state.holdings.values()) {
          pruneShop(holdings, { keep, keepSince: keepSince ?? Number.POSITIVE_INFINITY, eventsBefore, now })
          holdings.audit = holdings.audit.filter(({ at }) => at >= now - auditRetention)
        }
        for (const { answers, marks, unstored } of state.holdings.values()) {
          dropEnded(unstored, now)
          dropEnded(answers, now)
          dropEnded(marks, now)
        }
        return null
      }),

    purgeRemoved: () =>
      Effect.sync(() => {
        for (const shop of state.removed) dropHoldings(state, shop)
        return true
      }),

    statistics: (now) =>
      Effect.sync(() => {
        const endpoints = [...state.holdings.values()].flatMap((holdings) => [...holdings.endpoints.values()])
        return {
          ...backlogOf(state, [...state.pending], now),
          endpoints: endpoints.length,
          endpointsSwitchedOff: endpoints.filter(({ status }) => status === "switched_off").length,
          feedHeldSince: null,
        }
      }),

    backlog: (shop, now) => Effect.sync(() => backlogOf(state, [shop], now)),
  })

/** Deliveries that are past due are counted one by one up to this number. */
const countedAtMost = 1_000

const backlogOf = (state: State, shops: ReadonlyArray<string>, now: Instant): Backlog => {
  const queues = shops.flatMap((shop) => queuesOf(state, shop))
  const open = queues.filter((queue) => !isHeldBack(state, queue, now))
  // The first of each endpoint is its longest waiting.
  const due = open.flatMap((queue) => firstOf(state, queue, now) ?? []).map(dueAt)
  return {
    pending: queues.reduce((sum, { pending, pendingTests }) => sum + pending.length + pendingTests.length, 0),
    pastDue: open
      .flatMap((queue) => claimableParts(state, queue))
      .reduce((sum, part) => sum + countClaimable(part, now, countedAtMost - sum), 0),
    oldestDue: due.length === 0 ? null : due.reduce((oldest, at) => Math.min(oldest, at)),
  }
}

const isHeldBack = (state: State, queue: EndpointQueue, now: Instant): boolean => {
  const endpoint = endpointOf(state, queue)
  return endpoint !== undefined && Pace.isHeldBack(endpoint.options, queue.planned, now)
}

const pruneShop = (
  holdings: ShopState,
  {
    eventsBefore,
    keep,
    keepSince,
    now,
  }: { readonly keep: number; readonly keepSince: Instant; readonly eventsBefore: Instant; readonly now: Instant },
): void => {
  const { events, notices, queues } = holdings
  for (const queue of queues.values()) {
    for (const { record } of newestFirst(queue).slice(keep)) {
      if (record.createdAt < keepSince) drop(queue, record)
    }
  }
  for (const { dueAt, record } of notices.values()) {
    if (dueAt === null && record.createdAt < eventsBefore) notices.delete(record.id)
  }
  dropInbox(holdings, inboxBefore(eventsBefore), now)
  const used = new Set([...queues.values()].flatMap(({ all }) => [...all.values()].map(({ record }) => record.eventId)))
  const old = [...events.values()].filter(({ createdAt, id }) => createdAt < eventsBefore && !used.has(id))
  dropEvents(holdings, new Set(old.map(({ id }) => id)))
  for (const { counts, received } of queues.values()) {
    for (const { id } of old) received.delete(id)
    for (const hour of counts.keys()) if (hour < eventsBefore) counts.delete(hour)
  }
}

/** Drops old events of platforms, with a notice about those that were never applied. */
const dropInbox = (holdings: ShopState, before: Instant, now: Instant): void => {
  const old = [...holdings.inbox.values()].map(({ entry }) => entry).filter(({ receivedAt }) => receivedAt < before)
  for (const { id } of old) holdings.inbox.delete(id)
  const lost = old
    .filter(isLost)
    .toSorted((left, right) => left.receivedAt - right.receivedAt || compareIds(left.id, right.id))
  if (lost[0] !== undefined) addNotices(holdings, [droppedOf(lost.length, lost[0], now)])
}

const dropEnded = (records: Map<string, { readonly until: Instant }>, now: Instant): void => {
  for (const [key, { until }] of records) {
    if (until <= now) records.delete(key)
  }
}

const drop = (queue: EndpointQueue, { eventId, id, status }: DeliveryRecord): void => {
  if (status === "pending") return
  queue.all.delete(id)
  if (status === "succeeded") queue.received.add(eventId)
}
