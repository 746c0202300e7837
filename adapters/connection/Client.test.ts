import { expect, it, vi } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerClient, layerStores } from "./index.ts"
import { fromPostgresJsPool, type PostgresJsPoolLike } from "./PostgresJs.ts"

/** A pool that returns no rows, and fails for the statements that `errors` names. */
const makePool = (errors: Readonly<Record<string, Error>>) => {
  const sent: Array<string> = []
  const released: Array<boolean> = []
  const query = async (text: string) => {
    sent.push(text)
    if (errors[text] !== undefined) throw errors[text]
    return []
  }
  const release = (broken: boolean) => void released.push(broken)
  return { sent, released, pool: { query, reserve: async () => ({ query, release }) } }
}

const failure = (code: string) => Object.assign(new Error("It failed"), { code })

/** A transaction that ignores a failing statement. */
const transaction = SqlClient.SqlClient.use((sql) => sql.withTransaction(Effect.ignore(sql`INSERT`)))

const cases = [
  {
    title: "MUST give a connection back as usable if the server refuses the commit",
    errors: { COMMIT: failure("40001") },
    end: "COMMIT",
    broken: false,
  },
  {
    title: "MUST roll back and fail because a statement failed, and give the connection back as usable",
    errors: { INSERT: failure("23505") },
    end: "ROLLBACK",
    broken: false,
  },
  {
    title: "MUST roll back and fail if the outcome of a statement is unknown: a COMMIT might store it",
    errors: { INSERT: new Error("Query read timeout") },
    end: "ROLLBACK",
    broken: false,
  },
  {
    title: "MUST give a connection back as broken if it is lost during the commit",
    errors: { COMMIT: failure("ECONNRESET") },
    end: "COMMIT",
    broken: true,
  },
  {
    title: "MUST give a connection back as broken if the outcome of the commit is unknown",
    errors: { COMMIT: new Error("Query read timeout") },
    end: "COMMIT",
    broken: true,
  },
]

for (const { broken, end, errors, title } of cases) {
  it.effect(title, () =>
    Effect.gen(function* () {
      const { pool, released, sent } = makePool(errors)
      const error = yield* Effect.flip(Effect.provide(transaction, layerClient(pool)))
      expect(error._tag).toBe("SqlError")
      expect(sent).toEqual(["BEGIN", "SELECT set_config('lock_timeout', '30000', true) AS waits", "INSERT", end])
      expect(released).toEqual([broken])
    }),
  )
}

it.live(
  "MUST stop waiting for a connection if the transaction is interrupted, and give back one that comes later",
  () =>
    Effect.gen(function* () {
      const { pool, released, sent } = makePool({})
      const asked = Promise.withResolvers<void>()
      const lent = Promise.withResolvers<void>()
      const reserve = async () => {
        asked.resolve()
        await lent.promise
        return pool.reserve()
      }
      const fiber = yield* Effect.forkChild(Effect.provide(transaction, layerClient({ ...pool, reserve })))
      yield* Effect.promise(() => asked.promise)
      yield* Fiber.interrupt(fiber)
      lent.resolve()
      yield* Effect.promise(() => vi.waitFor(() => expect(released).toEqual([false])))
      expect(sent).toEqual([])
    }),
)

it.live("MUST stop listening if its connection comes after the layer is closed", () =>
  Effect.gen(function* () {
    const { pool } = makePool({})
    const asked = Promise.withResolvers<void>()
    const lent = Promise.withResolvers<void>()
    const stop = vi.fn()
    const listen = async () => {
      asked.resolve()
      await lent.promise
      return stop
    }
    yield* Effect.scoped(
      Effect.andThen(
        Layer.build(layerStores({ ...pool, listen })),
        Effect.promise(() => asked.promise),
      ),
    )
    lent.resolve()
    yield* Effect.promise(() => vi.waitFor(() => expect(stop).toHaveBeenCalledOnce()))
  }),
)

it("postgres.js MUST stop listening to the first channel if it can't listen to the second", async () => {
  const channels = new Set<string>()
  const sql: Pick<PostgresJsPoolLike, "listen"> = {
    listen: async (channel) => {
      if (channel === "second") throw failure("53300")
      channels.add(channel)
      return { unlisten: async () => void channels.delete(channel) }
    },
  }
  const { listen } = fromPostgresJsPool(sql as PostgresJsPoolLike)
  const listener = { heard: () => undefined, lost: () => undefined }
  await expect(listen?.(["first", "second"], listener)).rejects.toThrow("It failed")
  expect([...channels]).toEqual([])
})
