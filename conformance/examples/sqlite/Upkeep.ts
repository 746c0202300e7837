import { auditRetention, NoticeRules, Pace } from "designwire"
import { type Backlog, type InboxEntry, Upkeep } from "designwire/ports"
import { Clock, Effect } from "effect"
import { type Database, tables } from "./Database.ts"
import { endpointOf, plannedOf } from "./Deliveries.ts"
import { addNotices } from "./Events.ts"
import type { Host } from "./Host.ts"

/** Deletes unreachable rows, and counts the queue. */
export const makeUpkeep = ({ database }: Host): Upkeep["Service"] =>
  Upkeep.of({
    // The processes on a file are on one machine, so its clock is the store's.
    time: Effect.andThen(
      database.attempt("Reading the clock", () => undefined),
      Clock.currentTimeMillis,
    ),
    probe: database.attempt("Probing", () => {
      database.run("INSERT INTO removed VALUES ('')")
      database.run("DELETE FROM removed WHERE shop = ''")
    }),
    // All in one step, which is short enough for a file of a few gigabytes.
    prune: ({ eventsBefore, keep, keepSince, now }) =>
      database.attempt("Clearing", () => {
        const beyond = `SELECT rowid FROM (
          SELECT rowid, status, created_at, row_number() OVER (PARTITION BY shop, endpoint ORDER BY created_at DESC, id DESC) AS place FROM deliveries
        ) WHERE place > ? AND created_at < ? AND status <> 'pending'`
        const kept = [keep, keepSince ?? Number.MAX_SAFE_INTEGER]
        database.run(
          `INSERT OR IGNORE INTO received SELECT shop, endpoint, event FROM deliveries
WHERE status = 'succeeded' AND rowid IN (${beyond})`,
          ...kept,
        )
        database.run(`DELETE FROM deliveries WHERE rowid IN (${beyond})`, ...kept)
        const unused = "NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.shop = events.shop AND d.event = events.id)"
        const old = `created_at < ? AND ${unused}`
        database.run(
          `UPDATE feeds SET dropped = coalesce((
             SELECT max(dropped, max(position)) FROM events WHERE shop = feeds.shop AND kind IS NOT NULL AND ${old}
           ), dropped)`,
          eventsBefore,
        )
        database.run(`DELETE FROM events WHERE ${old}`, eventsBefore)
        database.run(
          "DELETE FROM received WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.shop = received.shop AND e.id = received.event)",
        )
        database.run("DELETE FROM notices WHERE due IS NULL AND created_at < ?", eventsBefore)
        dropInbox(database, NoticeRules.inboxBefore(eventsBefore), now)
        database.run("DELETE FROM attempt_counts WHERE hour < ?", eventsBefore)
        database.run("DELETE FROM unstored_orders WHERE until <= ?", now)
        database.run("DELETE FROM answers WHERE until <= ?", now)
        database.run("DELETE FROM marks WHERE until <= ?", now)
        database.run("DELETE FROM audit WHERE at < ?", now - auditRetention)
        purgeRemoved(database)
        return null
      }),
    purgeRemoved: () =>
      database.attempt("Clearing removed shops", () => {
        purgeRemoved(database)
        return true
      }),
    statistics: (now) =>
      database.attempt("Counting deliveries", () => {
        const row = database.first<{ endpoints: number; endpointsSwitchedOff: number }>(
          "SELECT count(*) AS endpoints, count(*) FILTER (WHERE NOT active) AS endpointsSwitchedOff FROM endpoints",
        )
        return {
          ...backlog(database, null, now),
          ...{ endpoints: 0, endpointsSwitchedOff: 0, ...row },
          feedHeldSince: null,
        }
      }),
    backlog: (shop, now) => database.attempt("Counting deliveries", () => backlog(database, shop, now)),
  })

/** Drops old events of platforms, with a notice for each shop about those that were never applied. */
const dropInbox = (database: Database, before: number, now: number): void => {
  const old = "FROM inbox WHERE record ->> '$.receivedAt' < ?"
  const order = "ORDER BY record ->> '$.receivedAt', id"
  const lost = database.records<InboxEntry>(`SELECT record ${old} ${order}`, before).filter(NoticeRules.isLost)
  for (const entries of Map.groupBy(lost, ({ shop }) => shop).values()) {
    const [oldest] = entries
    if (oldest !== undefined) addNotices(database, [NoticeRules.droppedOf(entries.length, oldest, now)])
  }
  database.run(`DELETE ${old}`, before)
}

/** The deliveries of a shop, or of all shops, that wait. */
const backlog = (database: Database, shop: string | null, now: number): Backlog => {
  const waiting = database.first<{ pending: number }>(
    "SELECT count(*) AS pending FROM deliveries WHERE status = 'pending' AND shop = coalesce(?1, shop)",
    shop,
  )
  const open = database
    .all<{ shop: string; endpoint: string; count: number; due: number }>(
      `SELECT shop, endpoint, count(*) AS count, min(due) AS due FROM sendable
       WHERE open_at <= ?2 AND shop = coalesce(?1, shop) GROUP BY shop, endpoint`,
      shop,
      now,
    )
    .filter((each) => !isHeldBack(database, each, now))
  return {
    pending: waiting?.pending ?? 0,
    pastDue: open.reduce((sum, { count }) => sum + count, 0),
    oldestDue: open.reduce<number | null>((oldest, { due }) => Math.min(oldest ?? due, due), null),
  }
}

const isHeldBack = (database: Database, of: { readonly shop: string; readonly endpoint: string }, now: number) => {
  const endpoint = endpointOf(database, of.shop, of.endpoint)
  return endpoint !== undefined && Pace.isHeldBack(endpoint.options, plannedOf(database, of.shop, of.endpoint), now)
}

/** Drops what concurrent calls have stored of removed shops. */
const purgeRemoved = (database: Database): void => {
  for (const table of tables) database.run(`DELETE FROM ${table} WHERE shop IN (SELECT shop FROM removed)`)
}
