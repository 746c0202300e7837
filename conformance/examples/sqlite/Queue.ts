import { AttemptCounts, DeliveryState, NoticeRules } from "designwire"
import { DeliveryQueue, type Settlement } from "designwire/ports"
import { Effect } from "effect"
import { addEntry } from "./Audit.ts"
import { claim } from "./Claim.ts"
import type { Database } from "./Database.ts"
import {
  addDelivery,
  addEvent,
  endpointOf,
  held,
  leaveUnderWay,
  missedEvents,
  storeDelivery,
  storeEndpoint,
} from "./Deliveries.ts"
import { addNotices } from "./Events.ts"
import type { Host } from "./Host.ts"
import { resend, tryNow } from "./Resend.ts"

type Advance = Parameters<DeliveryQueue["Service"]["settle"]>[1]

/** Adds an attempt to the counts of its hour. */
const countAttempt = (database: Database, { attempt, claim: { endpointId, shop }, status }: Settlement): void => {
  const hour = AttemptCounts.hourOf(attempt.at)
  const where = "shop = ? AND endpoint = ? AND hour = ?"
  const before = database.record<AttemptCounts.AttemptCounts>(
    `SELECT record FROM attempt_counts WHERE ${where}`,
    ...[shop, endpointId, hour],
  )
  const own = AttemptCounts.ofAttempt(attempt.durationMs, status)
  const sum = AttemptCounts.sum([before ?? AttemptCounts.none, own])
  const sql = "INSERT OR REPLACE INTO attempt_counts (shop, endpoint, hour, record) VALUES (?, ?, ?, ?)"
  database.run(sql, shop, endpointId, hour, JSON.stringify(sum))
}

/** The queue of deliveries. Suspended deliveries need no mark: the view `sendable` leaves them out. */
export const makeQueue = (host: Host): DeliveryQueue["Service"] => {
  const { database } = host
  const waking = (shop: string) => (isTold: boolean) => Effect.sync(() => isTold && host.wake([shop]))

  /** Stores an attempt and its consequences; `false` if its claim is outdated. */
  const settle = (settlement: Settlement, advance: Advance): boolean => {
    const { attempt, claim, nextAttemptAt, status } = settlement
    const delivery = held(database, claim)
    const endpoint = endpointOf(database, claim.shop, claim.endpointId)
    if (delivery === undefined || endpoint === undefined) return false
    const change = DeliveryState.settled(delivery.status, { status, nextAttemptAt })
    storeDelivery(database, { ...delivery, ...change, attempts: [...delivery.attempts, attempt] })
    leaveUnderWay(database, claim)
    countAttempt(database, settlement)
    const after = advance(endpoint, settlement)
    storeEndpoint(database, { ...endpoint, ...after })
    const notices = NoticeRules.noticesOf(settlement, endpoint, after)
    for (const entry of NoticeRules.entriesOf(notices)) addEntry(database, entry)
    addNotices(database, notices)
    return true
  }

  return DeliveryQueue.of({
    add: (delivery, event, audit) =>
      database
        .attempt("Adding a delivery", () => {
          const { endpointId, eventId, shop } = delivery
          if (endpointOf(database, shop, endpointId) === undefined) return false
          if (event !== null) addEvent(database, event)
          if (database.first("SELECT 1 FROM events WHERE shop = ? AND id = ?", shop, eventId) === undefined)
            return false
          addDelivery(database, delivery)
          addEntry(database, audit)
          return true
        })
        .pipe(Effect.tap(waking(delivery.shop))),
    recover: ({ audited, endpointId, now, run, shop, since }) =>
      database
        .attempt("Recovering deliveries", () => {
          const endpoint = endpointOf(database, shop, endpointId)
          if (endpoint === undefined) return 0
          const missed = missedEvents(database, endpoint, since)
          for (const event of missed) {
            const id = DeliveryState.recoveredId(run, event.id)
            addDelivery(database, DeliveryState.pendingDelivery(id, event, endpoint, now))
          }
          if (missed.length > 0) addEntry(database, audited?.(missed.length))
          return missed.length
        })
        .pipe(Effect.tap((made) => waking(shop)(made > 0))),
    tryNow: (trial) =>
      database
        .attempt("Trying a delivery", () => tryNow(database, trial))
        .pipe(Effect.tap((outcome) => waking(trial.shop)(outcome === "due"))),
    resend: (step) =>
      database
        .attempt("Sending deliveries again", () => resend(database, step))
        .pipe(Effect.tap(({ added }) => waking(step.shop)(added > 0))),
    claim: (request) => database.attempt("Claiming deliveries", () => claim(database, request)),
    settle: (settlements, advance) =>
      database.attempt("Settling attempts", () => settlements.map((settlement) => settle(settlement, advance))),
    release: (claims) =>
      database.attempt("Releasing claims", () => {
        for (const claim of claims) {
          const delivery = held(database, claim)
          if (delivery === undefined) continue
          storeDelivery(database, delivery)
          leaveUnderWay(database, claim)
        }
      }),
    // All shops in one step: this is an example.
    walk: ({ now }) =>
      database.attempt("Looking for due deliveries", () => {
        const shops = database.all<{ shop: string }>("SELECT DISTINCT shop FROM sendable WHERE open_at <= ?", now)
        const next = database.first<{ at: number | null }>(
          "SELECT min(open_at) AS at FROM sendable WHERE open_at > ?",
          now,
        )
        return { shops: shops.map(({ shop }) => shop), after: null, nextDue: next?.at ?? null }
      }),
  })
}
