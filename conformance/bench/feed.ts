/**
 * Correctness and cost of the event feed: events by writers whose transactions stay open for seconds, are rolled back
 * or killed, while a reader follows; a page among a thousand and a million events; and the cost of a feed position when
 * writing an event.
 *
 * Run with `npm run bench:feed`; the last line is JSON. Shorter runs: `BENCH_EVENTS` (1,000,000), `BENCH_WRITERS` (32),
 * `BENCH_CALLS` (pages of each kind, 300) and `BENCH_ONLY` (some of `race,pages,writes`). `TEST_DATABASE_URL` names an
 * existing Postgres server.
 */
import { availableParallelism } from "node:os"
import process from "node:process"
import { SqlClient } from "effect/sql"
import postgres from "postgres"
import { insertEvents } from "../../adapters/sql/events/Events.ts"
import type { EventRecord } from "../../core/model/events/Event.ts"
import { follow, judge, readPage } from "./feed/Reader.ts"
import { openStores, type Stores } from "./feed/Stores.ts"
import { nothingWritten, type Outcomes, write } from "./feed/Writers.ts"
import type { Cleanup } from "./support/Cleanup.ts"
import { chosen, main, note, numberOf, withCleanup } from "./support/Main.ts"
import { startDatabase } from "./support/Postgres.ts"
import { type Finding, finding, print } from "./support/Report.ts"
import { median, percentiles } from "./support/Statistics.ts"

const only = chosen(["race", "pages", "writes"])
const events = numberOf("BENCH_EVENTS", 1_000_000)
const writers = numberOf("BENCH_WRITERS", 32)
const calls = numberOf("BENCH_CALLS", 300)

const race = async (stores: Stores, url: string, cleanup: Cleanup): Promise<ReadonlyArray<Finding>> => {
  note(`${writers} writers write ${events} events while a reader follows`)
  const admin = postgres(url, { max: 2 })
  cleanup.add(() => admin.end())
  const written = nothingWritten()
  const outcomes: Outcomes = { committed: 0, rolledBack: 0, killed: 0, heldOpen: 0 }
  let clock = 0
  let isOver = false
  let longestHeld = 0
  const watch = setInterval(async () => {
    const [row] = await admin<
      [{ age: number }]
    >`SELECT coalesce(extract(epoch FROM max(now() - a.xact_start)), 0)::float8 AS age
      FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.objsubid = 2`
    longestHeld = Math.max(longestHeld, row.age)
    note(`  ${outcomes.committed} committed`)
  }, 1_000)
  const begin = performance.now()
  const shops = Array.from({ length: 8 }, (_, index) => `shop${index}`)
  const feeds = shops.map((): Array<number> => [])
  const seen: Array<number> = []
  const following = shops.map((shop, index) => follow(stores, shop, () => isOver, feeds[index] ?? [], seen))
  await Promise.all(
    Array.from({ length: writers }, () =>
      write(
        stores,
        url,
        async (pid) => void (await admin`SELECT pg_terminate_backend(${pid})`),
        written,
        outcomes,
        () => clock++,
        () => outcomes.committed >= events,
      ),
    ),
  )
  const seconds = (performance.now() - begin) / 1_000
  clearInterval(watch)
  isOver = true
  await Promise.all(following)
  const { delays, missed, outOfOrder, read, twice, undone } = judge(written, feeds, seen)
  const details = {
    ...outcomes,
    read,
    writers,
    seconds,
    perSecond: outcomes.committed / seconds,
    longestHeld,
    delays: percentiles(delays),
  }
  return [
    finding("events missed", "events", { designwire: missed }, { most: 0 }, details),
    finding("events shown twice", "events", { designwire: twice }, { most: 0 }),
    finding("events shown that were rolled back", "events", { designwire: undone }, { most: 0 }),
    finding("events out of order within a shop", "events", { designwire: outOfOrder }, { most: 0 }),
  ]
}

/** Shops with this many events, of a kilobyte each. */
const fill = async (sql: postgres.Sql, shop: string, count: number) => {
  await sql`INSERT INTO designwire.events (shop, id, event, test, created_at, body)
    SELECT ${shop}, 'evt_' || ${shop} || i, 'design.ordered', false, now(), '{"x":"' || repeat(md5(i::text), 31) || '"}'
    FROM generate_series(1, ${count}::int) i`
}

const pages = async (stores: Stores, sql: postgres.Sql): Promise<ReadonlyArray<Finding>> => {
  note(`Pages of 100 among 1,000 and ${events} events`)
  await fill(sql, "small", 1_000)
  await fill(sql, "large", events)
  await sql`VACUUM ANALYZE designwire.events`
  const findings: Array<Finding> = []
  for (const [place, share] of [
    ["first", 0],
    ["middle", 0.5],
    ["last", 0.85],
  ] as const) {
    const times: Record<string, Array<number>> = { small: [], large: [] }
    for (let call = 0; call < calls; call++) {
      for (const shop of ["small", "large"]) {
        const [row] = await sql<
          [{ position: string | null }]
        >`SELECT min(position)::text AS position FROM designwire.events
          WHERE shop = ${shop} AND id = 'evt_' || ${shop} || ${Math.floor((shop === "small" ? 1_000 : events) * share)}::int`
        const from = performance.now()
        await readPage(stores, shop, row.position)
        times[shop]?.push(performance.now() - from)
      }
    }
    const [small, large] = [median(times["small"] ?? []), median(times["large"] ?? [])]
    findings.push(
      finding(`a ${place} page among many and few`, "ms", { designwire: large, other: small }, { most: 1.5 }),
    )
  }
  return findings
}

/** Writes events with and without a position, one transaction after the other, alternating. */
const writes = async (stores: Stores, sql: postgres.Sql): Promise<ReadonlyArray<Finding>> => {
  note("Writes with and without a position")
  await sql`CREATE TABLE designwire.plain_events (LIKE designwire.events INCLUDING DEFAULTS)`
  await sql`ALTER TABLE designwire.plain_events ALTER position SET DEFAULT 0, ADD PRIMARY KEY (shop, id)`
  await sql`CREATE INDEX ON designwire.plain_events (shop, created_at, id)`
  const times: { readonly feed: Array<number>; readonly plain: Array<number> } = { feed: [], plain: [] }
  for (let call = 0; call < calls * 5; call++) {
    const event = {
      ...{ shop: "writes", id: `evt_w${call}`, event: "design.ordered" as const, test: false, createdAt: Date.now() },
      subject: { order: `order${call}`, design: `design${call}` },
      trace: null,
      body: JSON.stringify({ text: "x".repeat(1_000) }),
    } satisfies EventRecord
    const record = JSON.stringify([{ ...event, created_at: new Date(event.createdAt).toISOString() }])
    const from = performance.now()
    await stores.runPromise(
      SqlClient.SqlClient.use((client) => client.withTransaction(insertEvents(client, "writes", [event]))),
    )
    const middle = performance.now()
    await stores.runPromise(
      SqlClient.SqlClient.use((client) =>
        client.withTransaction(client`INSERT INTO designwire.plain_events (shop, id, event, test, created_at, body)
SELECT 'writes', r.id, r.event, r.test, r.created_at, r.body
FROM json_to_recordset(${record}::text::json) AS r (id text, event text, test bool, created_at timestamptz, body text)`),
      ),
    )
    times.feed.push(middle - from)
    times.plain.push(performance.now() - middle)
  }
  return [
    finding(
      "writing an event with a position and without",
      "ms",
      { designwire: median(times.feed), other: median(times.plain) },
      { most: 1.3 },
    ),
  ]
}

await main(() =>
  withCleanup(async (cleanup) => {
    note("Starting Postgres")
    const { sql, url } = await startDatabase(cleanup)
    const stores = openStores(url)
    cleanup.add(() => stores.dispose())
    const findings = [
      ...(only.includes("writes") ? await writes(stores, sql) : []),
      ...(only.includes("pages") ? await pages(stores, sql) : []),
      ...(only.includes("race") ? await race(stores, url, cleanup) : []),
    ]
    const context = { events, writers, cores: availableParallelism(), node: process.version }
    print("feed", { findings, context }, (bar) => ("least" in bar ? bar.least : bar.most))
  }),
)
