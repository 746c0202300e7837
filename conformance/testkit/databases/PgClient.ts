/** Connections of a client of its own, alongside a store's. */
import { Effect, type Scope } from "effect"
import pg from "pg"

/** Connects for the lifetime of the scope. */
export const connected = (url: string): Effect.Effect<pg.Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      // A test ends some connections on purpose.
      client.on("error", () => undefined)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

/** Runs a statement. */
export const query = (client: pg.Client, text: string) => Effect.promise(() => client.query(text))
