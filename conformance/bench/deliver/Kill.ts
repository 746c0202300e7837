/** How late deliveries are after SIGKILL of one of two workers. */
import { defaultWorker } from "../../../core/usecases/webhooks/dispatch/Dispatch.ts"
import { instant, pause } from "../support/Clock.ts"
import { type Finding, finding } from "../support/Report.ts"
import { tidy } from "../support/Seed.ts"
import { median, percentiles } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import { settledIn } from "./Contender.ts"
import type { StagedShop } from "./Events.ts"
import { steadyLoad } from "./Load.ts"
import { stageShop } from "./Stage.ts"
import { startWorker } from "./Worker.ts"

/** Shops, endpoints per shop, and events per second, each with a delivery to all endpoints of its shop. */
const [shops, endpoints, eventsPerSecond] = [8, 5, 60]

/** Milliseconds of load before the kill and after it. */
const [before, after] = [2_000, 4_000]

/** Deliveries committed this many milliseconds before the kill, or later, are measured. */
const around = 500

/** Milliseconds until a worker looks for leases that ended, and some more. */
const untilFound = 2_000

/** The deliveries of one round. */
interface Round {
  /** Milliseconds from commit to arrival of those that the killed worker had not claimed. */
  readonly others: ReadonlyArray<number>
  /** Milliseconds from creation to the attempt that was settled, of those that it had claimed. */
  readonly claimed: ReadonlyArray<number>
  /** Of those that it had claimed, how many it had sent. */
  readonly sentTwice: number
}

/**
 * A steady load for two workers, of which the older one is killed in each round.
 *
 * A healthy attempt takes a tenth of a second here. What was claimed before the kill and is still leased when the load
 * ends, seconds later, is therefore the dead worker's. It waits for its lease, and everything else must not wait.
 */
export const kill = async (
  { cleanup, environment, receiver, secret, sql, stores }: Bench,
  { rounds }: { readonly rounds: number },
): Promise<ReadonlyArray<Finding>> => {
  const staged: Array<StagedShop> = []
  for (let shop = 0; shop < shops; shop++) {
    const urls = Array.from({ length: endpoints }, (_, endpoint) => `${receiver.url}/soon/${shop}/${endpoint}`)
    staged.push(await stageShop(stores, `kill${shop}`, urls, secret))
  }
  const begin = async () => {
    const worker = await startWorker("./designwire.ts", environment, cleanup)
    worker.begin()
    return worker
  }

  let older = await begin()
  const round = async (): Promise<Round> => {
    const newer = await begin()
    await tidy(sql)
    await receiver.take()
    const load = steadyLoad(stores, staged, { seconds: (before + after) / 1_000, eventsPerSecond })
    await pause(before + 100 * Math.random())
    const killedAt = instant()
    await older.stop()
    older = newer
    const committed = await load
    const leasedUntil = (killedAt + defaultWorker.lease) / 1_000
    const held = await sql<Array<{ id: string }>>`SELECT id FROM designwire.deliveries
      WHERE leased_until <= to_timestamp(${leasedUntil}::float8)`
    const ids = new Set(held.map(({ id }) => id))
    await receiver.expect(committed.size)
    while (!(await settledIn(sql, "SELECT FROM designwire.deliveries WHERE status = 'pending'"))) await pause(20)
    const arrivals = await receiver.take()
    const waits = await sql<Array<{ wait: number }>>`SELECT
      (attempt_log -> -1 ->> 'at')::float8 - extract(epoch FROM created_at)::float8 * 1000 AS wait
      FROM designwire.deliveries WHERE id = ANY(${[...ids]}::text[])`
    await sql`TRUNCATE designwire.events, designwire.deliveries`
    return {
      others: [...committed].flatMap(([id, at]) =>
        ids.has(id) || at < killedAt - around ? [] : (arrivals.get(id)?.at ?? Number.NaN) - at,
      ),
      claimed: waits.map(({ wait }) => wait),
      sentTwice: [...arrivals].filter(([id, { times }]) => ids.has(id) && times > 1).length,
    }
  }

  const results: Array<Round> = []
  for (let index = 0; index < rounds; index++) results.push(await round())
  await older.stop()
  const latest = results.map(({ others }) => Math.max(...others))
  const others = { ...percentiles(results.flatMap((each) => each.others)), latest, median: median(latest) }
  const claimed = results.flatMap((each) => each.claimed)
  const counts = results.map((each) => ({ claimed: each.claimed.length, sentTwice: each.sentTwice }))
  return [
    finding(
      "Commit until arrival, latest, after SIGKILL of one of two workers",
      "ms",
      { designwire: Math.max(...latest) },
      { most: 1_000 },
      { others, rounds: counts },
    ),
    finding(
      "Creation until the attempt, latest, of what the killed worker had claimed",
      "ms",
      { designwire: Math.max(0, ...claimed) },
      { most: defaultWorker.lease + untilFound },
      { rounds: counts },
    ),
  ]
}
