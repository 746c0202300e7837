/** Orders placed in an embedder's own transactions, with every library. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { tableWaits } from "../../conformance/testkit/databases/TableWaits.ts"
import type { Isolation, OwnTransaction } from "../../conformance/testkit/drivers/Library.ts"
import { libraries, runs } from "../../conformance/testkit/drivers/OwnConnections.ts"
import { type Backend, withBackend } from "../../conformance/testkit/drivers/OwnTransactions.ts"
import { order } from "../../conformance/testkit/workers/Fleet.ts"
import { StorageError } from "../../core/ports/StorageError.ts"
import { within } from "./index.ts"

const isStorageError = (error: unknown): error is StorageError => error instanceof StorageError

/** The failure of a promise. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("It did not fail")
    },
    (error: unknown) => error,
  )

for (const library of libraries) {
  describe(`A transaction of ${library.name}`, () => {
    /** Places an order within the transaction. */
    const place = (backend: Backend, { query }: OwnTransaction, id: string) =>
      backend.ours(within(query)(order(backend.shop, id)))

    /** Adds a cart and places its order. */
    const checkout = async (backend: Backend, own: OwnTransaction, id: string) => {
      await own.run(`INSERT INTO carts (id) VALUES ('${id}')`)
      await place(backend, own, id)
    }

    let tests = 0
    const test = (title: string, run: (backend: Backend) => Promise<void>) => {
      if (!runs(library, tests++)) return
      it.live(title, () => withBackend(library, (backend) => Effect.promise(() => run(backend))))
    }

    const kept = (backend: Backend) => Effect.runPromise(backend.kept)

    test("MUST commit the embedder's row, the order and its event together, and show none before", async (backend) => {
      await backend.connections.transaction(async (own) => {
        await checkout(backend, own, "1")
        expect(await kept(backend)).toEqual({ carts: [], orders: [], events: 0 })
        await checkout(backend, own, "2")
      })
      expect(await kept(backend)).toEqual({ carts: ["1", "2"], orders: ["1", "2"], events: 2 })
    })

    test("MUST leave none of them if it is rolled back", async (backend) => {
      const failed = backend.connections.transaction(async (own) => {
        await checkout(backend, own, "1")
        throw new Error("the payment is refused")
      })
      expect(await failureOf(failed)).toMatchObject({ message: "the payment is refused" })
      expect(await kept(backend)).toEqual({ carts: [], orders: [], events: 0 })
    })

    test("MUST continue after a call of ours fails, with nothing of that call left", async (backend) => {
      await backend.connections.transaction(async (own) => {
        await checkout(backend, own, "1")
        const refused = order(backend.shop, "2").pipe(Effect.andThen(Effect.fail("too late")))
        expect(await failureOf(backend.ours(within(own.query)(refused)))).toBe("too late")
        await checkout(backend, own, "3")
      })
      expect(await kept(backend)).toEqual({ carts: ["1", "3"], orders: ["1", "3"], events: 2 })
    })

    test("MUST continue after a database error in our statement, in the database's words", async (backend) => {
      await Effect.runPromise(
        backend.look("ALTER TABLE designwire.uncounted_orders RENAME COLUMN ordered_at TO placed_at"),
      )
      await backend.connections.transaction(async (own) => {
        await own.run("INSERT INTO carts (id) VALUES ('1')")
        const error = await failureOf(place(backend, own, "1"))
        expect(error).toMatchObject({
          _tag: "StorageError",
          message:
            'The database is not migrated: run "designwire migrate". Storing a change: ' +
            'column "ordered_at" of relation "uncounted_orders" does not exist (SQLSTATE 42703)',
        })
        await own.run("INSERT INTO carts (id) VALUES ('2')")
      })
      expect(await kept(backend)).toEqual({ carts: ["1", "2"], orders: [], events: 0 })
    })

    test("MUST roll back our part if the embedder's own statement fails, and refuse further calls", async (backend) => {
      const failed = backend.connections.transaction(async (own) => {
        await checkout(backend, own, "1")
        const error = await failureOf(own.run("INSERT INTO carts (id) VALUES ('1')"))
        const refused = await failureOf(place(backend, own, "2"))
        expect(isStorageError(refused) && refused.message).toMatch(/SQLSTATE 25P02/)
        throw error
      })
      await failureOf(failed)
      expect(await kept(backend)).toEqual({ carts: [], orders: [], events: 0 })
    })

    test("MUST run simultaneous calls one after the other, and keep the ones that succeed", async (backend) => {
      await backend.connections.transaction(async (own) => {
        await own.run("INSERT INTO carts (id) VALUES ('1')")
        const outcomes = await Promise.allSettled([
          place(backend, own, "1"),
          backend.ours(within(own.query)(Effect.andThen(order(backend.shop, "2"), Effect.fail("too late")))),
          place(backend, own, "3"),
          backend.ours(within(own.query)(within(own.query)(order(backend.shop, "4")))),
        ])
        expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
      })
      expect(await kept(backend)).toEqual({ carts: ["1"], orders: ["1", "3", "4"], events: 3 })
    })

    test("MUST keep nested calls in two transactions apart, and from a transaction of ours", async (backend) => {
      const failed = backend.connections.transaction(async (outer) => {
        await backend.connections.transaction(async (inner) => {
          const both = Effect.andThen(order(backend.shop, "1"), within(inner.query)(order(backend.shop, "2")))
          await backend.ours(within(outer.query)(both))
          await backend.ours(
            SqlClient.SqlClient.use((sql) => sql.withTransaction(within(inner.query)(order(backend.shop, "3")))),
          )
          expect(await kept(backend)).toEqual({ carts: [], orders: [], events: 0 })
        })
        throw new Error("the payment is refused")
      })
      await failureOf(failed)
      expect(await kept(backend)).toEqual({ carts: [], orders: ["2", "3"], events: 2 })
    })

    test("MUST limit our wait for locks, unless the embedder's own limit is shorter, and leave that as it was", async (backend) => {
      await backend.connections.transaction(async (own) => {
        const waits = SqlClient.SqlClient.use(
          (sql) => sql<{ waits: string }>`SELECT current_setting('lock_timeout') AS waits`,
        )
        const theirs = async () =>
          (await own.query("SELECT current_setting('lock_timeout') AS waits", []))[0]?.["waits"]
        for (const [limit, inside] of [
          ["0", "30s"],
          ["5min", "30s"],
          ["50ms", "50ms"],
        ] as const) {
          await own.run(`SET LOCAL lock_timeout = '${limit}'`)
          expect(await backend.ours(within(own.query)(waits))).toEqual([{ waits: inside }])
          expect(await theirs()).toBe(limit)
          await failureOf(backend.ours(within(own.query)(Effect.fail("too late"))))
          expect(await theirs()).toBe(limit)
        }
      })
    })

    test("MUST NOT wait for another open transaction", async (backend) => {
      await backend.connections.transaction(async (own) => {
        await checkout(backend, own, "1")
        await backend.connections.transaction((other) => checkout(backend, other, "2"))
        expect(await kept(backend)).toEqual({ carts: ["2"], orders: ["2"], events: 1 })
      })
      expect(await kept(backend)).toEqual({ carts: ["1", "2"], orders: ["1", "2"], events: 2 })
    })

    for (const isolation of ["repeatable read", "serializable"] satisfies Array<Isolation>) {
      test(`MUST refuse at ${isolation.toUpperCase()} what another has changed, and place it in the next`, async (backend) => {
        await backend.connections.transaction((own) => checkout(backend, own, "1"), isolation)
        const failed = backend.connections.transaction(async (own) => {
          // The first statement fixes the state of the database that the transaction sees.
          await own.run("SELECT count(*) FROM carts")
          await backend.connections.transaction((other) => checkout(backend, other, "2"), isolation)
          await own.run("INSERT INTO carts (id) VALUES ('3')")
          await place(backend, own, "2")
        }, isolation)
        expect(await failureOf(failed)).toMatchObject({
          _tag: "Conflict",
          message: expect.stringContaining("roll back the transaction"),
        })
        await backend.connections.transaction((own) => checkout(backend, own, "3"), isolation)
        expect(await kept(backend)).toEqual({ carts: ["1", "2", "3"], orders: ["1", "2", "3"], events: 3 })
      })
    }

    test("MUST fail with a StorageError if the connection is lost during our statement", async (backend) => {
      const checked = Promise.withResolvers<void>()
      await Effect.runPromise(backend.look("BEGIN; LOCK TABLE designwire.uncounted_orders"))
      const failed = backend.connections.transaction(async (own) => {
        await own.run("INSERT INTO carts (id) VALUES ('1')")
        const placing = failureOf(place(backend, own, "1"))
        const waiting = backend.look<{ pid: number }>(tableWaits("designwire.uncounted_orders"))
        const [row] = await Effect.runPromise(
          Effect.repeat(Effect.delay(waiting, "5 millis"), { until: (rows) => rows.length > 0 }),
        )
        await Effect.runPromise(backend.look(`SELECT pg_terminate_backend(${row?.pid})`))
        const error = await placing
        expect(isStorageError(error), String(error)).toBe(true)
        const again = await failureOf(place(backend, own, "1"))
        expect(isStorageError(again), String(again)).toBe(true)
        checked.resolve()
        if (library.leftOpenWhenLost) await new Promise(() => undefined)
        throw error
      })
      await failureOf(failed)
      await checked.promise
      await Effect.runPromise(backend.look("ROLLBACK"))
      expect(await kept(backend)).toEqual({ carts: [], orders: [], events: 0 })
      await backend.connections.transaction((own) => checkout(backend, own, "2"))
      expect(await kept(backend)).toEqual({ carts: ["2"], orders: ["2"], events: 1 })
    })

    test("MUST fail with a StorageError if it has ended", async (backend) => {
      let ended: OwnTransaction | undefined
      await backend.connections.transaction(async (own) => {
        ended = own
        await checkout(backend, own, "1")
      })
      const error = await failureOf(place(backend, ended as OwnTransaction, "2"))
      expect(isStorageError(error), String(error)).toBe(true)
      expect(await kept(backend)).toEqual({ carts: ["1"], orders: ["1"], events: 1 })
    })
  })
}
