/** Claims alongside a transaction that stays open for long: meanwhile the server removes no old row versions. */
import { expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { newShop, someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import { createEndpoint, happen, minute, request } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { entriesRead } from "../../conformance/testkit/databases/ServerCounters.ts"
import { tableWaits } from "../../conformance/testkit/databases/TableWaits.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { layer } from "./index.ts"

const settled = 25_000

/** Opens a transaction and keeps it open until the scope closes. */
const holdOpen = (url: string, statements: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(statements)
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

/** Fixes the snapshot of the transaction. */
const seeing = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM designwire.shops"

/** Blocks counting, which reads this table of the server; claiming does not read it. */
const keepingFromCounting = "BEGIN; LOCK TABLE pg_catalog.pg_inherits IN ACCESS EXCLUSIVE MODE"

it.live(
  "a claim MUST NOT walk past settled deliveries, and a later look MUST find one added with an earlier time",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const queue = inTurn(yield* DeliveryQueue)
        const shop = yield* newShop
        const endpoint = yield* createEndpoint(shop)
        yield* holdOpen(url, seeing)
        yield* sql`INSERT INTO designwire.deliveries
  (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts)
SELECT ${shop}, 'dlv_' || i, ${endpoint.id}, 'evt_' || i, 'design.ordered', false, 'pending', at, at, 'due', 0
FROM generate_series(1, ${settled}::int4) i
CROSS JOIN LATERAL (SELECT to_timestamp((${someTime - 10 * minute}::float8 + i) / 1000) AS at) a`
        yield* sql`UPDATE designwire.deliveries SET status = 'succeeded', next_attempt_at = NULL, queue = NULL WHERE queue = 'due'`
        let now: number = someTime
        const clock: Clock.Clock = Object.assign(Object.create(yield* Clock.Clock), {
          currentTimeMillisUnsafe: () => now,
          currentTimeMillis: Effect.sync(() => now),
        })
        const claimed = Effect.gen(function* () {
          const before = yield* entriesRead("deliveries_due")
          const claims = yield* queue
            .claim(request({ now, leaseUntil: now + minute }))
            .pipe(Effect.provideService(Clock.Clock, clock))
          return {
            ids: claims.map(({ deliveryId }) => deliveryId),
            read: (yield* entriesRead("deliveries_due")) - before,
          }
        })
        // It walks past all of them, unless the look has ended before.
        const { read } = yield* claimed
        expect(read === 0 || read > settled).toBe(true)
        const { ids } = yield* Effect.repeat(claimed, { until: ({ read }) => read < 100 })
        expect(ids).toEqual([])

        const [event] = yield* happen(shop, [0])
        const next = yield* claimed
        expect(next.ids).toEqual([`dlv_${event?.id.slice(4)}${endpoint.id.slice(4)}`])
        expect(next.read).toBeLessThan(100)

        const [late] = yield* happen(shop, [-5 * minute])
        expect((yield* claimed).ids).toEqual([])
        now += minute
        const found = yield* Effect.repeat(claimed, { until: ({ ids }) => ids.length > 0 })
        expect(found.ids).toContain(`dlv_${late?.id.slice(4)}${endpoint.id.slice(4)}`)
      }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
    }).pipe(Effect.scoped),
)

it.live(
  "a claim MUST NOT wait behind a long look, nor behind counting due deliveries",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      yield* Effect.gen(function* () {
        const queue = inTurn(yield* DeliveryQueue)
        const upkeep = yield* Upkeep
        const shop = yield* newShop
        yield* createEndpoint(shop)
        yield* happen(shop)
        const holder = yield* holdOpen(url, keepingFromCounting)
        const waiting = Effect.promise(async () => {
          const { rows } = await holder.query(tableWaits("pg_catalog.pg_inherits"))
          return rows.length
        })
        const claim = queue.claim(request({ now: someTime }))

        expect(yield* claim).toHaveLength(1)
        yield* Effect.repeat(waiting, { until: (looks) => looks === 1 })
        expect(yield* claim).toEqual([])

        const counting = yield* Effect.forkScoped(upkeep.statistics(someTime))
        yield* Effect.repeat(waiting, { until: (looks) => looks === 2 })
        expect(yield* claim).toEqual([])
        yield* Effect.promise(() => holder.query("ROLLBACK"))
        expect(yield* Fiber.join(counting)).toMatchObject({ pending: 1 })
      }).pipe(Effect.provide(layer({ url: Redacted.make(url) }), { local: true }))
    }).pipe(Effect.scoped),
  60_000,
)
