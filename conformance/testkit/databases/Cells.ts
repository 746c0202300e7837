/** Two cells, between which shops move while hosts use them. */
import { type Duration, Effect, Layer, Option, Redacted, Schedule, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { BeforeStep, type Cell, MoveError } from "../../../adapters/cells/Move.ts"
import type { MoveOptions } from "../../../adapters/cells/MoveShop.ts"
import { shopTables } from "../../../adapters/cells/Tables.ts"
import * as Postgres from "../../../adapters/postgres/index.ts"
import { causeCodeOf } from "../../../adapters/sql/statements/Reason.ts"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { EventStore, type FeedPosition } from "../../../core/ports/EventStore.ts"
import { OrderStore } from "../../../core/ports/OrderStore.ts"
import { ShopStore } from "../../../core/ports/ShopStore.ts"
import type { StoragePorts } from "../../../core/ports/StoragePorts.ts"
import { TokenStore } from "../../../core/ports/TokenStore.ts"
import { equal, holds } from "../../suites/Assertion.ts"
import { readToEnd, wholeFeed } from "../../suites/storage/events/FeedCases.ts"
import { makeShop, makeToken } from "../../suites/storage/support/Fixtures.ts"
import { inTurn } from "../../suites/storage/support/TurnQueue.ts"
import { advance, createEndpoint, makeEvent, request, success } from "../../suites/storage/support/Webhooks.ts"

type Call<A, E> = Effect.Effect<A, E, StoragePorts>

/** A cell with a host. */
export interface TestCell extends Cell {
  readonly onHost: <A, E>(call: Call<A, E>) => Effect.Effect<A, E>
}

/** Two cells with hosts, and commands that move shops from the first to the second. */
export interface TestCells {
  readonly source: TestCell
  readonly target: TestCell
  readonly options: (shop: string) => MoveOptions
  /** Makes a call on a host of the cell that has the shop, as a client behind proxies does: until one serves it. */
  readonly routed: <A, E>(call: Call<A, E>) => Effect.Effect<A, E>
  /** All rows of a shop in a cell, by table. */
  readonly rowsOf: (cell: Cell, shop: string) => Effect.Effect<Readonly<Record<string, string>>, unknown>
  /** What moves leave behind in both, without the source's accounts and gates of shops that have moved. */
  readonly remains: Effect.Effect<ReadonlyArray<string>, unknown>
}

const openCell = Effect.fnUntraced(function* (
  name: string,
  url: string,
): Effect.fn.Return<TestCell, unknown, Scope.Scope> {
  const options = { url: Redacted.make(url) }
  const host = yield* Layer.build(Layer.fresh(Postgres.layer(options)))
  const command = yield* Layer.build(Layer.fresh(Postgres.layerClient({ ...options, maxConnections: 2 })))
  return {
    name,
    sql: yield* Effect.provideContext(SqlClient.SqlClient, command),
    url: options.url,
    onHost: (call) => Effect.provideContext(call, host),
  }
})

/** Whether a host refuses a call because its cell does not have the shop. */
const isElsewhere = (error: unknown): boolean => causeCodeOf(error) === "42P01"

/** Opens two migrated databases as cells. */
export const openCells = Effect.fnUntraced(function* (
  sourceUrl: string,
  targetUrl: string,
): Effect.fn.Return<TestCells, unknown, Scope.Scope> {
  const source = yield* openCell("source", sourceUrl)
  const target = yield* openCell("target", targetUrl)
  const rowsOf = Effect.fnUntraced(function* ({ sql }: Cell, shop: string) {
    const tables: Record<string, string> = {}
    for (const { name, shop: column } of yield* shopTables(sql, "designwire")) {
      const [row] = yield* sql.unsafe<{ rows: string | null }>(
        `SELECT string_agg(t::text, E'\\n' ORDER BY t::text COLLATE "C") AS rows FROM designwire.${name} t WHERE ${column} = $1`,
        [shop],
      )
      if (row?.rows != null) tables[name] = row.rows
    }
    return tables
  })
  const remainsIn = ({ name: cell, sql }: Cell) =>
    sql<{
      name: string
    }>`SELECT 'slot ' || slot_name AS name FROM pg_replication_slots WHERE database = current_database()
UNION ALL SELECT 'publication ' || pubname FROM pg_publication
UNION ALL SELECT 'subscription ' || subname FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid AND d.datname = current_database()
UNION ALL SELECT 'move ' || shop || ' ' || state FROM designwire.moves WHERE state NOT IN ('moved', 'gone')
UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE proname LIKE 'move_gate%' AND ${cell === "target"}::boolean
UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE tgname LIKE 'move_%' AND ${cell === "target"}::boolean`
  return {
    source,
    target,
    options: (shop) => ({ shop, source, target }),
    routed: (call) =>
      source.onHost(call).pipe(
        Effect.catchIf(isElsewhere, () => target.onHost(call)),
        Effect.retry({ while: isElsewhere, schedule: Schedule.spaced("5 millis") }),
      ),
    rowsOf,
    remains: Effect.map(Effect.all([remainsIn(source), remainsIn(target)]), (rows) =>
      rows.flat().map(({ name }) => name),
    ),
  }
})

/** Dies if something takes too long, and says what and what is known of it. */
export const endsWithin = <A, E, R>(
  what: string,
  duration: Duration.Input,
  effect: Effect.Effect<A, E, R>,
  more: () => string = () => "",
): Effect.Effect<A, E, R> =>
  Effect.timeoutOrElse(effect, {
    duration,
    orElse: () => Effect.die(new Error(`Waited over ${duration} for ${what}\n${more()}`)),
  })

/** Runs a command that ends before a step: it makes no change any more. */
export const endedBefore = <A, E>(name: string, command: Effect.Effect<A, E>) => {
  let ended = false
  const beforeStep = (next: string) => {
    ended ||= next === name
    return ended ? Effect.fail(new MoveError({ message: `ended before: ${name}` })) : Effect.void
  }
  return Effect.flatMap(Effect.flip(Effect.provideService(command, BeforeStep, beforeStep)), (error) =>
    equal("the end", (error as Partial<Error>).message, `ended before: ${name}`),
  )
}

/** A shop in use. */
export interface ShopUse {
  readonly shop: string
  /** Commits an event with a delivery. */
  readonly write: Call<void, unknown>
  /** Reads on in the feed. */
  readonly follow: Call<void, unknown>
  /** Claims and settles deliveries. */
  readonly work: Call<void, unknown>
  /** The ids of all events. */
  readonly events: () => ReadonlyArray<string>
  /** The ids of the events that were delivered. */
  readonly delivered: () => ReadonlyArray<string>
  /** Expects all events once and in order, and the token. */
  readonly check: Call<void, unknown>
  /** Expects every event that a host has acknowledged, none twice. Others may be there whose answer was lost. */
  readonly checkAcknowledged: Call<void, unknown>
}

/** A new shop with a token and an endpoint. */
export const newShopInUse: Call<ShopUse, unknown> = Effect.gen(function* () {
  const shop = makeShop()
  yield* ShopStore.use((shops) => shops.put(shop))
  const token = makeToken(shop.id)
  yield* TokenStore.use((tokens) => tokens.add(token, 100))
  yield* createEndpoint(shop.id)
  const [written, read, delivered]: [Array<string>, Array<string>, Array<string>] = [[], [], []]
  let after: FeedPosition | null = null
  const requireShop = ShopStore.use((shops) => shops.find(shop.id)).pipe(
    Effect.flatMap((found) => holds("the shop is there", Option.isSome(found))),
  )
  const follow = Effect.gen(function* () {
    yield* requireShop
    const next = yield* EventStore.use((store) => readToEnd(store, wholeFeed(shop.id, after)))
    read.push(...next.bodies)
    after = next.next
  })
  return {
    shop: shop.id,
    follow,
    write: Effect.gen(function* () {
      const event = makeEvent(shop.id)
      yield* OrderStore.use((orders) => orders.commit({ shop: shop.id, designs: [], order: null, events: [event] }))
      written.push(event.body)
    }),
    work: Effect.gen(function* () {
      const queue = inTurn(yield* DeliveryQueue)
      const claims = yield* queue.claim(request())
      const took = yield* queue.settle(
        claims.map((claim) => success(claim)),
        advance,
      )
      delivered.push(
        ...claims.filter(({ shop: of }, index) => took[index] && of === shop.id).map(({ eventId }) => eventId),
      )
    }),
    events: () => written.map((body) => JSON.parse(body).id),
    delivered: () => delivered,
    checkAcknowledged: Effect.gen(function* () {
      yield* requireShop
      const all = yield* EventStore.use((store) => readToEnd(store, wholeFeed(shop.id)))
      const there = new Set(all.bodies)
      yield* equal("events that are there twice", all.bodies.length - there.size, 0)
      const lost = written.filter((body) => !there.has(body))
      yield* equal("acknowledged events that are lost", lost, [])
    }),
    check: Effect.gen(function* () {
      yield* follow
      yield* equal("events that were read", read.toSorted(), written.toSorted())
      const all = yield* EventStore.use((store) => readToEnd(store, wholeFeed(shop.id)))
      yield* equal("the feed from its beginning", all.bodies, read)
      const found = yield* TokenStore.use((tokens) => tokens.find(token.digest))
      yield* equal("the token's shop", Option.getOrUndefined(found)?.shop.id, shop.id)
    }),
  }
})
