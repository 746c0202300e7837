/** How a commit locks the rows that it changes, and waits for them. */
import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import {
  changed,
  makeDesign,
  makeInboxItem,
  makeOrder,
  makeOrdered,
  newShop,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, happen, makeEvent } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { rowsRead } from "../../conformance/testkit/databases/ServerCounters.ts"
import type { EventRecord } from "../../core/model/events/Event.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import { Inbox } from "../../core/ports/Inbox.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { fromPgPool, layerStores, type Query } from "../connection/index.ts"
import { layer } from "./index.ts"

/** Records the designs that are written, in order. */
const noteDesigns = [
  "CREATE TABLE written (place serial, id text)",
  `CREATE FUNCTION note_design() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO written (id) VALUES (NEW.id);
  RETURN NEW;
END $$`,
  "CREATE TRIGGER note_design BEFORE INSERT OR UPDATE ON designwire.designs FOR EACH ROW EXECUTE FUNCTION note_design()",
]

it.live("a commit MUST lock its designs in the order of their ids: otherwise two commits could deadlock (D6)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* OrderStore
      const shop = yield* newShop
      for (const statement of noteDesigns) yield* sql.unsafe(statement)
      const written = Effect.gen(function* () {
        const rows = yield* sql<{ id: string }>`SELECT id FROM written ORDER BY place`
        yield* sql`TRUNCATE written`
        return rows.map(({ id }) => id)
      })
      const made = ["d", "b", "a", "c"].map((id) => makeDesign(shop, id))
      const ids = ["a", "b", "c", "d"]
      for (const designs of [made, made.map((design) => changed(design))]) {
        yield* store.commit({ shop, designs, order: null, events: [] })
        expect(yield* written).toEqual(ids)
      }
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)

/** A commit of a second revision that waits for another transaction, which `release` ends. */
const waitingCommit = Effect.fnUntraced(function* (
  url: string,
  eventsOf: (shop: string) => ReadonlyArray<EventRecord> = () => [],
) {
  const other = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )
  const store = yield* OrderStore
  const sql = yield* SqlClient.SqlClient
  const shop = yield* newShop
  yield* createEndpoint(shop)
  const design = makeDesign(shop, "a")
  yield* store.commit({ shop, designs: [design], order: null, events: [] })
  yield* Effect.promise(() => other.query("BEGIN; SELECT FROM designwire.designs FOR UPDATE"))
  const events = eventsOf(shop)
  const waiting = yield* Effect.forkScoped(store.commit({ shop, designs: [changed(design)], order: null, events }))
  const waits = sql<{ found: boolean }>`SELECT count(*) > 0 AS found FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'`
  while (!(yield* waits)[0]?.found) yield* Effect.yieldNow
  const revisions = Effect.map(store.designs(shop, ["a"]), (found) => found.map(({ revision }) => revision))
  return { shop, revisions, waiting, release: Effect.promise(() => other.query("COMMIT")) }
})

it.live("a commit that waits for another transaction MUST delay no other statement (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const { release, revisions, waiting } = yield* waitingCommit(url)
      const reads = yield* Effect.all(
        Array.from({ length: 100 }, () => revisions),
        { concurrency: "unbounded" },
      )
      expect(reads.flat()).toEqual(Array(100).fill(1))
      expect(waiting.pollUnsafe()).toBeUndefined()
      yield* release
      yield* Fiber.join(waiting)
      expect(yield* revisions).toEqual([2])
    }).pipe(Effect.scoped, Effect.provide(layer({ url: Redacted.make(url), maxConnections: 3 })))
  }).pipe(Effect.scoped),
)

it.live("an interrupted commit over an embedder's pool MUST be stored when the interruption ends, or never (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const pool = new pg.Pool({ connectionString: url })
    yield* Effect.addFinalizer(() => Effect.promise(() => pool.end()))
    yield* Effect.gen(function* () {
      const { release, revisions, waiting } = yield* waitingCommit(url)
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(waiting))
      expect(yield* revisions).toEqual([1])
      expect(interrupted.pollUnsafe()).toBeUndefined()
      yield* release
      yield* Fiber.join(interrupted)
      expect(yield* revisions).toEqual([2])
    }).pipe(Effect.scoped, Effect.provide(layerStores(fromPgPool(pool))))
  }).pipe(Effect.scoped),
)

it.effect("an interrupted commit that is stored after all MUST wake workers (D23)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const pool = new pg.Pool({ connectionString: url })
    yield* Effect.addFinalizer(() => Effect.promise(() => pool.end()))
    yield* Effect.gen(function* () {
      const store = yield* OrderStore
      const worker = yield* DeliverySignal.use(({ subscribe }) => subscribe)
      // The first commit with an event sends a notification, the next ones leave it to their host.
      yield* happen(yield* newShop)
      const { release, shop, waiting } = yield* waitingCommit(url, (shop) => [makeEvent(shop)])
      yield* Queue.clear(worker)
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(waiting))
      yield* Effect.yieldNow
      yield* release
      yield* Fiber.join(interrupted)
      expect((yield* store.designs(shop, ["a"])).map(({ revision }) => revision)).toEqual([2])
      expect(yield* Queue.size(worker)).toBe(1)
      // Behind a pooler nothing listens, and no second passes: nothing else wakes the worker.
    }).pipe(Effect.scoped, Effect.provide(layerStores(fromPgPool(pool), { pooler: "transaction" })))
  }).pipe(Effect.scoped),
)

it.live("a commit outside of a transaction MUST be one statement", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    const pool = new pg.Pool({ connectionString: url })
    yield* Effect.addFinalizer(() => Effect.promise(() => pool.end()))
    const own = fromPgPool(pool)
    const sent: Array<string> = []
    const noting =
      <Rest extends Array<number>>(query: (...given: [...Parameters<Query>, ...Rest]) => ReturnType<Query>) =>
      (...given: [...Parameters<Query>, ...Rest]) => {
        sent.push(given[0])
        return query(...given)
      }
    yield* Effect.gen(function* () {
      const store = yield* OrderStore
      const shop = yield* newShop
      const design = makeDesign(shop, "a")
      const order = makeOrder(shop, "1")
      sent.length = 0
      yield* store.commit({ shop, designs: [design], order: null, events: [makeEvent(shop)] })
      yield* store.commit({ shop, designs: [changed(design), makeDesign(shop, "b")], order, events: [makeEvent(shop)] })
      const brought = makeOrder(shop, "2")
      const inboxItem = makeInboxItem(shop, { orderId: "2", state: "applied" })
      yield* store.commit({ shop, designs: [makeOrdered(brought, "c", 0)], order: brought, events: [], inboxItem })
      expect(sent.map((text) => text.slice(0, 4))).toEqual(["WITH", "WITH", "WITH"])
    }).pipe(
      Effect.provide(
        layerStores({
          query: noting(own.query),
          reserve: async () => {
            const { query, release } = await own.reserve()
            return { query: noting(query), release }
          },
        }),
      ),
    )
  }).pipe(Effect.scoped),
)

it.live("a platform's event whose change continues after a stale commit MUST store nothing of it (D57)", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const [inbox, store] = yield* Effect.all([Inbox, OrderStore])
      const shop = yield* newShop
      const item = makeInboxItem(shop)
      yield* inbox.put(item)
      const order = makeOrder(shop, "1", { revision: 2 })
      const stale = store.commit({ shop, designs: [makeDesign(shop, "a")], order, events: [] })
      const done = { state: "applied", reason: null, designId: null } as const
      const applied = yield* Effect.flip(inbox.apply(shop, item.id, () => Effect.as(Effect.ignore(stale), done)))
      expect(applied).toMatchObject({ _tag: "StorageError" })
      expect(yield* store.designs(shop, ["a"])).toEqual([])
      expect(Option.getOrThrow(yield* inbox.find(shop, item.id)).state).toBe("waiting")
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)

it.live("a commit MUST look up the designs that it changes by their keys", () =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const store = yield* OrderStore
      const sql = yield* SqlClient.SqlClient
      const shop = yield* newShop
      const many = 1_000
      const designs = Array.from({ length: many }, (_, index) => makeDesign(shop, `d-${index}`))
      yield* store.commit({ shop, designs, order: null, events: [] })
      yield* sql`VACUUM ANALYZE designwire.designs`
      const before = yield* rowsRead("designs")
      let design = makeDesign(shop, "d-1")
      // The server keeps a generic plan only after it has made some custom plans.
      for (const _ of Array.from({ length: 8 })) {
        design = changed(design)
        yield* store.commit({ shop, designs: [design], order: null, events: [] })
      }
      expect((yield* rowsRead("designs")) - before).toBeLessThan(many)
    }).pipe(Effect.provide(layer({ url: Redacted.make(url), maxConnections: 1 })))
  }).pipe(Effect.scoped),
)
