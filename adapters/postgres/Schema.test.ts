import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { makeShop } from "../../conformance/suites/storage/support/Fixtures.ts"
import { createEndpoint, happen } from "../../conformance/suites/storage/support/Webhooks.ts"
import { freshDatabase } from "../../conformance/testkit/databases/Database.ts"
import { ShopStore } from "../../core/ports/ShopStore.ts"
import { Upkeep } from "../../core/ports/Upkeep.ts"
import { layer, layerClient, migrate, migrations } from "./index.ts"

/** A separate connection. */
const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client(url)
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end()),
  )

it.live("two schemas in one database MUST NOT see or disturb each other: tables, channels, locks", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const outside = yield* connect(url)
    const query = (text: string) => Effect.promise(() => outside.query<{ lock: string }>(text))
    const inSchema = <A, E, R>(schema: string | undefined, effect: Effect.Effect<A, E, R>) =>
      Effect.provide(effect, layer({ url: Redacted.make(url), ...(schema === undefined ? {} : { schema }) }), {
        local: true,
      })
    yield* inSchema(undefined, migrate)
    // One schema is being migrated and cleared by others, for good.
    yield* query("BEGIN; SELECT pg_advisory_xact_lock(7361950021), pg_advisory_xact_lock(7361950022)")
    expect(yield* inSchema("designs", migrate)).toEqual(Object.keys(migrations))
    const step = { keep: 1, eventsBefore: 0, now: 0, limit: 10, after: null }
    expect(
      yield* inSchema(
        undefined,
        Effect.flatMap(Upkeep, (upkeep) => upkeep.prune(step)),
      ),
    ).toBeNull()
    expect(
      yield* inSchema(
        "designs",
        Effect.flatMap(Upkeep, (upkeep) => upkeep.prune(step)),
      ),
    ).not.toBeNull()
    yield* query("ROLLBACK")

    const heard: Array<string> = []
    outside.on("notification", ({ channel }) => void heard.push(channel))
    yield* query('LISTEN designwire_deliveries; LISTEN "designs_deliveries"')
    const shop = makeShop()
    const added = Effect.gen(function* () {
      const shops = yield* ShopStore
      expect(yield* shops.list({ search: null, after: null, limit: 10 })).toEqual([])
      yield* shops.put(shop)
      yield* createEndpoint(shop.id)
      yield* happen(shop.id)
      expect(yield* shops.list({ search: null, after: null, limit: 10 })).toEqual([shop])
      expect((yield* (yield* Upkeep).statistics(Date.now())).pending).toBe(1)
    })
    yield* inSchema("designs", added)
    yield* query("SELECT 1")
    expect(heard).toEqual(["designs_deliveries"])
    yield* inSchema(undefined, added)
    yield* query("SELECT 1")
    expect(heard).toEqual(["designs_deliveries", "designwire_deliveries"])
  }).pipe(Effect.scoped),
)

it.live("MUST refuse an invalid schema name before anything is sent", () =>
  Effect.gen(function* () {
    for (const schema of ["", "Designs", "2", "a-b", 'a"; DROP SCHEMA designwire; --', "pg_designs", "a".repeat(49)]) {
      const url = Redacted.make("postgres://127.0.0.1:1/nowhere")
      const exit = yield* Effect.exit(Effect.provide(ShopStore, layer({ url, schema }), { local: true }))
      expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain(
        "The schema must be the name of a schema: 1 to 48 lower-case letters, digits and underscores",
      )
    }
  }),
)

it.live("a crash of the server MUST forget counted requests alone, as the guide says (D16)", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    yield* Effect.gen(function* () {
      yield* migrate
      const sql = yield* SqlClient.SqlClient
      // Tables that are not written to the log are emptied by a recovery.
      const unlogged = yield* sql<{ name: string }>`SELECT c.relname AS name FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'designwire' WHERE c.relkind = 'r' AND c.relpersistence <> 'p'`
      expect(unlogged).toEqual([{ name: "rate_windows" }])
    }).pipe(Effect.provide(layerClient({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
  }).pipe(Effect.scoped),
)
