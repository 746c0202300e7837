import { type OwnPool, type Query, queryOf, queryReserved, type Reserved, type Row } from "./Query.ts"

/** Anything that runs statements in postgres.js: `sql` itself, or the `sql` of a transaction or reserved connection. */
interface Statements {
  unsafe(text: string, values: Array<never>, options: { readonly prepare: boolean }): PromiseLike<Iterable<Row>>
}

/** The `sql` that `sql.begin` or a savepoint of postgres.js passes to its function. */
export interface PostgresJsTransactionLike extends Statements {
  savepoint(run: (sql: PostgresJsTransactionLike) => Promise<void>): Promise<unknown>
}

/** `sql` of postgres.js. */
export interface PostgresJsPoolLike extends Statements {
  reserve(): Promise<Statements & { release(): void }>
  listen(channel: string, heard: (payload: string) => void, listening: () => void): Promise<Subscription>
}

interface Subscription {
  unlisten(): Promise<void>
}

/** Statements are prepared by name, unless `prepare: false` is set for the whole pool, as behind a pooler. */
const statements =
  (sql: Statements): Query =>
  async (text, values) => [...(await sql.unsafe(text, values as Array<never>, { prepare: true }))]

/** The transaction of a `sql.begin` of postgres.js. */
export const fromPostgresJs = (sql: PostgresJsTransactionLike): Query =>
  queryOf(sql, () =>
    // postgres.js ends a transaction in which a statement fails, unless it set a savepoint around the statement.
    Object.assign(statements(sql), {
      savepoint: async (run: (query: Query) => Promise<void>) => {
        await sql.savepoint((inner) => run(statements(inner)))
      },
    }),
  )

const reserve = async (sql: PostgresJsPoolLike): Promise<Reserved> => {
  const reserved = await sql.reserve()
  return {
    query: statements(reserved),
    // A broken connection can't be closed; released, it would be lent again as it is. A lost one has left the pool.
    release: (broken) => {
      if (!broken) reserved.release()
    },
  }
}

/** A pool of postgres.js, as `postgres(…)` returns it. Listening uses a connection beyond its `max`. */
export const fromPostgresJsPool = (sql: PostgresJsPoolLike): OwnPool => ({
  query: queryReserved(() => reserve(sql)),
  reserve: () => reserve(sql),
  listen: async (channels, { heard, lost }) => {
    const subscriptions: Array<Subscription> = []
    const stop = async () => {
      for (const subscription of subscriptions) await subscription.unlisten()
    }
    try {
      for (const channel of channels) {
        let times = 0
        // postgres.js reconnects on its own, and reports only that it listens again.
        const listening = () => void (++times > 1 && lost(new Error("The connection was lost")))
        subscriptions.push(await subscribed(sql, channel, (payload) => heard(channel, payload), listening))
      }
    } catch (error) {
      // A failure here repeats the one that is thrown.
      await stop().catch(() => undefined)
      throw error
    }
    return stop
  },
})

/** postgres.js keeps a LISTEN that failed, and would answer every further one on its channel with the same failure. */
const subscribed = async (
  { listen }: PostgresJsPoolLike & { readonly listen: { readonly channels?: Record<string, unknown> } },
  ...[channel, heard, listening]: Parameters<PostgresJsPoolLike["listen"]>
): Promise<Subscription> => {
  const subscription = listen(channel, heard, listening)
  const kept = listen.channels?.[channel]
  try {
    return await subscription
  } catch (error) {
    if (listen.channels?.[channel] === kept) delete listen.channels?.[channel]
    throw error
  }
}
