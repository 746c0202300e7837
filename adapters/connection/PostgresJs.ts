import { type OwnPool, type Query, queryOf, type Row } from "./Query.ts"

/** What postgres.js runs statements with: `sql` itself, that of a transaction or of a reserved connection. */
interface Statements {
  unsafe(text: string, values: Array<never>, options: { readonly prepare: boolean }): PromiseLike<Iterable<Row>>
}

/** The `sql` of a transaction of postgres.js: what `sql.begin` gives, or a savepoint. */
export interface PostgresJsTransactionLike extends Statements {
  savepoint(run: (sql: PostgresJsTransactionLike) => Promise<void>): Promise<unknown>
}

/** `sql` of postgres.js. */
export interface PostgresJsPoolLike extends Statements {
  reserve(): Promise<Statements & { release(): void }>
  listen(
    channel: string,
    heard: (payload: string) => void,
    listening: () => void,
  ): Promise<{ unlisten(): Promise<void> }>
}

/** Prepared by name, unless `prepare: false` is set for the whole pool, as behind a pooler. */
const statements =
  (sql: Statements): Query =>
  async (text, values) => [...(await sql.unsafe(text, values as Array<never>, { prepare: true }))]

/** The transaction of a `sql.begin` of postgres.js. */
export const fromPostgresJs = (sql: PostgresJsTransactionLike): Query =>
  queryOf(sql, () =>
    // It ends a transaction in which a statement has failed, unless that was in a savepoint of which it knows.
    Object.assign(statements(sql), {
      savepoint: async (run: (query: Query) => Promise<void>) => {
        await sql.savepoint((inner) => run(statements(inner)))
      },
    }),
  )

/** A pool of postgres.js: what `postgres(…)` answers. Listening takes a connection beyond its `max`. */
export const fromPostgresJsPool = (sql: PostgresJsPoolLike): OwnPool => ({
  query: statements(sql),
  reserve: async () => {
    const reserved = await sql.reserve()
    return {
      query: statements(reserved),
      // It can't be closed, and has left the pool itself where it is lost; given back, it would be lent again as it is.
      release: (broken) => {
        if (!broken) reserved.release()
      },
    }
  },
  listen: async (channels, { heard, lost }) => {
    const subscriptions: Array<{ unlisten(): Promise<void> }> = []
    const stop = async () => {
      for (const subscription of subscriptions) await subscription.unlisten()
    }
    try {
      for (const channel of channels) {
        let times = 0
        // It connects again by itself, and tells nobody but that it listens once more.
        const listening = () => void (++times > 1 && lost(new Error("The connection was lost")))
        subscriptions.push(await sql.listen(channel, (payload) => heard(channel, payload), listening))
      }
    } catch (error) {
      // What it fails with now, it has failed with already.
      await stop().catch(() => undefined)
      throw error
    }
    return stop
  },
})
