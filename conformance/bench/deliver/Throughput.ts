import { instant, pause } from "../support/Clock.ts"
import { postgresUsage, written } from "../support/PostgresUsage.ts"
import { alternate } from "../support/Rounds.ts"
import { tidy } from "../support/Seed.ts"
import { medians } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import type { Contender } from "./Contender.ts"
import { startWorker } from "./Worker.ts"

/**
 * A contender and its number of worker processes. With `streaming` deliveries are added while they work, otherwise
 * before. With `profiled` the processor time is profiled, which slows it down.
 */
export interface Entry {
  readonly name: string
  readonly contender: Contender
  readonly workers: number
  readonly streaming?: boolean
  readonly profiled?: boolean
  /** Further variables of the workers. */
  readonly environment?: Readonly<Record<string, string>>
}

/** The result of one run. */
export interface Run {
  /** Deliveries per second, until the last one was settled. */
  readonly perSecond: number
  /** Microseconds of the workers' processor time per delivery. */
  readonly processor: number
  /** Microseconds of Postgres' processor time per delivery; `NaN` if unknown. */
  readonly postgres: number
  /** Bytes that Postgres wrote to its log per delivery. */
  readonly log: number
  /** Resident memory of the largest worker at the end in MiB. */
  readonly memory: number
  /** Deliveries that arrived more than once. */
  readonly doubles: number
  /** Microseconds of the workers' processor time per delivery, by group; empty unless it was profiled. */
  readonly groups: Readonly<Record<string, number>>
}

/** Lets a contender make this many deliveries: the first half is warm-up, the second half is measured. */
export const run = async (
  bench: Bench,
  { contender, environment: more, profiled, streaming, workers }: Entry,
  deliveries: number,
): Promise<Run> => {
  const { cleanup, environment, receiver, sql } = bench
  await contender.clear()
  if (streaming !== true) await contender.enqueue(deliveries)
  await tidy(sql)
  const started = await Promise.all(
    Array.from({ length: workers }, () =>
      startWorker(contender.file, { ...environment, ...more, DELIVERIES: String(deliveries) }, cleanup),
    ),
  )
  for (const worker of started) worker.begin()
  const added = streaming === true ? contender.enqueue(deliveries) : undefined
  await receiver.expect(deliveries / 2)
  const [before, postgresBefore, logBefore] = await Promise.all([
    Promise.all(started.map((worker) => worker.usage())),
    postgresUsage(sql),
    written(sql),
  ])
  if (profiled === true) for (const worker of started) worker.profile()
  const begin = instant()
  await Promise.all([receiver.expect(deliveries), added])
  while (!(await contender.settled())) await pause(2)
  const elapsed = instant() - begin
  const [after, postgresAfter, logAfter] = await Promise.all([
    Promise.all(started.map((worker) => worker.usage())),
    postgresUsage(sql),
    written(sql),
  ])
  const profiles = profiled === true ? await Promise.all(started.map((worker) => worker.groups())) : []
  await Promise.all(started.map((worker) => worker.stop()))
  const arrivals = [...(await receiver.take()).values()]
  const measured = arrivals.filter(({ at }) => at >= begin).length
  const used = after.reduce((sum, { processor }, index) => sum + processor - (before[index]?.processor ?? 0), 0)
  const groups: Record<string, number> = {}
  for (const [name, time] of profiles.flatMap(Object.entries<number>)) {
    groups[name] = (groups[name] ?? 0) + (time / measured) * 1_000
  }
  return {
    perSecond: (measured / elapsed) * 1_000,
    processor: (used / measured) * 1_000,
    postgres: ((postgresAfter - postgresBefore) / measured) * 1_000,
    log: (logAfter - logBefore) / measured,
    memory: Math.max(...after.map(({ memory }) => memory)),
    doubles: arrivals.filter(({ times }) => times > 1).length,
    groups,
  }
}

/** Runs the entries alternately. */
export const compete = async (
  bench: Bench,
  entries: ReadonlyArray<Entry>,
  { deliveries, rounds }: { readonly deliveries: number; readonly rounds: number },
): Promise<ReadonlyMap<string, Run>> => {
  // Per worker, so that the warm-up of a process is the same share for all.
  const runs = await alternate(entries, { rounds, warmUp: 0 }, (entry) => run(bench, entry, deliveries * entry.workers))
  return new Map(
    [...runs].map(([name, of]) => [
      name,
      {
        ...medians(of, ["perSecond", "processor", "postgres", "log", "memory"]),
        doubles: of.reduce((sum, { doubles }) => sum + doubles, 0),
        groups: {},
      },
    ]),
  )
}
