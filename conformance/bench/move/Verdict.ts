/** Checks after moves: nothing is lost, nothing is there twice, and nothing is left of the moves. */
import type { Arrival } from "../deliver/Receiver.ts"
import { judge } from "../feed/Reader.ts"
import { pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { type Deployment, remains, schema, whereabouts } from "./Deployment.ts"
import type { HostResult } from "./Host.ts"
import type { Stage } from "./Stage.ts"
import { idsOf } from "./Writers.ts"

/** The ids of all that writes store, as queries. Clearing the log replaces deliveries by rows of `received`. */
const stored = {
  orders: "SELECT id FROM orders",
  designs: "SELECT id FROM designs",
  events: "SELECT id FROM events",
  deliveries: "SELECT event_id FROM deliveries UNION ALL SELECT event_id FROM received",
}

/** Asks the bucket in its database. */
const inBucket = async <Row extends object>(deployment: Deployment, query: string) => {
  const { database } = await whereabouts(deployment)
  return deployment.sql[database].begin(async (sql) => {
    await sql.unsafe(`SET LOCAL search_path = ${schema}`)
    return sql.unsafe<Array<Row>>(query)
  })
}

/** How long deliveries may take to settle in the end, in milliseconds: longer than leases. */
const patience = 180_000

/** Waits until all deliveries are settled. Returns how many are not. */
const settled = async (deployment: Deployment): Promise<number> => {
  const until = Date.now() + patience
  for (;;) {
    const [row] = await inBucket<{ pending: number }>(
      deployment,
      "SELECT count(*)::int4 AS pending FROM deliveries WHERE status = 'pending'",
    )
    const pending = row?.pending ?? Number.NaN
    if (pending === 0 || Date.now() > until) return pending
    await pause(100)
  }
}

/** How many acknowledged writes lack their row, and how many rows are of no write, or of the same one. */
const compare = async (
  deployment: Deployment,
  kind: keyof typeof stored,
  writes: number,
  idOf: (number: number) => string,
) => {
  const rows = await inBucket<{ id: string }>(
    deployment,
    `SELECT id FROM (${stored[kind]}) AS s (id) WHERE id ~ '^(8|dsn_w|evt_w)'`,
  )
  const left = new Set(Array.from({ length: writes }, (_, number) => idOf(number)))
  let strange = 0
  for (const { id } of rows) if (!left.delete(id)) strange++
  return { lost: left.size, strange }
}

/** How many rows there are of those that the bucket was filled with. */
const rowsFilled = async (deployment: Deployment): Promise<number> => {
  const [row] = await inBucket<{ rows: number }>(
    deployment,
    `SELECT count(*)::int4 AS rows FROM (${Object.values(stored).join(" UNION ALL ")}) AS s (id)
      WHERE id ~ '^(7|dsn_0|evt_0)'`,
  )
  return row?.rows ?? 0
}

/** Compares what the host did with what is in the databases. */
export const verdict = async (
  { deployment, filled, receiver }: Stage,
  { again, feeds, writes }: HostResult,
): Promise<{ readonly findings: ReadonlyArray<Finding>; readonly arrivals: ReadonlyMap<string, Arrival> }> => {
  const pending = await settled(deployment)
  const arrivals = await receiver.take()
  const tables = {
    orders: await compare(deployment, "orders", writes.length, (number) => idsOf(number).order),
    designs: await compare(deployment, "designs", writes.length, (number) => idsOf(number).design),
    events: await compare(deployment, "events", writes.length, (number) => idsOf(number).event),
    deliveries: await compare(deployment, "deliveries", writes.length, (number) => idsOf(number).event),
  }
  const sum = (of: (one: { readonly lost: number; readonly strange: number }) => number) =>
    Object.values(tables).reduce((all, one) => all + of(one), 0)
  const written = {
    shops: writes.map(({ shop }) => shop),
    begun: writes.map(({ begun }) => begun),
    done: writes.map(({ done }) => done),
    committed: writes.map(() => 1 as const),
    committedAt: writes.map(({ done }) => done),
  }
  const { missed, outOfOrder, read, twice, undone } = judge(
    written,
    feeds.map(({ numbers }) => numbers),
    [],
  )
  const changed = feeds.filter(({ numbers }, index) => `${numbers}` !== `${again[index]?.numbers}`).length
  const gone = [...feeds, ...again].reduce((all, one) => all + one.gone, 0)
  const left = await remains(deployment)
  const none = (name: string, unit: string, designwire: number, details: unknown = {}) =>
    finding(name, unit, { designwire }, { most: 0 }, details)
  const findings = [
    none(
      "rows of acknowledged orders that are lost",
      "rows",
      sum(({ lost }) => lost),
      { tables },
    ),
    none(
      "rows that are there twice, or of no order",
      "rows",
      sum(({ strange }) => strange),
    ),
    none("filled rows that are missing, or there twice", "rows", Math.abs(filled - (await rowsFilled(deployment)))),
    none("orders that a first try found stored", "orders", writes.filter((one) => one.found && !one.unknown).length),
    none("events that the followers missed", "events", missed, { read, written: writes.length }),
    none("events that they saw twice", "events", twice + undone),
    none("events that they saw out of order", "events", outOfOrder),
    none("feeds that are different when read again", "feeds", changed),
    none("positions that the feed refused", "positions", gone),
    none("deliveries that are not settled", "deliveries", pending),
    none("deliveries that never arrived", "deliveries", writes.length - arrivals.size),
    none("what moves have left behind", "objects", left.length, { left }),
  ]
  return { findings, arrivals }
}
