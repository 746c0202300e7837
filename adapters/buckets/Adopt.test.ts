/** A deployment without buckets that gets some. */
import { expect, it } from "@effect/vitest"
import { Effect, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { newDatabases, openDatabases } from "../../conformance/testkit/databases/BucketDatabases.ts"
import { newShopInUse, newWorker } from "../../conformance/testkit/databases/MovingShops.ts"
import { layer as layerPostgres, migrate } from "../postgres/index.ts"
import { pending } from "../sql/index.ts"
import { type AdoptOptions, adopt, hashOf, layer, MoveError } from "./index.ts"
import { shopTables } from "./shop/ShopTables.ts"

const buckets = 4

/** A deployment of this version without buckets, and how it is adopted. */
const unbucketed = Effect.gen(function* () {
  const wires = yield* newDatabases(["first", "second"])
  const { deployment, first } = yield* openDatabases(wires, buckets)
  yield* Effect.provideService(migrate, SqlClient.SqlClient, first)
  const old = yield* Layer.build(layerPostgres(wires.first.options))
  const options: AdoptOptions = {
    schema: "designwire",
    directory: first,
    databases: Object.fromEntries(
      Object.entries(deployment.databases).map(([name, sql]) => [name, { sql, url: undefined as never }]),
    ),
    buckets,
    waits: { known: 0, left: 0 },
  }
  const host = Effect.gen(function* () {
    const { databases } = yield* openDatabases(wires, buckets)
    return yield* Layer.build(layer({ databases }))
  })
  return { deployment, first, host, old, options }
})

/** All rows of schemas by table, without migrations. */
const rowsIn = Effect.fnUntraced(function* (
  places: ReadonlyArray<readonly [sql: SqlClient.SqlClient, schema: string]>,
) {
  const rows = new Map<string, Array<string>>()
  for (const [sql, schema] of places) {
    for (const { name } of yield* shopTables(sql, schema)) {
      const found = yield* sql.unsafe<{ row: string }>(`SELECT t::text AS row FROM ${schema}.${name} t`)
      rows.set(name, [...(rows.get(name) ?? []), ...found.map(({ row }) => row)])
    }
  }
  return Object.fromEntries([...rows].map(([name, all]) => [name, all.toSorted()]))
})

it.live("adopting MUST keep every row, spread the shops by their hashes, and go on wherever it was cut off", () =>
  Effect.gen(function* () {
    const { deployment, first, host, old, options } = yield* unbucketed
    const uses = yield* Effect.provideContext(
      Effect.forEach(Array.from({ length: 6 }), () => newShopInUse),
      old,
    )
    const worker = yield* newWorker
    for (const { write } of uses) yield* Effect.provideContext(write, old)
    yield* Effect.provideContext(worker.work, old)
    for (const { write } of uses) yield* Effect.provideContext(write, old)
    const before = yield* rowsIn([[first, "designwire"]])
    const steps: Array<string> = []
    // Each call is cut off one step later, until one comes to its end.
    for (let last = 1; ; last++) {
      steps.length = 0
      const end = yield* Effect.exit(
        adopt({
          ...options,
          onStep: (step) => {
            steps.push(step)
            return steps.length > last ? new MoveError({ message: "killed" }) : Effect.void
          },
        }),
      ).pipe(Effect.provideService(References.MinimumLogLevel, "None"))
      if (end._tag === "Success") break
    }
    const clients = Object.values(deployment.databases)
    const places = Array.from(
      { length: buckets },
      (_, bucket) => [clients[bucket % 2] as SqlClient.SqlClient, `designwire_0${bucket}`] as const,
    )
    expect(yield* rowsIn(places)).toEqual(before)
    for (const [bucket, [sql, schema]] of places.entries()) {
      const shops = yield* sql.unsafe<{ id: string }>(`SELECT id FROM ${schema}.shops`)
      expect(shops.map(({ id }) => hashOf(id) % buckets)).toEqual(shops.map(() => bucket))
    }
    expect(yield* first`SELECT shop FROM designwire_directory.shops`).toEqual([])
    expect(yield* adopt(options)).toBe(0)
    const next = yield* host
    for (const { check, write } of uses) yield* Effect.provideContext(Effect.andThen(write, check), next)
    yield* Effect.provideContext(worker.work, next)
    expect(worker.settled.toSorted()).toEqual(uses.flatMap(({ events }) => events()).toSorted())
  }).pipe(Effect.scoped),
)

it.live("hosts without buckets MUST be refused once their deployment has some", () =>
  Effect.gen(function* () {
    const { first, old, options } = yield* unbucketed
    const use = yield* Effect.provideContext(newShopInUse, old)
    yield* adopt(options)
    expect(yield* Effect.flip(Effect.provideContext(use.write, old))).toMatchObject({ _tag: "StorageError" })
    const sentence = yield* pending.pipe(Effect.flip, Effect.provideService(SqlClient.SqlClient, first))
    expect(sentence.message).toContain("The shops of this database are spread over buckets: set DESIGNWIRE_BUCKETS")
    expect((yield* Effect.flip(Effect.provideService(migrate, SqlClient.SqlClient, first))).message).toBe(
      sentence.message,
    )
  }).pipe(Effect.scoped),
)

it.live("what can't be adopted MUST be refused with a sentence that says what to do", () =>
  Effect.gen(function* () {
    const { first, options } = yield* unbucketed
    const refused = (fields: Partial<AdoptOptions> = {}) =>
      Effect.map(Effect.flip(adopt({ ...options, ...fields })), ({ message }) => message)
    expect(yield* refused({ schema: "other" })).toBe(
      'The database first has no deployment in the schema other. For a new one with buckets, run "designwire migrate"',
    )
    yield* first`DELETE FROM designwire.migrations WHERE migration_id = 4`
    expect(yield* refused()).toBe(
      'The schema designwire lacks 4_one_due_queue: first run "designwire migrate" with DATABASE_URL, ' +
        "and without DESIGNWIRE_BUCKETS",
    )
    yield* first`INSERT INTO designwire.migrations (migration_id, name) VALUES (4, 'one_due_queue')`
    yield* adopt(options)
    expect(yield* refused({ buckets: 8 })).toContain("DESIGNWIRE_BUCKETS says 8: set it to 4")
  }).pipe(Effect.scoped),
)

it.live("functions and sequences of an adopted schema MUST work under its new name", () =>
  Effect.gen(function* () {
    const { first, options } = yield* unbucketed
    yield* adopt(options)
    const [row] = yield* first`SELECT designwire_00.known_of_order('a', 'b') AS known,
  nextval('designwire_00.feed_positions')::int4 AS position`
    expect(row).toEqual({ known: null, position: 2 })
  }).pipe(Effect.scoped),
)
