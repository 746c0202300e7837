/** Background work and changes while another session has locked a table: reads of other tables wait for none of it. */
import { connect, createServer } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import pg from "pg"
import {
  makeOrder,
  makeOrdered,
  makeToken,
  newShop,
  someTime,
  wholePage,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import { inTurn } from "../../conformance/suites/storage/support/TurnQueue.ts"
import {
  claimed,
  createEndpoint,
  happen,
  makeEvent,
  request,
  success,
  theHost,
} from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { tableWaits } from "../../conformance/testkit/databases/TableWaits.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { NoticeStore } from "../../core/ports/NoticeStore.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { TokenStore } from "../../core/ports/TokenStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { layer, type PostgresOptions } from "./index.ts"

/** A session of its own. */
const session = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

const stores = (url: string, options: Partial<PostgresOptions> = {}) =>
  Effect.provide(layer({ url: Redacted.make(url), ...options }), { local: true })

/** The regular work of a worker and of upkeep, and the work that requests leave to them. */
const background = Effect.fnUntraced(function* (shop: string, token: string) {
  const queue = inTurn(yield* DeliveryQueue)
  const [upkeep, notices, inbox] = [yield* Upkeep, yield* NoticeStore, yield* Inbox]
  const tokens = yield* TokenStore
  const step = { keep: 50, eventsBefore: someTime, now: someTime, limit: 100 }
  const pruneFrom = (after: string | null): Effect.Effect<void, unknown> =>
    Effect.flatMap(upkeep.prune({ ...step, after }), (next) => (next === null ? Effect.void : pruneFrom(next)))
  const claims = yield* claimed(yield* theHost)
  return [
    queue.claim(request()),
    queue.settle(
      [...claims.values()].map((claim) => success(claim)),
      (health) => health,
    ),
    queue.walk({ after: null, limit: 100, now: someTime }),
    pruneFrom(null),
    upkeep.purgeRemoved({ since: 0, limit: 100 }),
    notices.claim({ now: someTime, limit: 10, leaseUntil: someTime + 1, token: "a" }),
    inbox.waiting({ after: null, limit: 100 }),
    inbox.ready({ shop, after: null, limit: 100 }),
    tokens.touch(shop, token, someTime),
  ]
})

it.live(
  "reads MUST be answered while background work waits for a table that another session has locked, whichever it is",
  () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const holder = yield* session(url)
      const tables = yield* Effect.promise(async () => {
        const found = await holder.query("SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = 'designwire'")
        return found.rows.map(({ tablename }) => String(tablename))
      })
      expect(tables).toContain("deliveries")
      const waited = new Set<string>()
      yield* Effect.forEach(tables, (table) =>
        Effect.gen(function* () {
          const shops = yield* ShopStore
          const orders = yield* OrderStore
          const shop = yield* newShop
          const token = makeToken(shop)
          yield* (yield* TokenStore).add(token, 10, undefined)
          yield* createEndpoint(shop)
          yield* happen(shop)
          const tasks = yield* background(shop, token.id)
          yield* Effect.promise(() => holder.query(`BEGIN; LOCK TABLE designwire.${table} IN ACCESS EXCLUSIVE MODE`))
          for (const task of tasks) yield* Effect.forkScoped(Effect.exit(task))
          const waits = Effect.promise(async () => (await holder.query(tableWaits(`designwire.${table}`))).rows.length)
          // Those that use the table have come to it.
          for (let looks = 0; looks < 20; looks++) if ((yield* Effect.delay(waits, "5 millis")) > 0) waited.add(table)
          const read = table === "shops" ? orders.designs(shop, ["d"]) : shops.find(shop)
          const page = ["orders", "designs", "order_counts", "uncounted_orders"].includes(table)
            ? Effect.void
            : orders.readOrders({ shop, ...wholePage })
          // Only reads that wait for the lock take so long.
          yield* Effect.all([...Array.from({ length: 100 }, () => read), page], { concurrency: "unbounded" }).pipe(
            Effect.timeout("20 seconds"),
          )
          yield* Effect.promise(() => holder.query("ROLLBACK"))
        }).pipe(Effect.scoped),
      ).pipe(stores(url))
      expect([...waited]).toEqual(
        expect.arrayContaining(["deliveries", "endpoints", "events", "tokens", "notices", "inbox"]),
      )
    }).pipe(Effect.scoped),
  120_000,
)

it.live("a claim MUST give up waiting for a table after `lockWait`, and say that it is locked", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const holder = yield* session(url)
    yield* Effect.gen(function* () {
      const queue = inTurn(yield* DeliveryQueue)
      const shop = yield* newShop
      yield* createEndpoint(shop)
      yield* Effect.promise(() => holder.query("BEGIN; LOCK TABLE designwire.deliveries IN ACCESS EXCLUSIVE MODE"))
      const { cause, message } = yield* Effect.flip(queue.walk({ after: null, limit: 100, now: someTime }))
      expect(message).toContain("SQLSTATE 55P03")
      expect(cause).toMatchObject({ isRetryable: true })
    }).pipe(stores(url, { lockWait: 300 }))
  }).pipe(Effect.scoped),
)

// By default, and with the fewest connections of which some are left for reads.
it.live.each([{}, { maxConnections: 7 }])(
  "pages MUST be read while more changes than there are connections wait for a table: %o",
  (options) =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const holder = yield* session(url)
      yield* Effect.gen(function* () {
        const orders = yield* OrderStore
        const shop = yield* newShop
        yield* createEndpoint(shop)
        yield* Effect.promise(() => holder.query("BEGIN; LOCK TABLE designwire.deliveries IN ACCESS EXCLUSIVE MODE"))
        for (let number = 0; number < 20; number++) {
          const order = makeOrder(shop, String(number))
          const design = makeOrdered(order, `d${number}`, 0)
          const change = { shop, designs: [design], order, events: [makeEvent(shop)] }
          yield* Effect.forkScoped(Effect.exit(orders.commit(change)), { startImmediately: true })
        }
        const waits = Effect.promise(async () => (await holder.query(tableWaits("designwire.deliveries"))).rows.length)
        yield* Effect.repeat(waits, { until: (waiting) => waiting > 0 })
        const pages = Array.from({ length: 20 }, () => orders.readOrders({ shop, ...wholePage }))
        expect(yield* Effect.all(pages, { concurrency: "unbounded" })).toHaveLength(20)
        yield* Effect.promise(() => holder.query("ROLLBACK"))
      }).pipe(Effect.scoped, stores(url, options))
    }).pipe(Effect.scoped),
)

it.live("orders MUST NOT wait for the counts of orders, which are folded now and then", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const holder = yield* session(url)
    yield* Effect.gen(function* () {
      const orders = yield* OrderStore
      const shop = yield* newShop
      yield* Effect.promise(() => holder.query("BEGIN; LOCK TABLE designwire.order_counts IN ACCESS EXCLUSIVE MODE"))
      const waits = Effect.promise(async () => (await holder.query(tableWaits("designwire.order_counts"))).rows.length)
      let placed = 0
      do {
        const order = makeOrder(shop, String(placed++))
        yield* orders.commit({ shop, designs: [makeOrdered(order, `d${placed}`, 0)], order, events: [] })
      } while ((yield* waits) === 0)
      expect(placed).toBeGreaterThanOrEqual(100)
      yield* Effect.promise(() => holder.query("ROLLBACK"))
      const folded = Effect.promise(() => holder.query("SELECT orders FROM designwire.order_counts WHERE unit = 'all'"))
      const { rows } = yield* Effect.repeat(folded, { until: ({ rows }) => rows.length > 0 })
      expect(Number(rows[0]?.orders)).toBeGreaterThanOrEqual(100)
    }).pipe(Effect.scoped, stores(url))
  }).pipe(Effect.scoped),
)

/** A proxy that refuses connections with a setting, as PgBouncer does. Returns its URL. */
const refusingSettings = Effect.fnUntraced(function* (databaseUrl: string, refused: { times: number }) {
  const { hostname, port } = new URL(databaseUrl)
  const server = createServer((near) => {
    near.once("data", (startup) => {
      if (startup.includes("lock_timeout")) {
        refused.times++
        const fields = "SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: lock_timeout\0\0"
        const head = Buffer.from([0x45, 0, 0, 0, Buffer.byteLength(fields) + 4])
        near.end(Buffer.concat([head, Buffer.from(fields)]))
        return
      }
      const far = connect(Number(port), hostname)
      far.write(startup)
      near.pipe(far).pipe(near)
      near.on("error", () => far.destroy())
      far.on("error", () => near.destroy())
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close()),
  )
  const address = server.address()
  const url = new URL(databaseUrl)
  url.hostname = "127.0.0.1"
  url.port = String(typeof address === "object" ? address?.port : address)
  url.searchParams.set("sslmode", "disable")
  return url.href
})

it.live("a worker MUST claim through a pooler that refuses connections with settings", () =>
  Effect.gen(function* () {
    const refused = { times: 0 }
    const url = yield* refusingSettings(yield* migratedDatabase, refused)
    yield* Effect.gen(function* () {
      const queue = inTurn(yield* DeliveryQueue)
      const shop = yield* newShop
      yield* createEndpoint(shop)
      yield* happen(shop)
      expect(yield* queue.claim(request())).toHaveLength(1)
      expect(Option.isSome(yield* (yield* ShopStore).find(shop))).toBe(true)
    }).pipe(Effect.scoped, stores(url))
    expect(refused.times).toBeGreaterThan(0)
  }).pipe(Effect.scoped),
)
