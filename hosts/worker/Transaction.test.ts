import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { host, newEndpoint, newShop, order, startWorkers } from "../../conformance/testkit/workers/Fleet.ts"
import { webhookReceiver } from "../../conformance/testkit/workers/WebhookReceiver.ts"

it.live("an embedder's row and our event MUST be committed together or not at all, with nothing sent before", () =>
  Effect.gen(function* () {
    const receiver = yield* webhookReceiver(() => Effect.succeed(204))
    const url = yield* migratedDatabase
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE carts (id text PRIMARY KEY)`
      // Transactions with orders of one shop wait for each other.
      const [shop, other] = [yield* newShop, yield* newShop]
      yield* newEndpoint(shop, receiver, "/hook")
      yield* newEndpoint(other, receiver, "/other")
      yield* startWorkers(1, url)

      const kept = Effect.map(
        sql<{ carts: ReadonlyArray<string>; orders: ReadonlyArray<string>; events: number; deliveries: number }>`
SELECT ARRAY(SELECT id FROM carts ORDER BY id) AS carts, ARRAY(SELECT id FROM designwire.orders ORDER BY id) AS orders,
  (SELECT count(*)::int4 FROM designwire.events WHERE event = 'design.ordered') AS events,
  (SELECT count(*)::int4 FROM designwire.deliveries) AS deliveries`,
        ([row]) => row,
      )
      /** Orders a cart, and runs something before the commit. */
      const checkout = <E, R>(shop: string, id: string, last: Effect.Effect<unknown, E, R>) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO carts (id) VALUES (${id})`
            yield* order(shop, id)
            yield* last
          }),
        )
      const arrived = (id: string) => receiver.requests.some(({ body }) => body.includes(`"#${id}"`))

      const failed = yield* Effect.exit(checkout(shop, "failed", Effect.fail("the payment is refused")))
      expect(Exit.isFailure(failed)).toBe(true)
      expect(yield* kept).toEqual({ carts: [], orders: [], events: 0, deliveries: 0 })

      const placed = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const open = yield* Effect.forkChild(
        checkout(shop, "open", Effect.andThen(Deferred.succeed(placed, undefined), Deferred.await(go))),
      )
      yield* Deferred.await(placed)
      // Another order overtakes it: a worker ran meanwhile.
      yield* checkout(other, "quick", Effect.void)
      yield* receiver.until(() => arrived("quick"))
      expect(arrived("open")).toBe(false)
      expect(yield* kept).toEqual({ carts: ["quick"], orders: ["quick"], events: 1, deliveries: 1 })

      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(open)
      expect(yield* kept).toEqual({ carts: ["open", "quick"], orders: ["open", "quick"], events: 2, deliveries: 2 })
      yield* receiver.until(() => arrived("open") && receiver.open.size === 0)
      expect(receiver.requests.map(({ signed, status }) => [signed, status])).toEqual([
        [true, 204],
        [true, 204],
      ])
      expect(arrived("failed")).toBe(false)
    }).pipe(Effect.provide(host(url)))
  }),
)
