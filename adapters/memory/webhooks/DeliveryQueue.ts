import { Effect } from "effect"
import type { Instant } from "../../../core/model/Instant.ts"
import * as AttemptCounts from "../../../core/model/webhooks/AttemptCounts.ts"
import { type Claim, DeliveryQueue, type Settlement, type Walked } from "../../../core/ports/DeliveryQueue.ts"
import { pendingDelivery, recoveredId, settled } from "../../../core/rules/webhooks/DeliveryState.ts"
import { entriesOf, noticesOf } from "../../../core/rules/webhooks/NoticeRules.ts"
import { addEntry } from "../audit/Audit.ts"
import { keepEvent } from "../events/Feed.ts"
import type { State } from "../State.ts"
import { claimDue } from "./Claims.ts"
import {
  addDelivery,
  claimableParts,
  firstClaimableAt,
  queueOfEndpoint,
  queuesOf,
  settleDelivery,
} from "./EndpointQueue.ts"
import { missedEvents } from "./Missed.ts"
import { addNotices } from "./Notices.ts"
import { resend, tryNow } from "./Resend.ts"
import { wakeWorkers } from "./Signals.ts"

/** The queue of deliveries in memory. */
export const makeDeliveryQueue = (state: State): DeliveryQueue["Service"] =>
  DeliveryQueue.of({
    add: (delivery, event, audit) =>
      Effect.sync(() => {
        const queue = queueOfEndpoint(state, delivery.shop, delivery.endpointId)
        const holdings = state.holdings.get(delivery.shop)
        if (queue === undefined || holdings === undefined) return false
        if (event !== null) keepEvent(holdings, event)
        if (!holdings.events.has(delivery.eventId)) return false
        addEntry(state, audit)
        addDelivery(state, queue, delivery)
        wakeWorkers(state, [delivery.shop])
        return true
      }),

    recover: ({ audited, shop, endpointId, since, now, run }) =>
      Effect.sync(() => {
        const holdings = state.holdings.get(shop)
        const endpoint = holdings?.endpoints.get(endpointId)
        const queue = holdings?.queues.get(endpointId)
        if (endpoint === undefined || queue === undefined) return 0
        const missed = missedEvents(state, shop, endpointId, since)
        for (const event of missed)
          addDelivery(state, queue, pendingDelivery(recoveredId(run, event.id), event, endpoint, now))
        if (missed.length > 0) addEntry(state, audited?.(missed.length))
        if (missed.length > 0) wakeWorkers(state, [shop])
        return missed.length
      }),

    tryNow: (trial) => Effect.sync(() => tryNow(state, trial)),

    resend: (step) => Effect.sync(() => resend(state, step)),

    claim: (request) => Effect.sync(() => claimDue(state, request)),

    settle: (settlements, advance) =>
      Effect.sync(() =>
        settlements.map((settlement) => {
          if (!settleOne(state, settlement)) return false
          const { endpointId, shop } = settlement.claim
          // A line may have gone on.
          if (settlement.claim.options.ordering !== "none") wakeWorkers(state, [shop])
          const holdings = state.holdings.get(shop)
          const endpoint = holdings?.endpoints.get(endpointId)
          if (holdings === undefined || endpoint === undefined) return true
          const after = advance(endpoint, settlement)
          holdings.endpoints.set(endpointId, { ...endpoint, ...after })
          const notices = noticesOf(settlement, endpoint, after)
          addNotices(holdings, notices)
          for (const entry of entriesOf(notices)) addEntry(state, entry)
          return true
        }),
      ),

    release: (claims) =>
      Effect.sync(() => {
        for (const claim of claims) {
          const current = claimed(state, claim)
          if (current === undefined) continue
          settleDelivery(state, current.queue, current.delivery, current.delivery.record)
        }
      }),

    walk: ({ now }) => Effect.sync(() => walk(state, now)),
  })

/** All shops in one step: none of them has to be looked for. */
const walk = (state: State, now: Instant): Walked => {
  const firstAt = (shop: string) =>
    Math.min(...queuesOf(state, shop).flatMap((queue) => claimableParts(state, queue).map(firstClaimableAt)))
  const found = Array.from(state.pending, (shop) => ({ shop, at: firstAt(shop) }))
  const next = Math.min(...found.map(({ at }) => at).filter((at) => at > now))
  return {
    shops: found.filter(({ at }) => at <= now).map(({ shop }) => shop),
    after: null,
    nextDue: next === Number.POSITIVE_INFINITY ? null : next,
  }
}

/** The delivery of a claim, if the claim is current. */
const claimed = (state: State, { deliveryId, endpointId, shop, token }: Claim) => {
  const queue = queueOfEndpoint(state, shop, endpointId)
  const delivery = queue?.all.get(deliveryId)
  return queue !== undefined && delivery !== undefined && delivery.token === token ? { queue, delivery } : undefined
}

/** Stores the outcome of an attempt. Returns false if its claim is outdated. */
const settleOne = (state: State, { attempt, claim, nextAttemptAt, status }: Settlement): boolean => {
  const current = claimed(state, claim)
  if (current === undefined) return false
  const { delivery, queue } = current
  const attempts = [...delivery.record.attempts, attempt]
  const { record } = delivery
  settleDelivery(state, queue, delivery, { ...record, ...settled(record.status, { status, nextAttemptAt }), attempts })
  if (record.test) return true
  const hour = AttemptCounts.hourOf(attempt.at)
  const before = queue.counts.get(hour) ?? AttemptCounts.none
  queue.counts.set(hour, AttemptCounts.sum([before, AttemptCounts.ofAttempt(attempt.durationMs, status)]))
  return true
}
