import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import pg from "pg"
import {
  makeOrder,
  makeOrdered,
  newShop,
  someTime,
  wholePage,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { tableWaits } from "../../conformance/testkit/databases/TableWaits.ts"
import { OrderStore } from "../../core/ports/OrderStore.ts"
import { layerClient, layerStores, migrate } from "./index.ts"

it.live("MUST fail with a StorageError if the connection is lost within a transaction, and succeed in the next", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const client = layerClient({ url: Redacted.make(url) })
    const stores = layerStores().pipe(Layer.provide(Layer.effectDiscard(migrate)), Layer.provide(client))
    const other = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const connection = new pg.Client(url)
        await connection.connect()
        return connection
      }),
      (connection) => Effect.promise(() => connection.end()),
    )
    const query = (text: string) => Effect.promise(() => other.query<{ pid: number }>(text))

    yield* Effect.gen(function* () {
      const store = yield* OrderStore
      const shop = yield* newShop
      const order = makeOrder(shop, "1001", { orderedAt: someTime })
      const change = { shop, designs: [makeOrdered(order, "d", 0)], order, events: [] }
      // The commit waits for a table that this connection has locked, and loses its own connection meanwhile.
      yield* query("BEGIN; LOCK TABLE designwire.uncounted_orders")
      const committing = yield* Effect.forkChild(Effect.flip(store.commit(change)))
      const waiting = query(tableWaits("designwire.uncounted_orders"))
      const { rows } = yield* Effect.repeat(Effect.delay(waiting, "5 millis"), {
        until: ({ rows }) => rows.length > 0,
      })
      yield* query(`SELECT pg_terminate_backend(${rows[0]?.pid})`)
      expect(yield* Fiber.join(committing)).toMatchObject({ _tag: "StorageError" })
      yield* query("ROLLBACK")
      yield* store.commit(change)
      expect((yield* store.readOrders({ shop, ...wholePage })).total).toBe(1)
    }).pipe(Effect.provide(stores))
  }).pipe(Effect.scoped),
)
