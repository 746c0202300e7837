/**
 * Deliveries alongside a transaction that stays open, so that no changed row can be vacuumed: the benchmark that pgque
 * and awa publish about themselves, with deliveries instead of jobs.
 */

import postgres from "postgres"
import { instant, pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { tidy } from "../support/Seed.ts"
import { percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { settledIn } from "./Contender.ts"
import { deliveryId, makeEvent, type StagedShop } from "./Events.ts"
import { commitEvents, stageShop } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Milliseconds between commits, each of two events for five endpoints: 500 deliveries a second. */
const every = 20
const perCommit = 2
const endpoints = 5

/** Creates deliveries settled while the transaction is open, to simulate a longer run. */
const settleBefore = async ({ sql }: Bench, shops: ReadonlyArray<StagedShop>, count: number) => {
  const all = shops.flatMap(({ endpoints, shop }) => endpoints.map((endpoint) => ({ shop: shop.id, endpoint })))
  await sql`INSERT INTO designwire.deliveries
      (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts)
    SELECT e.shop, 'dlv_' || lpad(i::text, 22, '0') || substr(e.endpoint, 5), e.endpoint, 'evt_' || lpad(i::text, 22, '0'),
      'design.ordered', false, 'pending', a.at, a.at, 'due', 0
    FROM generate_series(1, ${count}::int) i
    CROSS JOIN LATERAL (SELECT now() - ${count}::int / 500 * interval '1 second' + i * interval '2 milliseconds' AS at) a
    JOIN unnest(${all.map(({ shop }) => shop)}::text[], ${all.map(({ endpoint }) => endpoint)}::text[])
      WITH ORDINALITY AS e (shop, endpoint, place) ON e.place = i % ${all.length}::int + 1`
  await sql`UPDATE designwire.deliveries
SET status = 'succeeded', next_attempt_at = NULL, queue = NULL, attempts = 1 WHERE queue = 'due'`
}

/** Delivers 500 per second for some seconds, alongside a transaction that has been open for `settled` deliveries. */
export const heldTransaction = async (
  bench: Bench,
  { seconds, settled }: { readonly seconds: number; readonly settled: number },
): Promise<ReadonlyArray<Finding>> => {
  const { cleanup, environment, receiver, secret, sql, stores } = bench
  const shops: Array<StagedShop> = []
  for (let shop = 0; shop < 8; shop++) {
    const urls = Array.from({ length: endpoints }, (_, endpoint) => `${receiver.url}/${shop}/${endpoint}`)
    shops.push(await stageShop(stores, `held${shop}`, urls, secret))
  }
  await tidy(sql)
  const holder = postgres(environment["DATABASE_URL"] as string, { max: 1 })
  cleanup.add(() => holder.end())
  await holder`BEGIN ISOLATION LEVEL REPEATABLE READ`
  await holder`SELECT count(*) FROM designwire.shops`
  if (settled > 0) await settleBefore(bench, shops, settled)

  const worker = await startWorker("./designwire.ts", environment, cleanup)
  worker.begin()
  await pause(1_000)
  /** When each delivery was committed. */
  const committed = new Map<string, number>()
  const pending = new Set<Promise<unknown>>()
  const begin = instant()
  for (let commit = 0; instant() < begin + 1_000 * seconds; commit++) {
    const { endpoints, shop } = shops[commit % shops.length] as StagedShop
    const events = Array.from({ length: perCommit }, () => makeEvent(shop))
    const at = instant()
    for (const event of events) for (const endpoint of endpoints) committed.set(deliveryId(event.id, endpoint), at)
    const added = commitEvents(stores, shop.id, events).finally(() => pending.delete(added))
    pending.add(added)
    await pause(Math.max(0, begin + every * (commit + 1) - instant()))
  }
  await Promise.all(pending)
  while (!(await settledIn(sql, "SELECT FROM designwire.deliveries WHERE status = 'pending'"))) await pause(20)
  await worker.stop()
  const arrivals = await receiver.take()
  const [row] = await sql<Array<{ dead: number; table: number; indexes: number }>>`
    SELECT n_dead_tup::float8 AS dead, pg_table_size(relid) / 1048576.0::float8 AS table, pg_indexes_size(relid) / 1048576.0::float8 AS indexes
    FROM pg_stat_user_tables WHERE relid = 'designwire.deliveries'::regclass`
  await holder`ROLLBACK`

  const part = Math.min(60, seconds / 4) * 1_000
  const last = begin + 1_000 * seconds
  /** The number of arrivals between two instants, and the times of deliveries committed between them. */
  const between = (from: number, to: number) => {
    const times: Array<number> = []
    let arrived = 0
    for (const [id, { at }] of arrivals) {
      const start = committed.get(id) ?? Number.NaN
      if (at >= from && at < to) arrived++
      if (start >= from && start < to) times.push(at - start)
    }
    return { perSecond: (arrived / (to - from)) * 1_000, ...percentiles(times) }
  }
  const [first, end] = [between(begin, begin + part), between(last - part, last)]
  const details = { seconds, settledBefore: settled, first, last: end, deliveries: committed.size, ...row }
  return [
    finding(
      "Alongside an open transaction: at the end vs what is added",
      "deliveries/s",
      { designwire: end.perSecond, other: (perCommit * endpoints * 1_000) / every },
      { least: 0.95 },
      details,
    ),
    finding(
      "Alongside an open transaction: p99 at the end vs at the beginning",
      "ms",
      { designwire: end.p99, other: first.p99 },
      { most: 2 },
    ),
    finding(
      "Alongside an open transaction: median at the end vs at the beginning",
      "ms",
      { designwire: end.p50, other: first.p50 },
      { most: 2 },
    ),
    finding(
      "Alongside an open transaction: rows that could not be cleared",
      "rows",
      { designwire: row?.dead ?? Number.NaN },
      { most: Number.POSITIVE_INFINITY },
    ),
    finding(
      "Alongside an open transaction: deliveries with their indexes",
      "MiB",
      { designwire: (row?.table ?? 0) + (row?.indexes ?? 0) },
      { most: Number.POSITIVE_INFINITY },
    ),
  ]
}
