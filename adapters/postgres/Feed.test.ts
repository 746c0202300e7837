/** The event feed on a server whose transactions end in any order (D39). */
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type pg from "pg"
import { inject } from "vitest"
import { readToEnd, wholeFeed } from "../../conformance/suites/storage/events/FeedCases.ts"
import { newShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { happen, makeEvent } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { connected, query } from "../../conformance/testkit/databases/PgClient.ts"
import { random } from "../../conformance/testkit/requests/Draw.ts"
import { EventStore, type FeedPosition } from "../../core/ports/EventStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { fromPg, within } from "../connection/index.ts"
import { layer } from "./index.ts"

const withStores = <A, E, R>(url: string, effect: Effect.Effect<A, E, R>) => {
  const options = { url: Redacted.make(url), maxConnections: 2 }
  return Effect.provide(effect, layer(options), { local: true })
}

const writers = 8
const steps = inject("wholeMatrix") ? 3_000 : 400

/** Connections that write events, commit, roll back or are killed at random, and the bodies that they wrote. */
const randomWriters = Effect.fnUntraced(function* (url: string, shop: string, next: () => number) {
  const orders = yield* OrderStore
  const admin = yield* connected(url)
  yield* query(admin, "CREATE TABLE notes (id int)")
  const open = Effect.map(connected(url), (client) => ({ client, wrote: undefined as undefined | Array<string> }))
  const all = yield* Effect.forEach(Array.from({ length: writers }), () => open)
  const written: Array<string> = []
  const committed = new Set<string>()

  const write = (client: pg.Client) =>
    Effect.suspend(() => {
      const events = Array.from({ length: 1 + Math.floor(next() * 3) }, () => makeEvent(shop))
      const bodies = events.map(({ body }) => body)
      return Effect.as(within(fromPg(client))(orders.commit({ shop, designs: [], order: null, events })), bodies)
    })

  const kill = Effect.fnUntraced(function* (client: pg.Client) {
    const { rows } = yield* query(client, "SELECT pg_backend_pid() AS pid")
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve()))
    yield* query(admin, `SELECT pg_terminate_backend(${rows[0].pid})`)
    yield* Effect.promise(() => ended)
  })

  const step = Effect.gen(function* () {
    const place = Math.floor(next() * writers)
    const writer = all[place]
    if (writer === undefined) return
    const { client } = writer
    const chance = next()
    if (writer.wrote === undefined) {
      yield* query(client, "BEGIN")
      // Half of the transactions get their id long before they write an event.
      if (chance < 0.5) yield* query(client, "INSERT INTO notes VALUES (1)")
      writer.wrote = []
    } else if (chance < 0.6) {
      const bodies = yield* write(client)
      writer.wrote.push(...bodies)
      written.push(...bodies)
    } else if (chance < 0.7) {
      yield* Effect.flip(within(fromPg(client))(Effect.andThen(write(client), Effect.fail("given up"))))
    } else if (chance < 0.92) {
      yield* query(client, "COMMIT")
      for (const body of writer.wrote) committed.add(body)
      writer.wrote = undefined
    } else if (chance < 0.98) {
      yield* query(client, "ROLLBACK")
      writer.wrote = undefined
    } else {
      yield* kill(client)
      all[place] = yield* open
    }
  })

  return {
    step,
    rollBackAll: Effect.suspend(() => Effect.forEach(all, ({ client }) => query(client, "ROLLBACK"))),
    /** The bodies that were committed, in the order in which they were written. */
    committed: () => written.filter((body) => committed.has(body)),
  }
})

it.live(
  `a reader MUST find the commits of ${writers} transactions in ${steps} random steps once, in order, despite kills (D39)`,
  () =>
    Effect.gen(function* () {
      const seed = Math.floor(Number(process.env["SEED"] ?? Date.now() % 1_000_000))
      console.log(`SEED=${seed} repeats these steps`)
      const next = random(seed)
      const url = yield* migratedDatabase
      yield* withStores(
        url,
        Effect.gen(function* () {
          const feed = yield* EventStore
          const shop = yield* newShop
          const { committed, rollBackAll, step } = yield* randomWriters(url, shop, next)
          const found: Array<string> = []
          let after: FeedPosition | null = null
          for (let taken = 0; taken < steps; taken++) {
            yield* step
            if (next() >= 0.3) continue
            const page: Effect.Success<ReturnType<typeof feed.feed>> = yield* feed.feed({
              ...wholeFeed(shop, after),
              limit: 1 + Math.floor(next() * 20),
            })
            found.push(...page.bodies)
            after = page.next
          }
          yield* rollBackAll
          found.push(...(yield* readToEnd(feed, wholeFeed(shop, after))).bodies)
          const expected = committed()
          const firstOther = found.findIndex((body, index) => body !== expected[index])
          expect([found.length, firstOther]).toEqual([expected.length, -1])
          expect(found.length).toBeGreaterThan(steps / 4)
          expect(new Set(found).size).toBe(found.length)
          expect((yield* readToEnd(feed, wholeFeed(shop))).bodies).toEqual(found)
        }),
      )
    }).pipe(Effect.scoped),
)

it.live("a transaction of another shop, schema or database, or without events, MUST NOT hold a feed back", () =>
  Effect.gen(function* () {
    const [url, elsewhere] = [yield* migratedDatabase, yield* migratedDatabase]
    yield* withStores(
      url,
      Effect.gen(function* () {
        const feed = yield* EventStore
        const shop = yield* newShop
        const admin = yield* connected(url)
        /** A shop that shares no lock with this one. */
        const { rows } = yield* query(
          admin,
          `SELECT 'o' || i AS other FROM generate_series(1, 999) i
          WHERE hashtext('o' || i) & 63 <> hashtext('${shop}') & 63 LIMIT 1`,
        )
        yield* query(admin, `BEGIN; SELECT pg_current_xact_id()`)
        yield* within(fromPg(admin))(happen(rows[0].other))
        const other = yield* connected(elsewhere)
        yield* query(other, "BEGIN")
        yield* Effect.provide(within(fromPg(other))(happen(shop)), layer({ url: Redacted.make(elsewhere) }), {
          local: true,
        })
        const [event] = yield* happen(shop)
        expect((yield* feed.feed(wholeFeed(shop))).bodies).toEqual([event.body])
      }),
    )
  }).pipe(Effect.scoped),
)

it.live("a transaction MUST hold one lock of a shop's feed, however much it writes", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* withStores(
      url,
      Effect.gen(function* () {
        const client = yield* connected(url)
        const shop = yield* newShop
        yield* query(client, "BEGIN")
        for (let times = 0; times < 20; times++) yield* within(fromPg(client))(happen(shop, [0, 1, 2]))
        const { rows } = yield* query(
          client,
          `SELECT count(*)::int AS held FROM pg_locks
          WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND objsubid = 2`,
        )
        expect(rows).toEqual([{ held: 1 }])
      }),
    )
  }).pipe(Effect.scoped),
)

it.live(
  "a position that the store has never reached MUST be reported as gone: the store was restored from a backup",
  () =>
    Effect.gen(function* () {
      yield* withStores(
        yield* migratedDatabase,
        Effect.gen(function* () {
          const [feed, sql] = [yield* EventStore, yield* SqlClient.SqlClient]
          const shop = yield* newShop
          yield* happen(shop, [0, 1, 2])
          const { next } = yield* feed.feed(wholeFeed(shop))
          yield* sql`DELETE FROM designwire.events`
          yield* sql`SELECT setval('designwire.feed_positions', 2)`
          const error = yield* Effect.flip(feed.feed(wholeFeed(shop, next)))
          expect(error).toMatchObject({ _tag: "PositionGone", reason: "ahead" })
        }),
      )
    }).pipe(Effect.scoped),
)

it.live("reading the feed MUST be refused in a transaction with a fixed snapshot, and in no other", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* withStores(
      url,
      Effect.gen(function* () {
        const feed = yield* EventStore
        const client = yield* connected(url)
        const shop = yield* newShop
        for (const [isolation, tag] of [
          ["READ COMMITTED", "Success"],
          ["REPEATABLE READ", "Failure"],
          ["SERIALIZABLE", "Failure"],
        ] as const) {
          yield* query(client, `BEGIN ISOLATION LEVEL ${isolation}`)
          const outcome = yield* Effect.result(within(fromPg(client))(feed.feed(wholeFeed(shop))))
          expect([isolation, outcome._tag]).toEqual([isolation, tag])
          yield* query(client, "ROLLBACK")
        }
      }),
    )
  }).pipe(Effect.scoped),
)

interface Plan {
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
}

/** The statements of a call that read events, as the server received them, and the blocks touched by each. */
const blocksOf = Effect.fnUntraced(function* (url: string, shop: string, after: string, kinds: ReadonlyArray<string>) {
  const client = yield* connected(url)
  const statements: Array<{ readonly text: string; readonly values: ReadonlyArray<unknown> }> = []
  const noting = fromPg({
    query: (text: string, values?: Array<unknown>) => {
      if (text.includes("designwire.events")) statements.push({ text, values: values ?? [] })
      return client.query(text, values)
    },
  })
  yield* query(client, "BEGIN")
  const feed = yield* EventStore
  const page = yield* within(noting)(
    feed.feed({ ...wholeFeed(shop, after), kinds: wholeFeed(shop).kinds.filter((kind) => kinds.includes(kind)) }),
  )
  let blocks = 0
  for (const { text, values } of statements) {
    const { rows } = yield* Effect.promise(() =>
      client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]),
    )
    const plan: Plan = rows[0]["QUERY PLAN"][0].Plan
    blocks += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
  }
  return { blocks, statements: statements.length, events: page.bodies.length }
})

const many = inject("wholeMatrix") ? 1_000_000 : 100_000

it.live(
  `a page of 100 MUST touch as many blocks among ${many} events as among 1000, at any place and of a rare kind`,
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* withStores(
        url,
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`INSERT INTO designwire.events (shop, id, event, test, created_at, body)
SELECT s.shop, 'evt_' || i, CASE WHEN i % (s.events / 100) = 0 THEN 'order.cancelled' ELSE 'design.ordered' END, false, now(), '{}'
FROM (VALUES ('small', 1000), ('large', ${many}::int4)) s (shop, events) CROSS JOIN LATERAL generate_series(1, s.events) i`
          yield* sql`VACUUM ANALYZE designwire.events`
          const positionOf = (shop: string, share: number) =>
            Effect.map(
              sql<{ position: string }>`SELECT position::text FROM designwire.events WHERE shop = ${shop}
AND id = 'evt_' || ((SELECT count(*) FROM designwire.events WHERE shop = ${shop}) * ${share}::float8)::int8`,
              ([row]) => row?.position ?? "0",
            )
          for (const [share, kinds, events] of [
            [0, ["design.ordered", "order.cancelled", "design.created"], 100],
            [0.5, ["design.ordered", "order.cancelled", "design.created"], 100],
            [1, ["design.ordered", "order.cancelled", "design.created"], 0],
            [0, ["order.cancelled"], 100],
            [0, ["design.created"], 0],
          ] as const) {
            const [small, large] = [
              yield* blocksOf(url, "small", yield* positionOf("small", share), kinds),
              yield* blocksOf(url, "large", yield* positionOf("large", share), kinds),
            ]
            console.log(`${share} of ${kinds}: ${small.blocks} blocks among 1000, ${large.blocks} among ${many}`)
            expect([small.statements, small.events, large.events]).toEqual([1, events, events])
            // The index of a million events is a level or two higher, and events of a rare kind are further apart.
            expect(large.blocks).toBeLessThan(small.blocks + 120)
          }
        }),
      )
    }).pipe(Effect.scoped),
  180_000,
)
