/** A shop's backend that uses a library, with a table of its own alongside our schema. */
import { NodeCrypto } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import pg from "pg"
import { layerStores } from "../../../adapters/connection/index.ts"
import * as NodeAdapter from "../../../adapters/node/index.ts"
import { KeyRing } from "../../../core/ports/KeyRing.ts"
import { WebhookPolicy } from "../../../core/ports/WebhookPolicy.ts"
import { migratedDatabase } from "../databases/Database.ts"
import { host, keyRing, localPolicy, newShop } from "../workers/Fleet.ts"
import type { Library } from "./Library.ts"
import { pools } from "./OwnConnections.ts"

/** The contents of the database, seen from outside of transactions. */
export interface Kept {
  readonly carts: ReadonlyArray<string>
  readonly orders: ReadonlyArray<string>
  readonly events: number
}

/** The services of use cases, over the library's own pool if it has one, or else over our own connections. */
const hostOf = (library: Library, url: string) => {
  const pool = pools.find((each) => each.library === library)
  if (pool === undefined) return host(url)
  return Layer.mergeAll(
    Layer.unwrap(Effect.map(pool.open(url), (own) => layerStores(own))),
    NodeCrypto.layer,
    NodeAdapter.layerLookup(),
    Layer.succeed(KeyRing, keyRing),
    Layer.succeed(WebhookPolicy, localPolicy),
  )
}

type Services = Layer.Success<ReturnType<typeof host>>

/** Connects the library to a new database, with a shop, a table `carts` and a separate connection. */
const open = (library: Library, url: string) =>
  Effect.gen(function* () {
    const outside = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const client = new pg.Client(url)
        await client.connect()
        return client
      }),
      (client) => Effect.promise(() => client.end()),
    )
    const look = <R extends pg.QueryResultRow>(text: string) =>
      Effect.map(
        Effect.promise(() => outside.query<R>(text)),
        ({ rows }) => rows,
      )
    yield* look("CREATE TABLE carts (id text PRIMARY KEY)")
    const connections = yield* library.connect(url)
    const context = yield* Effect.context<Services>()
    return {
      shop: yield* newShop,
      connections,
      look,
      /** Runs an effect as the façade does. */
      ours: <A, E>(effect: Effect.Effect<A, E, Services>): Promise<A> =>
        Effect.runPromise(Effect.provideContext(effect, context)),
      kept: Effect.map(
        look<{ carts: Array<string>; orders: Array<string>; events: number }>(`
SELECT ARRAY(SELECT id FROM carts ORDER BY id) AS carts, ARRAY(SELECT id FROM designwire.orders ORDER BY id) AS orders,
  (SELECT count(*)::int4 FROM designwire.events WHERE event = 'design.ordered') AS events`),
        ([row]) => row as Kept,
      ),
    }
  })

/** A backend on a new database. */
export type Backend = Effect.Success<ReturnType<typeof open>>

/** Runs a test with a backend. */
export const withBackend = <A, E>(library: Library, test: (backend: Backend) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase
    return yield* Effect.provide(Effect.scoped(Effect.flatMap(open(library, url), test)), hostOf(library, url), {
      local: true,
    })
  }).pipe(Effect.scoped)
