/** Whether claims and settlements cost the same for any number of pending and finished deliveries. */
import { type Effect, Layer, ManagedRuntime, Redacted } from "effect"
import * as Postgres from "../../../adapters/postgres/index.ts"
import type { Attempt } from "../../../core/model/webhooks/Delivery.ts"
import { type Claim, DeliveryQueue, type Settlement } from "../../../core/ports/DeliveryQueue.ts"
import { Upkeep } from "../../../core/ports/Upkeep.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { startDatabase } from "../support/Postgres.ts"
import { written } from "../support/PostgresUsage.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { tidy } from "../support/Seed.ts"
import { medians } from "../support/Statistics.ts"

/** Endpoints with deliveries, and endpoints per shop. */
const endpoints = 200
const perShop = 5

/** Deliveries per claim, in total and per endpoint; the small database has no more due per endpoint. */
const [limit, perEndpoint] = [64, 4]

/** The contents of a database. */
interface Contents {
  readonly name: string
  /** Pending deliveries, half of them due, at least four per endpoint; and as many finished ones. */
  readonly pending: number
  /** Further endpoints, each with one delivery that is retried tomorrow. */
  readonly waiting: number
  /** Whether ids are in random order instead of creation order. */
  readonly unordered?: boolean
}

/** The attempt of a finished delivery. */
const logged: Attempt = { number: 1, at: 0, statusCode: 200, durationMs: 50, responseStart: "ok", error: null }

/** Fills a database with deliveries, and opens the ports on it. */
export const openQueue = async ({ name, pending, unordered = false, waiting }: Contents, cleanup: Cleanup) => {
  const { sql, url } = await startDatabase(cleanup)
  await sql`CREATE FUNCTION id(made bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
    ${sql.unsafe(unordered ? "'SELECT substr(md5(made::text), 1, 22)'" : "'SELECT lpad(made::text, 22, ''0'')'")}`
  await sql`INSERT INTO designwire.shops (id, domain, currency, plan, rounding_step, image_base)
    SELECT 'shop' || s, 'shop.example.com', 'EUR', 'plus', 1, ''
    FROM generate_series(0, (${endpoints}::int + ${waiting}::int) / ${perShop}::int) s`
  await sql`INSERT INTO designwire.endpoints
      (shop, id, url, description, kinds, status, consecutive_failures, created_at, secret, proven)
    SELECT 'shop' || e / ${perShop}::int, 'whe_' || e, 'https://example.com/', '', '{design.ordered}', 'active', 0, now(), '', true
    FROM generate_series(0, ${endpoints}::int + ${waiting}::int - 1) e`
  await sql`CREATE TEMPORARY TABLE numbers AS
    SELECT i, i < ${pending}::int AS pending, 'shop' || e / ${perShop}::int AS shop, 'whe_' || e AS endpoint,
      -- The finished ones were made first.
      id((i + ${pending}::int) % (2 * ${pending}::int)) AS id,
      i / ${endpoints}::int < greatest(${perEndpoint}::int, ${pending}::int / ${endpoints}::int / 2) AS due
    FROM generate_series(0, 2 * ${pending}::int - 1) i CROSS JOIN LATERAL (SELECT i % ${endpoints}::int AS e) n
    UNION ALL
    SELECT i, true, 'shop' || e / ${perShop}::int, 'whe_' || e, id(2 * ${pending}::int + i), false
    FROM generate_series(0, ${waiting}::int - 1) i CROSS JOIN LATERAL (SELECT ${endpoints}::int + i AS e) n`
  await sql`INSERT INTO designwire.events (shop, id, event, test, created_at, body)
    SELECT shop, 'evt_' || id, 'design.ordered', false, now(), repeat('{"key":"Color"}', 20) FROM numbers`
  await sql`INSERT INTO designwire.deliveries
      (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts, attempt_log)
    SELECT shop, 'dlv_' || id || substr(endpoint, 5), endpoint, 'evt_' || id, 'design.ordered', false,
      CASE WHEN pending THEN 'pending' ELSE 'succeeded' END, now(), a.at,
      CASE WHEN NOT pending THEN NULL WHEN due THEN 'due' ELSE 'scheduled' END, CASE WHEN pending THEN 0 ELSE 1 END,
      CASE WHEN pending THEN '[]' ELSE ${JSON.stringify([logged])} END::text::jsonb
    FROM numbers CROSS JOIN LATERAL (
      SELECT CASE WHEN pending THEN now() + CASE WHEN due THEN -1 ELSE 1 END * interval '1 day' + i * interval '1 millisecond' END AS at
    ) a`
  await sql`DROP TABLE numbers`
  await tidy(sql)
  const stores = ManagedRuntime.make(
    Layer.provideMerge(Postgres.layerStores(), Postgres.layerClient({ url: Redacted.make(url) })),
  )
  cleanup.add(() => stores.dispose())
  return { name, sql, stores }
}
type Filled = Awaited<ReturnType<typeof openQueue>>

/** A claim of due deliveries of some shops. */
export const claimOf = (
  shops: ReadonlyArray<string>,
  { limit, perEndpoint, token }: { readonly limit: number; readonly perEndpoint: number; readonly token: string },
) =>
  DeliveryQueue.use((store) => {
    const now = Date.now()
    return store.claim({
      now,
      shops: { newcomer: shops, troubled: shops, proven: shops },
      limit,
      perShop: limit,
      perEndpoint,
      probation: { limit, troubled: limit, perEndpoint: 1 },
      busy: [],
      leaseUntil: now + 30_000,
      token,
    })
  })

/** The settlement of a claim whose attempt succeeded. */
export const succeeded = (claim: Claim): Settlement => ({
  claim,
  attempt: {
    number: claim.attempt,
    at: Date.now(),
    durationMs: 50,
    statusCode: 200,
    responseStart: "ok",
    error: null,
  },
  status: "succeeded",
  nextAttemptAt: null,
})

const operations = ["claim", "settle", "walk", "statistics"] as const

/**
 * Allowed factor of each operation: statistics count up to 1,000 deliveries one by one, and the small database has
 * fewer.
 */
const bars = { claim: 1.1, settle: 1.1, walk: 1.1, statistics: 2 } as const

/**
 * Claims, settles, and adds as many due deliveries for the same endpoints. Returns the milliseconds of each operation,
 * and the KiB of log of the settlement.
 */
const call = async (filled: Filled, number: number) => {
  const { sql, stores } = filled
  const times = { claim: 0, settle: 0, walk: 0, statistics: 0 }
  const timed = async <A, E>(
    of: keyof typeof times,
    effect: Effect.Effect<A, E, DeliveryQueue | Upkeep>,
  ): Promise<A> => {
    const begin = performance.now()
    const value = await stores.runPromise(effect)
    times[of] = performance.now() - begin
    return value
  }
  const now = Date.now()
  const { shops } = await timed(
    "walk",
    DeliveryQueue.use((store) => store.walk({ now, after: null, limit: 64 })),
  )
  await timed(
    "statistics",
    Upkeep.use((upkeep) => upkeep.statistics(now)),
  )
  const claims = await timed("claim", claimOf(shops, { limit, perEndpoint, token: `claim${number}` }))
  if (claims.length !== limit) throw new Error(`${claims.length} deliveries were claimed instead of ${limit}`)
  const before = await written(sql)
  await timed(
    "settle",
    DeliveryQueue.use((store) => store.settle(claims.map(succeeded), (health) => health)),
  )
  const log = ((await written(sql)) - before) / 1_024
  await sql`WITH made AS (
      SELECT c.shop, c.endpoint, id(1000000000::bigint + ${number}::int * ${limit}::int + c.place) AS id
      FROM unnest(${claims.map(({ shop }) => shop)}::text[], ${claims.map(({ endpointId }) => endpointId)}::text[])
        WITH ORDINALITY AS c (shop, endpoint, place)
    ), events AS (
      INSERT INTO designwire.events (shop, id, event, test, created_at, body)
      SELECT shop, 'evt_' || id, 'design.ordered', false, now(), '{}' FROM made
    )
    INSERT INTO designwire.deliveries
      (shop, id, endpoint_id, event_id, event, test, status, created_at, next_attempt_at, queue, attempts)
    SELECT shop, 'dlv_' || id || substr(endpoint, 5), endpoint, 'evt_' || id, 'design.ordered', false, 'pending', now(), now(), 'due', 0
    FROM made`
  return { ...times, log }
}

/** Calls two databases alternately, and compares the times of the larger one with the smaller one's. */
const compare = async (
  what: string,
  contents: readonly [Contents, Contents],
  calls: number,
  cleanup: Cleanup,
): Promise<ReadonlyArray<Finding>> => {
  const [few, many] = contents
  const databases = [await openQueue(few, cleanup), await openQueue(many, cleanup)]
  const times = await alternate(databases, { rounds: calls, warmUp: 20 }, call)
  const middle = ({ name }: Contents) => medians(times.get(name) ?? [], [...operations, "log"])
  const numbers = (of: (typeof operations)[number] | "log") => ({
    designwire: middle(many)[of],
    other: middle(few)[of],
  })
  return [
    ...operations.map((of) => finding(`${of} of ${limit}, ${what}`, "ms", numbers(of), { most: bars[of] })),
    finding(`Log of a settle of ${limit}, ${what}`, "KiB", numbers("log"), { most: 1.5 }),
  ]
}

/**
 * Compares calls among few and many pending deliveries, among few and many endpoints that wait for a retry, and among
 * many deliveries with ids in creation order and in random order.
 */
export const growth = async (
  cleanup: Cleanup,
  { calls, pending, waiting }: { readonly pending: number; readonly waiting: number; readonly calls: number },
): Promise<ReadonlyArray<Finding>> => [
  ...(await compare(
    `${pending} pending and as many finished vs 1000`,
    [
      { name: "few", pending: 1_000, waiting: 0 },
      { name: "many", pending, waiting: 0 },
    ],
    calls,
    cleanup,
  )),
  ...(await compare(
    `${waiting} endpoints with a retry of tomorrow vs 100`,
    [
      { name: "few", pending: 1_000, waiting: 100 },
      { name: "many", pending: 1_000, waiting },
    ],
    calls,
    cleanup,
  )),
  ...(await compare(
    `${pending} pending and as many finished, ids by time vs in no order`,
    [
      { name: "in no order", pending, waiting: 0, unordered: true },
      { name: "by time", pending, waiting: 0 },
    ],
    calls,
    cleanup,
  )),
]
