import { expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, Queue, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { someTime } from "../../conformance/suites/storage/support/Fixtures.ts"
import { happen, newEndpoint } from "../../conformance/suites/storage/support/Webhooks.ts"
import { migratedDatabase } from "../../conformance/testkit/databases/Database.ts"
import { pools } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { DeliveryQueue } from "../../core/ports/DeliveryQueue.ts"
import { DeliverySignal } from "../../core/ports/DeliverySignal.ts"
import * as Postgres from "../postgres/index.ts"
import { type ConnectionOptions, layerStores } from "./index.ts"

/** A step of a walk. */
const step = { now: someTime, after: null, limit: 10 }

for (const { library, open } of pools) {
  /** A worker over the pool, and a host over our own connections on the same database. */
  const worker = (options: ConnectionOptions = {}) =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const stores = Layer.provide(layerStores(yield* open(url), options), logger)
      const [signal, queue] = yield* Effect.map(
        Layer.build(stores),
        (context) =>
          [
            context.pipe((all) => Effect.provideContext(DeliverySignal, all)),
            context.pipe((all) => Effect.provideContext(DeliveryQueue, all)),
          ] as const,
      )
      const signals = yield* (yield* signal).subscribe
      const host = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 2 }))
      const waiting = yield* queue
      return {
        lines,
        host,
        waiting,
        /** Waits until a signal announces a delivery; some signals come without one. */
        told: Effect.repeat(Effect.andThen(Queue.take(signals), waiting.walk(step)), {
          until: ({ shops }) => shops.length > 0,
        }),
      }
    })

  /** The server's processes that listen. */
  const listening = SqlClient.SqlClient.use(
    (sql) => sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND query ILIKE 'listen %' AND application_name <> 'designwire'`,
  )

  const happens = Effect.flatMap(newEndpoint(), ({ shop }) => happen(shop))

  it.live(`a worker over a pool of ${library.name} MUST receive other hosts' signals, also after a logged loss`, () =>
    Effect.gen(function* () {
      const { host, lines, told } = yield* worker()
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [before] = yield* Effect.repeat(Effect.delay(listening, "10 millis"), {
          until: (found) => found.length > 0,
        })
        expect(lines).toEqual([])
        yield* sql`SELECT pg_terminate_backend(${before?.pid}::int4) AS ended`
        yield* Effect.repeat(Effect.delay(listening, "10 millis"), {
          until: (found) => found.some(({ pid }) => pid !== before?.pid) && lines.length > 1,
        })
        expect(lines).toEqual([
          expect.stringMatching(/^Lost the channels designwire_tokens and designwire_deliveries; listening again: \S/),
          expect.stringMatching(
            /^Listening again to designwire_tokens and designwire_deliveries, after (one try|\d tries) in \S/,
          ),
        ])
        yield* happens
        yield* told
      }).pipe(Effect.provideContext(host))
    }).pipe(Effect.scoped),
  )

  it.live(`a worker over a pool of ${library.name} MUST walk every second if it can't listen, behind a pooler`, () =>
    Effect.gen(function* () {
      const { host, waiting } = yield* worker({ pooler: "transaction" })
      yield* Effect.gen(function* () {
        expect(yield* listening).toEqual([])
        yield* happens
        const { nextDue, shops } = yield* waiting.walk(step)
        expect([shops.length, nextDue]).toEqual([1, step.now + 1_000])
      }).pipe(Effect.provideContext(host))
    }).pipe(Effect.scoped),
  )
}
