import { DeliveryState } from "designwire"
import type { DeliveryRecord, ResendFilter, ResendStep, ResendStepDone, Trial, TrialOutcome } from "designwire/ports"
import { addEntry } from "./Audit.ts"
import type { Database } from "./Database.ts"
import { addDelivery, endpointOf, storeDelivery } from "./Deliveries.ts"

/** The deliveries that a run would send again, oldest first. Reads all of an endpoint's: this is an example. */
export const resendable = (
  database: Database,
  {
    endpointId,
    filter,
    run,
    shop,
  }: Pick<ResendStep, "shop" | "endpointId"> & {
    readonly filter: ResendFilter
    readonly run: string | null
  },
): ReadonlyArray<DeliveryRecord> => {
  const sql = "SELECT record FROM deliveries WHERE shop = ? AND endpoint = ?"
  const ofEvents = Map.groupBy(database.records<DeliveryRecord>(sql, shop, endpointId), ({ eventId }) => eventId)
  return [...ofEvents.values()]
    .flatMap((own) => DeliveryState.resentFor(own, filter, run) ?? [])
    .sort(DeliveryState.inLogOrder)
}

/** A step of a run that sends deliveries again. */
export const resend = (database: Database, step: ResendStep): ResendStepDone => {
  const { after, endpointId, limit, now, run, shop } = step
  const endpoint = endpointOf(database, shop, endpointId)
  if (endpoint === undefined) return { sent: 0, added: 0, after: null }
  const left = resendable(database, step).filter((one) => after === null || DeliveryState.inLogOrder(after, one) < 0)
  const found = left.slice(0, limit)
  let added = 0
  for (const { event, eventId, test } of found) {
    const id = DeliveryState.recoveredId(run, eventId)
    const known = "SELECT 1 FROM deliveries WHERE shop = ? AND endpoint = ? AND id = ?"
    if (database.first(known, shop, endpointId, id) !== undefined) continue
    addDelivery(database, DeliveryState.pendingDelivery(id, { id: eventId, event, test }, endpoint, now))
    added++
  }
  if (added > 0) addEntry(database, step.audited?.(added))
  const last = left.length > limit ? found.at(-1) : undefined
  return {
    sent: found.length,
    added,
    after: last === undefined ? null : { createdAt: last.createdAt, id: last.id },
  }
}

/** Makes a pending delivery due. */
export const tryNow = (database: Database, { audit, endpointId, id, now, shop }: Trial): TrialOutcome => {
  const sql = "SELECT record, leased_until FROM deliveries WHERE shop = ? AND endpoint = ? AND id = ?"
  const row = database.first<{ record: string; leased_until: number }>(sql, shop, endpointId, id)
  if (row === undefined) return "unknown"
  const delivery: DeliveryRecord = JSON.parse(row.record)
  if (delivery.status !== "pending") return "finished"
  if (row.leased_until > now) return "under_way"
  const behind = "SELECT 1 FROM behind WHERE shop = ? AND endpoint = ? AND id = ?"
  if (database.first(behind, shop, endpointId, id) !== undefined) return "behind"
  const sendable = "SELECT 1 FROM sendable WHERE shop = ? AND endpoint = ? AND id = ?"
  if (database.first(sendable, shop, endpointId, id) === undefined) return "suspended"
  if ((delivery.nextAttemptAt ?? 0) > now) storeDelivery(database, { ...delivery, nextAttemptAt: now })
  addEntry(database, audit)
  return "due"
}
