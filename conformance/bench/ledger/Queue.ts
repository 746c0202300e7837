/** Claims and settlements among 40,000 deliveries, alongside the same on a plain table: milliseconds of one call. */
import type postgres from "postgres"
import { DeliveryQueue } from "../../../core/ports/DeliveryQueue.ts"
import { claimOf, openQueue, succeeded } from "../deliver/Growth.ts"
import type { Cleanup } from "../support/Cleanup.ts"
import { tidy } from "../support/Seed.ts"
import type { Row } from "./Row.ts"

/** Calls of one measurement. */
const calls = 10

/** A plain queue: the first rows that are due and not locked, as queues on Postgres usually take them. */
const openBare = async (sql: postgres.Sql) => {
  await sql`CREATE TABLE bare_queue (id bigint PRIMARY KEY, due timestamptz, locked_until timestamptz, body text)`
  await sql`INSERT INTO bare_queue SELECT i, now() - interval '1 day' + i * interval '1 millisecond', NULL, repeat('x', 340)
    FROM generate_series(1, 40000) i`
  await sql`CREATE INDEX ON bare_queue (due) WHERE due IS NOT NULL`
  await tidy(sql)
  const claim = (limit: number) => sql<Array<{ id: string }>>`
    UPDATE bare_queue SET locked_until = now() + interval '30 seconds' WHERE id IN (
      SELECT id FROM bare_queue WHERE due <= now() AND (locked_until IS NULL OR locked_until < now())
      ORDER BY due LIMIT ${limit}::int FOR UPDATE SKIP LOCKED) RETURNING id, body`
  const settle = (ids: ReadonlyArray<string>) => sql`UPDATE bare_queue SET due = NULL WHERE id = ANY(${ids}::bigint[])`
  return { claim, settle }
}

/** The milliseconds of the parts of a call: the mean of some calls. */
const mean = async (call: () => Promise<Readonly<Record<"claim" | "settle", number>>>, of: "claim" | "settle") => {
  let sum = 0
  for (let count = 0; count < calls; count++) sum += (await call())[of]
  return sum / calls
}

export const queue = async (cleanup: Cleanup): Promise<ReadonlyArray<Row>> => {
  const { sql, stores } = await openQueue({ name: "ledger", pending: 40_000, waiting: 0 }, cleanup)
  const shops = Array.from({ length: 40 }, (_, index) => `shop${index}`)
  const bareQueue = await openBare(sql)
  let number = 0
  const own = (limit: number) => async () => {
    const begin = performance.now()
    const claims = await stores.runPromise(claimOf(shops, { limit, perEndpoint: 4, token: `claim${number++}` }))
    const claimed = performance.now()
    if (claims.length !== limit) throw new Error(`${claims.length} deliveries were claimed instead of ${limit}`)
    await stores.runPromise(DeliveryQueue.use((store) => store.settle(claims.map(succeeded), (health) => health)))
    return { claim: claimed - begin, settle: performance.now() - claimed }
  }
  const bare = (limit: number) => async () => {
    const begin = performance.now()
    const claims = await bareQueue.claim(limit)
    const claimed = performance.now()
    await bareQueue.settle(claims.map(({ id }) => id))
    return { claim: claimed - begin, settle: performance.now() - claimed }
  }
  const row = (of: "claim" | "settle", limit: number): Row => ({
    name: `${of} of ${limit}`,
    unit: "ms",
    own: () => mean(own(limit), of),
    bare: () => mean(bare(limit), of),
  })
  return [row("claim", 64), row("claim", 1), row("settle", 64)]
}
