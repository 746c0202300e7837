/** Storage of events and deliveries, shared by several ports. */
import { DeliveryState, Ordering, Pace } from "designwire"
import type { Claim, DeliveryRecord, DeliveryStatus, EndpointRecord, EventRecord } from "designwire/ports"
import type { Database } from "./Database.ts"

/**
 * An event's body has its own column because it may be replaced. Tests have no kind, because the feed excludes them.
 */
export const addEvent = (database: Database, { body, ...event }: EventRecord): void => {
  const { createdAt, id, shop, test } = event
  const sql = `INSERT INTO feeds (shop, written) VALUES (?, 1)
    ON CONFLICT (shop) DO UPDATE SET written = written + 1 RETURNING written`
  const position = database.first<{ written: number }>(sql, shop)?.written ?? null
  database.run(
    "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
    ...[shop, id, createdAt, JSON.stringify(event), body, position, test ? null : event.event],
  )
}

export const eventOf = ({ body, record }: { readonly body: string; readonly record: string }): EventRecord => ({
  ...JSON.parse(record),
  body,
})

export const addDelivery = (database: Database, delivery: DeliveryRecord): void => {
  const { createdAt, endpointId, eventId, id, nextAttemptAt, shop, status, test } = delivery
  database.run(
    "INSERT INTO deliveries (shop, endpoint, id, event, status, test, created_at, due, record, line, line_place) " +
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, (SELECT written FROM feeds WHERE shop = ?1))",
    ...[shop, endpointId, id, eventId, status, Number(test), createdAt, nextAttemptAt, JSON.stringify(delivery)],
    lineOf(database, delivery),
  )
}

const lineOf = (database: Database, delivery: DeliveryRecord): string | null => {
  const { endpointId, eventId, shop } = delivery
  const endpoint = endpointOf(database, shop, endpointId)
  const event = database.record<EventRecord>("SELECT record FROM events WHERE shop = ? AND id = ?", shop, eventId)
  return endpoint === undefined || event === undefined ? null : Ordering.lineOf(delivery, endpoint, event.subject)
}

/** Puts the pending deliveries of an endpoint whose ordering has changed in lines, in the order of the feed. */
export const reorder = (database: Database, { id, shop }: EndpointRecord): void => {
  const pending = "SELECT record FROM deliveries WHERE shop = ? AND endpoint = ? AND status = 'pending'"
  for (const delivery of database.records<DeliveryRecord>(pending, shop, id)) {
    database.run(
      `UPDATE deliveries SET line = ?1, line_place = (SELECT position FROM events WHERE shop = ?2 AND id = ?3)
       WHERE shop = ?2 AND endpoint = ?4 AND id = ?5`,
      ...[lineOf(database, delivery), shop, delivery.eventId, id, delivery.id],
    )
  }
}

/** Stores the new state of a delivery and ends its claim. */
export const storeDelivery = (database: Database, delivery: DeliveryRecord): void => {
  const { endpointId, id, nextAttemptAt, shop, status } = delivery
  database.run(
    "UPDATE deliveries SET status = ?, due = ?, record = ?, token = NULL, leased_until = -1e15 " +
      "WHERE shop = ? AND endpoint = ? AND id = ?",
    ...[status, nextAttemptAt, JSON.stringify(delivery), shop, endpointId, id],
  )
}

/** Drops the pending deliveries of events that an endpoint no longer wants. Their claims may still be settled. */
export const dropDeselected = (database: Database, endpoint: EndpointRecord): void => {
  const { id, shop } = endpoint
  const sql = `SELECT d.record AS delivery, e.record, e.body FROM deliveries d JOIN events e ON e.shop = d.shop AND e.id = d.event
    WHERE d.shop = ? AND d.endpoint = ? AND d.status = 'pending'`
  for (const row of database.all<{ delivery: string; record: string; body: string }>(sql, shop, id)) {
    const delivery: DeliveryRecord = JSON.parse(row.delivery)
    if (!DeliveryState.isDropped(delivery, eventOf(row), endpoint)) continue
    const record = JSON.stringify({ ...delivery, status: "dropped", nextAttemptAt: null })
    database.run(
      "UPDATE deliveries SET status = 'dropped', due = NULL, record = ? WHERE shop = ? AND endpoint = ? AND id = ?",
      ...[record, shop, id, delivery.id],
    )
  }
}

/** The delivery of a claim, if the claim is current. */
export const held = (database: Database, { deliveryId, endpointId, shop, token }: Claim): DeliveryRecord | undefined =>
  database.record<DeliveryRecord>(
    "SELECT record FROM deliveries WHERE shop = ? AND endpoint = ? AND id = ? AND token = ?",
    ...[shop, endpointId, deliveryId, token],
  )

export const endpointOf = (database: Database, shop: string, id: string): EndpointRecord | undefined =>
  database.record<EndpointRecord>("SELECT record FROM endpoints WHERE shop = ? AND id = ?", shop, id)

export const storeEndpoint = (database: Database, endpoint: EndpointRecord): void => {
  const { createdAt, id, proven, shop, status, troubled } = endpoint
  const standing = proven ? "proven" : troubled ? "troubled" : "newcomer"
  database.run(
    "INSERT OR REPLACE INTO endpoints VALUES (?, ?, ?, ?, ?, ?)",
    ...[shop, id, createdAt, Number(status === "active"), standing, JSON.stringify(endpoint)],
  )
}

/** Stored events since an instant that an endpoint has missed, oldest first. */
export const missedEvents = (
  database: Database,
  endpoint: EndpointRecord,
  since: number,
): ReadonlyArray<EventRecord> => {
  const { id, shop } = endpoint
  const rows = database.all<{ record: string; body: string; statuses: string; received: number }>(
    `SELECT e.record, e.body, EXISTS (SELECT 1 FROM received r WHERE r.shop = e.shop AND r.endpoint = ?1 AND r.event = e.id) AS received,
       (SELECT json_group_array(d.status) FROM deliveries d WHERE d.shop = e.shop AND d.event = e.id AND d.endpoint = ?1) AS statuses
     FROM events e WHERE e.shop = ?2 AND e.created_at >= ?3 ORDER BY e.created_at, e.id`,
    ...[id, shop, since],
  )
  return rows.flatMap((row) => {
    const statuses: ReadonlyArray<DeliveryStatus> = JSON.parse(row.statuses)
    const event = eventOf(row)
    const all = row.received === 1 ? [...statuses, "succeeded" as const] : statuses
    return DeliveryState.hasMissed(event, endpoint, all) ? event : []
  })
}

/** What claims have planned for an endpoint. */
export const plannedOf = (database: Database, shop: string, endpoint: string): Pace.Planned =>
  database.record<Pace.Planned>("SELECT record FROM paces WHERE shop = ? AND endpoint = ?", shop, endpoint) ??
  Pace.unplanned

export const storePlanned = (database: Database, shop: string, endpoint: string, planned: Pace.Planned): void => {
  const sql = "INSERT OR REPLACE INTO paces (shop, endpoint, record) VALUES (?, ?, ?)"
  database.run(sql, shop, endpoint, JSON.stringify(planned))
}

/** A delivery is no longer under way. */
export const leaveUnderWay = (database: Database, { deliveryId, endpointId, shop }: Claim): void => {
  const before = plannedOf(database, shop, endpointId)
  const planned = Pace.left(before, deliveryId)
  if (planned !== before) storePlanned(database, shop, endpointId, planned)
}
