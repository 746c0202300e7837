import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { describe } from "vitest"
import { OuterTransaction, register, storage } from "../../conformance/index.ts"
import {
  makeOrder,
  makeOrdered,
  makeShop,
  readOrder,
  retrying,
  someTime,
} from "../../conformance/suites/storage/support/Fixtures.ts"
import { twoHosts } from "../../conformance/suites/storage/support/Hosts.ts"
import {
  bothHosts,
  claimed,
  happen,
  logOf,
  makeEvent,
  newEndpoint,
  settleAll,
  success,
} from "../../conformance/suites/storage/support/Webhooks.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { noPgBouncer, pgBouncer } from "../../conformance/testkit/databases/PgBouncer.ts"
import { valueCases } from "../../conformance/testkit/databases/VariantCases.ts"
import { layer, layerClient, migrate, type PostgresOptions } from "./index.ts"

/** A test that needs a PgBouncer. */
const throughPgBouncer = (title: string, run: Effect.Effect<void, unknown, Scope.Scope>) =>
  noPgBouncer === undefined ? it.live(title, () => run) : it.live.skip(`${title}. Skipped: ${noPgBouncer}`, () => run)

/** The URL of a migrated database through a PgBouncer in transaction mode, and its direct URL. */
const pooled = Effect.fnUntraced(function* (poolSize: number) {
  const direct = yield* freshDatabase
  const url = yield* pgBouncer(direct, { poolSize })
  yield* Effect.provide(migrate, layerClient({ url: Redacted.make(url), pooler: "transaction", maxConnections: 1 }), {
    local: true,
  })
  return { url: Redacted.make(url), direct: Redacted.make(direct) }
})

const outerTransaction = Layer.effect(
  OuterTransaction,
  Effect.map(SqlClient.SqlClient, (sql) => ({ run: sql.withTransaction })),
)

if (noPgBouncer === undefined) {
  register(
    storage({
      name: "storage behind PgBouncer in transaction mode",
      ...valueCases,
      lacks: { faults: "the suite over Postgres cuts the same connections" },
      open: Effect.map(pooled(40), ({ direct, url }) =>
        Layer.provideMerge(outerTransaction, layer({ url, pooler: "transaction", listenUrl: direct })),
      ),
    }),
    { describe, it },
  )
} else it.skip(`the storage suite behind PgBouncer in transaction mode. Skipped: ${noPgBouncer}`, () => undefined)

/** Two hosts of 16 connections each. */
const of16 = (options: PostgresOptions) => twoHosts(Effect.succeed(layer({ ...options, maxConnections: 16 })))

throughPgBouncer(
  "MUST place orders, deliver and read on 16 connections at once through 2 sessions in transaction mode",
  Effect.gen(function* () {
    const { url } = yield* pooled(2)
    yield* Effect.gen(function* () {
      const [host, other] = yield* bothHosts
      const endpoint = yield* newEndpoint()
      const { shop } = endpoint
      const ids = Array.from({ length: 64 }, (_, index) => String(index))
      const placing = Effect.forEach(
        ids,
        (id) => {
          const order = makeOrder(shop, id)
          const change = { shop, designs: [makeOrdered(order, `d${id}`, 0)], order, events: [makeEvent(shop)] }
          return retrying(host.orders.commit(change))
        },
        { concurrency: 16 },
      )
      const reading = Effect.forEach(
        ids,
        (id) =>
          Effect.all([
            other.orders.readOrders({ shop, limit: 100, after: null, orderedAfter: null, bytes: 8 * 1024 * 1024 }),
            readOrder(other.orders, shop, id),
            other.shops.find(shop),
          ]),
        { concurrency: 16 },
      )
      let delivered = 0
      const delivering = Effect.gen(function* () {
        const claims = yield* claimed(other)
        yield* settleAll(
          other,
          [...claims.values()].map((claim) => success(claim)),
        )
        delivered += claims.size
      }).pipe(Effect.repeat({ while: () => delivered < ids.length }))
      yield* Effect.all([placing, reading, delivering], { concurrency: "unbounded" })
      const page = yield* other.orders.readOrders({
        shop,
        limit: 100,
        after: null,
        orderedAfter: null,
        bytes: 8 * 1024 * 1024,
      })
      expect([page.total, page.orders.length]).toEqual([ids.length, ids.length])
      expect((yield* logOf(host, endpoint)).map(({ status }) => status)).toEqual(ids.map(() => "succeeded"))
    }).pipe(
      Effect.scoped,
      Effect.provide(of16({ url, pooler: "transaction" })),
      // Statements that shared a connection got each other's results in about one of thirty runs.
      Effect.repeat({ times: 19 }),
    )
  }),
)

throughPgBouncer(
  "MUST let walks find deliveries of other hosts without notifications, behind a pooler without listenUrl",
  Effect.gen(function* () {
    const { url } = yield* pooled(2)
    yield* Effect.gen(function* () {
      const [, other] = yield* bothHosts
      const { shop } = yield* newEndpoint()
      yield* happen(shop)
      expect((yield* other.queue.walk({ now: someTime, after: null, limit: 10 })).shops).toEqual([shop])
    }).pipe(Effect.scoped, Effect.provide(of16({ url, pooler: "transaction" })))
  }),
)

throughPgBouncer(
  "MUST name the missing setting in the error of a failed statement",
  Effect.gen(function* () {
    const { url } = yield* pooled(2)
    yield* Effect.gen(function* () {
      const [host] = yield* bothHosts
      // Many connections prepare statements by name on two sessions.
      const some = Effect.forEach(Array.from({ length: 64 }), () => Effect.suspend(() => host.shops.put(makeShop())), {
        concurrency: 16,
      })
      const { message } = yield* Effect.flip(Effect.repeat(some, { times: 100 }))
      expect(message).toMatch(
        /^The database is behind a pooler in transaction mode: set DESIGNWIRE_DATABASE_POOLER=transaction, .*prepared statement "\w+"/,
      )
    }).pipe(Effect.scoped, Effect.provide(of16({ url })))
  }),
)
