import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AuditEntry } from "../../../core/model/audit/AuditEntry.ts"
import type { EventRecord } from "../../../core/model/events/Event.ts"
import { format } from "../../../core/model/Instant.ts"
import type { DeliveryRecord } from "../../../core/model/webhooks/Delivery.ts"
import { type Claim, DeliveryQueue, type Recovery } from "../../../core/ports/DeliveryQueue.ts"
import { insertEntry } from "../audit/Audit.ts"
import { insertEvents } from "../events/Events.ts"
import { mapped } from "../statements/Errors.ts"
import { type Fixed, fixed } from "../statements/Fixed.ts"
import { rows } from "../statements/Rows.ts"
import { rowsOf } from "../statements/Table.ts"
import { inLane, inTransaction } from "../statements/Transaction.ts"
import { claim } from "./Claim.ts"
import { deliveryFields, hasMissed, insertDeliveries, objectOf, recoveredId } from "./DeliveryRules.ts"
import { lineUpAdded } from "./Lines.ts"
import { makeOldestDue } from "./OldestDue.ts"
import { leftUnderWay, someAreBounded } from "./Paces.ts"
import { resendStep } from "./Resend.ts"
import { settle } from "./Settle.ts"
import { Signals } from "./Signals.ts"
import { tryNow } from "./TryNow.ts"
import { makeWalk } from "./Walk.ts"

const [endpoints, events] = [fixed("designwire.endpoints"), fixed("designwire.events")]

/**
 * `DeliveryQueue` over SQL.
 *
 * Every pending delivery is in one queue (DeliveryRules.ts), finished ones in none. `leased_until` is the end of its
 * lease.
 */
export const layerDeliveryQueue: Layer.Layer<DeliveryQueue, never, SqlClient.SqlClient | Signals> = Layer.effect(
  DeliveryQueue,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const signals = yield* Signals
    const oldestDue = yield* makeOldestDue(sql)
    const walk = makeWalk(sql, oldestDue)
    const dispatching = inLane(sql, "dispatch")

    /** Whether a row exists; keeps it until the transaction ends. */
    const keep = (table: Fixed, shop: string, id: string) =>
      Effect.map(
        sql`SELECT 1 AS found FROM ${table} WHERE shop = ${shop} AND id = ${id} FOR KEY SHARE`,
        (found) => found.length > 0,
      )

    const add = Effect.fnUntraced(function* (
      delivery: DeliveryRecord,
      event: EventRecord | null,
      audit: AuditEntry | undefined,
    ) {
      if (!(yield* keep(endpoints, delivery.shop, delivery.endpointId))) return false
      if (event !== null) yield* insertEvents(sql, delivery.shop, [event])
      else if (!(yield* keep(events, delivery.shop, delivery.eventId))) return false
      const made = sql`SELECT r.*, ${objectOf} AS object, NULL::bigint AS place
  FROM ${rowsOf("r", deliveryFields, [delivery])} JOIN designwire.events ev ON ev.shop = ${delivery.shop} AND ev.id = ${delivery.eventId}`
      yield* insertDeliveries(sql, delivery.shop, made)
      yield* lineUpAdded(sql, signals, delivery.shop)
      yield* insertEntry(sql, audit)
      yield* signals.committed(sql, delivery.shop)
      return true
    })

    const recover = ({ audited, endpointId, now, run, shop, since }: Recovery) =>
      sql<{ added: number }>`WITH added AS (
  ${insertDeliveries(
    sql,
    shop,
    sql`SELECT ev.shop, ${recoveredId(sql, run)} AS id, e.id AS endpoint_id, ev.id AS event_id, ev.event, ev.test, 'pending' AS status,
    ${format(now)}::timestamptz AS created_at, ${format(now)}::timestamptz AS next_attempt_at,
    ${objectOf} AS object, NULL::bigint AS place
  FROM designwire.endpoints e JOIN designwire.events ev ON ev.shop = e.shop AND ev.created_at >= ${format(since)}::timestamptz
  WHERE e.shop = ${shop} AND e.id = ${endpointId} AND ${hasMissed} FOR KEY SHARE OF ev`,
  )}
  RETURNING 1
)
SELECT count(*)::int4 AS added FROM added`.pipe(
        Effect.map((rows) => rows[0]?.added ?? 0),
        Effect.tap((added) => (added > 0 ? insertEntry(sql, audited?.(added)) : Effect.void)),
        Effect.tap((added) => (added > 0 ? signals.committed(sql, shop) : Effect.void)),
        Effect.tap((added) => (added > 0 ? lineUpAdded(sql, signals, shop) : Effect.void)),
      )

    return {
      add: (delivery, event, audit) =>
        sql.withTransaction(add(delivery, event, audit)).pipe(mapped("Adding a delivery")),
      recover: (recovery) => sql.withTransaction(recover(recovery)).pipe(mapped("Recovering deliveries")),
      tryNow: (trial) =>
        sql
          .withTransaction(
            Effect.tap(tryNow(sql, trial), (outcome) =>
              outcome === "due"
                ? Effect.andThen(insertEntry(sql, trial.audit), signals.committed(sql, trial.shop))
                : Effect.void,
            ),
          )
          .pipe(
            Effect.tap((outcome) => Effect.sync(() => outcome === "due" && oldestDue.add(trial.now))),
            mapped("Trying a delivery"),
          ),
      resend: (step) =>
        sql
          .withTransaction(
            Effect.tap(resendStep(sql, step), ({ added }) =>
              added > 0
                ? Effect.all([
                    insertEntry(sql, step.audited?.(added)),
                    signals.committed(sql, step.shop),
                    lineUpAdded(sql, signals, step.shop),
                  ])
                : Effect.void,
            ),
          )
          .pipe(mapped("Sending deliveries again")),
      claim: (request) =>
        Effect.all({ joined: inTransaction(sql), scanFrom: oldestDue.scanFrom }).pipe(
          Effect.flatMap((how) => dispatching(claim(sql, request, how))),
          Effect.tap((claims) => Effect.sync(() => claims.length > 0 && oldestDue.note())),
          mapped("Claiming deliveries"),
        ),
      settle: (settlements, advance) =>
        settlements.length === 0
          ? Effect.succeed([])
          : dispatching(settle(sql, signals, settlements, advance)).pipe(mapped("Settling deliveries")),
      release: (claims) =>
        claims.length === 0 ? Effect.void : dispatching(release(sql, claims)).pipe(mapped("Releasing deliveries")),
      walk: (step) => walk(step).pipe(mapped("Looking for due deliveries")),
    }
  }),
)

/** Ends claims without attempts. */
const release = (sql: SqlClient.SqlClient, claims: ReadonlyArray<Claim>) => {
  const released = sql`UPDATE designwire.deliveries d SET claim_token = NULL, leased_until = NULL
FROM ${claimRows(claims)} WHERE d.shop = r.shop AND d.id = r.id AND d.claim_token = r.token
RETURNING d.shop, d.endpoint_id, d.id`
  const bounded = sql`WITH ended AS (${released}), ${leftUnderWay} SELECT count(*) AS released FROM ended`
  return Effect.asVoid(someAreBounded(claims) ? bounded : released)
}

const claimRows = (claims: ReadonlyArray<Claim>) =>
  rows(
    "r",
    { shop: "text", id: "text", token: "text" },
    claims.map(({ deliveryId, shop, token }) => ({ shop, id: deliveryId, token })),
  )
