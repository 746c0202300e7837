/** A deployment of four buckets in two databases, whose shops move while hosts use them. */
import { Clock, Effect, Layer, Option, Redacted, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { expect } from "vitest"
import { RefreshEvery } from "../../../adapters/buckets/Directory.ts"
import * as Buckets from "../../../adapters/buckets/index.ts"
import { shopTables } from "../../../adapters/buckets/shop/ShopTables.ts"
import { DirectoryChanges } from "../../../adapters/sql/schema/DirectoryChanges.ts"
import { AuditStore } from "../../../core/ports/AuditStore.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EventStore, type FeedPosition } from "../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { makeEntry } from "../../suites/storage/audit/Entries.ts"
import { readToEnd, wholeFeed } from "../../suites/storage/events/FeedCases.ts"
import { makeShop, makeToken, someTime } from "../../suites/storage/support/Fixtures.ts"
import { inTurn } from "../../suites/storage/support/TurnQueue.ts"
import { advance, createEndpoint, makeEvent, request, success } from "../../suites/storage/support/Webhooks.ts"
import { newDeployment, openDatabases } from "./BucketDatabases.ts"
import { cuttableWire } from "./CuttableWire.ts"
import { freshDatabaseOn } from "./FreshDatabase.ts"

const count = 4

/** The place of a shop: `home` is the bucket of its hash, `near` is in the same database, `far` in the other. */
export const placesOf = (shop: string) => {
  const home = Buckets.hashOf(shop) % count
  return { home, near: (home + 2) % count, far: (home + 1) % count }
}

/** A host. */
export interface TestHost {
  /** Runs a call on it. */
  readonly onHost: <A, E>(call: Effect.Effect<A, E, StoragePorts>) => Effect.Effect<A, E>
  /** Its client of a bucket's database. */
  readonly sqlOf: (bucket: number) => SqlClient.SqlClient
  /** Cuts it off from a bucket's database. */
  readonly cutOff: (bucket: number) => Effect.Effect<void, never, Scope.Scope>
}

/** A deployment whose shops move. */
export interface ShopMoves {
  /** Runs a call on a host that reads the directory often. */
  readonly onHost: TestHost["onHost"]
  /** Starts another host, which reads the directory as often as given, in milliseconds, and hears of no change. */
  readonly newHost: (refreshEvery: number) => Effect.Effect<TestHost, unknown, Scope.Scope>
  /** The client of a bucket's database, and the bucket's schema. */
  readonly bucket: (number: number) => { readonly sql: SqlClient.SqlClient; readonly schema: string }
  readonly deployment: Buckets.Deployment
  /** The directory's database. */
  readonly first: SqlClient.SqlClient
  readonly options: (shop: string, to: number) => Buckets.MoveShopOptions
  /** Cut the connections of commands to one of the databases, and not those of hosts. */
  readonly cuts: ReadonlyArray<Effect.Effect<void, never, Scope.Scope>>
  /** All rows of a shop in a bucket, by table. */
  readonly rowsOf: (shop: string, bucket: number) => Effect.Effect<Readonly<Record<string, string>>, unknown>
  /** The shops that a bucket refuses because they have left it, sorted. */
  readonly departedFrom: (bucket: number) => Effect.Effect<ReadonlyArray<string>, unknown>
  /** What moves leave behind besides departed shops: schemas, noted changes, functions, triggers, directory's rows. */
  readonly remains: Effect.Effect<ReadonlyArray<string>, unknown>
}

/** Hosts that hear of no change learn of moves by reading the directory alone. */
const deaf = Layer.succeed(DirectoryChanges, { changed: Effect.void, subscribe: Effect.succeed(Effect.never) })

/** A host that reads the directory at an interval, in milliseconds, and moves that wait for it. */
const often = 20
const waits = { known: 10 * often, left: 10 * often }

/** Wires of somebody's own to each database. */
const wired = (databases: Readonly<Record<string, { readonly url: string }>>) =>
  Effect.forEach(Object.entries(databases), ([name, { url }]) =>
    Effect.map(cuttableWire(url), (wire) => [name, { ...wire, options: { url: Redacted.make(wire.url) } }] as const),
  )

/** A new deployment with a host, on servers of its own if they are given. */
export const newShopMoves = Effect.fnUntraced(function* (
  servers?: Readonly<Record<string, string>>,
): Effect.fn.Return<ShopMoves, unknown, Scope.Scope> {
  const fresh = servers && ((name: string) => freshDatabaseOn(servers[name] ?? ""))
  const wires = yield* newDeployment(["first", "second"], count, undefined, fresh)
  const own = yield* wired(wires)
  const { deployment, first } = yield* openDatabases(Object.fromEntries(own), count)
  const newHost = Effect.fnUntraced(function* (refreshEvery: number) {
    const its = yield* wired(wires)
    const { databases, deployment } = yield* openDatabases(Object.fromEntries(its), count)
    const clients = Object.values(deployment.databases)
    const unheard = Object.fromEntries(
      Object.entries(databases).map(([name, layer]) => [name, Layer.merge(layer, deaf)]),
    )
    const built = Layer.build(Buckets.layer({ databases: unheard }))
    const host = yield* Effect.provideService(built, RefreshEvery, refreshEvery)
    return {
      onHost: <A, E>(call: Effect.Effect<A, E, StoragePorts>) => Effect.provideContext(call, host),
      sqlOf: (bucket: number) => clients[bucket % 2] as SqlClient.SqlClient,
      cutOff: (bucket: number) => its[bucket % 2]?.[1].cut ?? Effect.void,
    }
  })
  const clients = Object.values(deployment.databases)
  const bucket = (number: number) => ({
    sql: clients[number % 2] as SqlClient.SqlClient,
    schema: Buckets.bucketSchema("designwire", number, count),
  })
  const rowsOf = Effect.fnUntraced(function* (shop: string, number: number) {
    const { schema, sql } = bucket(number)
    const tables: Record<string, string> = {}
    for (const { name, shop: column } of yield* shopTables(sql, schema)) {
      const [row] = yield* sql.unsafe<{ rows: string | null }>(
        `SELECT string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C") AS rows FROM ${schema}.${name} t WHERE ${column} = $1`,
        [shop],
      )
      if (row?.rows != null) tables[name] = row.rows
    }
    return tables
  })
  const departedFrom = Effect.fnUntraced(function* (number: number) {
    const { schema, sql } = bucket(number)
    const table = `${schema}_gates.departed`
    const [row] = yield* sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`
    if (row?.found !== true) return []
    const rows = yield* sql.unsafe<{ shop: string }>(`SELECT shop FROM ${table} ORDER BY shop`)
    return rows.map(({ shop }) => shop)
  })
  const remainsIn = (sql: SqlClient.SqlClient) => sql<{ name: string }>`WITH gates AS (
  SELECT nspname AS schema, to_regclass(nspname || '.departed') IS NULL AS "isLeft",
    to_regclass(nspname || '.changes') AS changes
  FROM pg_namespace WHERE nspname LIKE 'designwire%gates'
)
SELECT 'schema ' || schema AS name FROM gates WHERE "isLeft"
UNION ALL SELECT 'change ' || table_to_xml(changes, true, true, '')::text FROM gates
WHERE changes IS NOT NULL AND table_to_xml(changes, true, true, '')::text LIKE '%<id>%'
UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE proname LIKE 'move%'
UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE tgname NOT IN ('departed', 'line_goes_on')`
  return {
    onHost: (yield* newHost(often)).onHost,
    newHost,
    bucket,
    deployment,
    first,
    options: (shop, to) => ({
      schema: "designwire",
      directory: first,
      // Shops move without replication: the servers need no addresses of each other.
      databases: Object.fromEntries(
        Object.entries(deployment.databases).map(([name, sql]) => [name, { sql, url: undefined as never }]),
      ),
      shop,
      to,
      waits,
    }),
    cuts: own.map(([, { cut }]) => cut),
    rowsOf,
    departedFrom,
    remains: Effect.map(
      Effect.all([
        ...clients.map(remainsIn),
        first<{ name: string }>`SELECT 'move of ' || shop AS name FROM designwire_directory.shop_moves`,
      ]),
      (rows) => rows.flat().map(({ name }) => name),
    ),
  }
})

/** Makes a call on a host as if its process had been stopped for ten seconds before. */
export const afterStop = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const later = () => clock.currentTimeMillisUnsafe() + 10_000
    const awake: Clock.Clock = Object.assign(Object.create(clock), {
      currentTimeMillisUnsafe: later,
      currentTimeMillis: Effect.sync(later),
    })
    return Effect.provideService(call, Clock.Clock, awake)
  })

/** A worker, and the events whose deliveries it has settled. */
export const newWorker = Effect.sync(() => {
  const settled: Array<string> = []
  const work: Effect.Effect<void, unknown, StoragePorts> = Effect.gen(function* () {
    const queue = inTurn(yield* DeliveryQueue)
    const claims = yield* queue.claim(request())
    const took = yield* queue.settle(
      claims.map((claim) => success(claim)),
      advance,
    )
    settled.push(...claims.filter((_, index) => took[index]).map(({ eventId }) => eventId))
  })
  return { work, settled }
})

/** A shop in use. */
export interface ShopUse {
  readonly shop: string
  /** The digest of its token. */
  readonly token: string
  /** Commits an event with a delivery, and counts a request. */
  readonly write: Effect.Effect<void, unknown, StoragePorts>
  /** Counts a request of the token. */
  readonly count: Effect.Effect<void, unknown, StoragePorts>
  /** Reads on in the feed. */
  readonly follow: Effect.Effect<void, unknown, StoragePorts>
  /** The ids of all events. */
  readonly events: () => ReadonlyArray<string>
  /** Expects all events once and in order, and every counted request. */
  readonly check: Effect.Effect<void, unknown, StoragePorts>
  /** {@link check} without the counted requests, which a crash of the server forgets. */
  readonly checkEvents: Effect.Effect<void, unknown, StoragePorts>
}

/** A new shop with a token and an endpoint. */
export const newShopInUse: Effect.Effect<ShopUse, unknown, StoragePorts> = Effect.gen(function* () {
  const shop = makeShop()
  yield* ShopStore.use((shops) => shops.put(shop))
  const token = makeToken(shop.id)
  yield* TokenStore.use((tokens) => tokens.add(token, 100))
  yield* createEndpoint(shop.id)
  yield* AuditStore.use((audit) => audit.add(makeEntry(shop.id)))
  const counted = { shop: shop.id, tokenId: token.id, now: someTime, rate: { limit: 100_000, window: 60_000 } }
  const [written, read]: [Array<string>, Array<string>] = [[], []]
  let after: FeedPosition | null = null
  let requests = 0
  const count = Effect.map(
    RateLimits.use((limits) => limits.take(counted)),
    () => {
      requests++
    },
  )
  const follow = Effect.gen(function* () {
    const next = yield* EventStore.use((store) => readToEnd(store, wholeFeed(shop.id, after)))
    read.push(...next.bodies)
    after = next.next
  })
  const checkEvents = Effect.gen(function* () {
    yield* follow
    expect(read.toSorted()).toEqual(written.toSorted())
    const all = yield* EventStore.use((store) => readToEnd(store, wholeFeed(shop.id)))
    expect(all.bodies).toEqual(read)
    const found = yield* TokenStore.use((tokens) => tokens.find(token.digest))
    expect(Option.map(found, (known) => known.shop.id)).toEqual(Option.some(shop.id))
  })
  return {
    shop: shop.id,
    token: token.digest,
    checkEvents,
    write: Effect.gen(function* () {
      const event = makeEvent(shop.id)
      yield* OrderStore.use((orders) => orders.commit({ shop: shop.id, designs: [], order: null, events: [event] }))
      written.push(event.body)
      yield* count
    }),
    count,
    follow,
    events: () => written.map((body) => JSON.parse(body).id),
    check: Effect.gen(function* () {
      yield* checkEvents
      const { remaining } = yield* RateLimits.use((limits) => limits.peek(counted))
      expect(counted.rate.limit - remaining).toBe(requests)
    }),
  }
})
