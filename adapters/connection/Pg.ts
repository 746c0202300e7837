import { type OwnPool, type Query, queryOf, queryReserved, type Reserved, type Row } from "./Query.ts"

/** A client of `pg`, or an object like it, in whose transaction calls run. */
export interface PgClientLike {
  query(text: string, values: Array<unknown>): Promise<{ readonly rows: ReadonlyArray<Row> }>
}

/** The transaction that a client of `pg` began. */
export const fromPg = (client: PgClientLike): Query =>
  queryOf(client, () => async (text, values) => (await client.query(text, [...values])).rows)

/** A client that a pool of `pg` lends. */
export interface PgPoolClientLike extends PgClientLike {
  release(destroy?: boolean): void
  on(event: "error", listener: (error: Error) => void): unknown
  on(event: "end", listener: () => void): unknown
  on(
    event: "notification",
    listener: (message: { readonly channel: string; readonly payload?: string | undefined }) => void,
  ): unknown
  off(event: "error", listener: (error: Error) => void): unknown
}

/** A pool of `pg`, or an object like it. */
export interface PgPoolLike extends PgClientLike {
  /** With the maximum of its connections. */
  readonly options?: { readonly max?: number | undefined }
  connect(): Promise<PgPoolClientLike>
}

const reserve = async (pool: PgPoolLike): Promise<Reserved> => {
  const client = await pool.connect()
  // Without a listener, Node would end the process when the connection is lost between statements. The next statement
  // fails anyway.
  const ignore = () => undefined
  client.on("error", ignore)
  return {
    query: fromPg(client),
    release: (broken) => {
      client.off("error", ignore)
      client.release(broken)
    },
  }
}

/** Listens over a connection of the pool, which nothing else can use until then. */
const listenOver =
  (pool: PgPoolLike): NonNullable<OwnPool["listen"]> =>
  async (channels, { heard, lost }) => {
    const client = await pool.connect()
    client.on("notification", ({ channel, payload }) => heard(channel, payload ?? ""))
    client.on("error", lost)
    client.on("end", () => lost(new Error("The connection has ended")))
    const stop = () => client.release(true)
    try {
      for (const channel of channels) await client.query(`LISTEN "${channel}"`, [])
    } catch (error) {
      stop()
      throw error
    }
    return stop
  }

/**
 * A `Pool` of `pg`. Listening occupies one of its connections for good; a pool of one connection therefore does not
 * listen, and workers look for deliveries every second.
 */
export const fromPgPool = (pool: PgPoolLike): OwnPool => ({
  query: queryReserved(() => reserve(pool)),
  reserve: () => reserve(pool),
  ...(pool.options?.max !== 1 && { listen: listenOver(pool) }),
})
