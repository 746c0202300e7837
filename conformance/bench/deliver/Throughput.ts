import { instant, pause } from "../support/Clock.ts"
import { alternate } from "../support/Rounds.ts"
import { tidy } from "../support/Seed.ts"
import { medians } from "../support/Statistics.ts"
import type { Bench } from "./Bench.ts"
import type { Contender } from "./Contenders.ts"
import { startWorker } from "./Worker.ts"

/** A contender and its number of worker processes. With `streaming` the deliveries are added while they work, otherwise before. */
export interface Entry {
  readonly name: string
  readonly contender: Contender
  readonly workers: number
  readonly streaming?: boolean
}

/** The result of one run. */
export interface Run {
  /** Deliveries per second, until the last one was settled. */
  readonly perSecond: number
  /** Microseconds of the workers' processor time per delivery. */
  readonly processor: number
  /** Deliveries that arrived more than once. */
  readonly doubles: number
}

const run = async (bench: Bench, { contender, streaming, workers }: Entry, deliveries: number): Promise<Run> => {
  const { cleanup, environment, receiver, sql } = bench
  await contender.clear()
  if (streaming !== true) await contender.enqueue(deliveries)
  await tidy(sql)
  const started = await Promise.all(
    Array.from({ length: workers }, () =>
      startWorker(contender.file, { ...environment, DELIVERIES: String(deliveries) }, cleanup),
    ),
  )
  const before = await Promise.all(started.map((worker) => worker.processorTime()))
  const begin = instant()
  for (const worker of started) worker.begin()
  await Promise.all([receiver.expect(deliveries), streaming === true ? contender.enqueue(deliveries) : undefined])
  while (!(await contender.settled())) await pause(2)
  const elapsed = instant() - begin
  const after = await Promise.all(started.map((worker) => worker.processorTime()))
  await Promise.all(started.map((worker) => worker.stop()))
  const arrivals = await receiver.take()
  const used = after.reduce((sum, time, index) => sum + time - (before[index] ?? 0), 0)
  return {
    perSecond: (deliveries / elapsed) * 1_000,
    processor: (used / deliveries) * 1_000,
    doubles: [...arrivals.values()].filter(({ times }) => times > 1).length,
  }
}

/** Runs the entries in turn. */
export const compete = async (
  bench: Bench,
  entries: ReadonlyArray<Entry>,
  { deliveries, rounds }: { readonly deliveries: number; readonly rounds: number },
): Promise<ReadonlyMap<string, Run>> => {
  const runs = await alternate(entries, { rounds, warmUp: 0 }, (entry) => run(bench, entry, deliveries))
  return new Map(
    [...runs].map(([name, of]) => [
      name,
      { ...medians(of, ["perSecond", "processor"]), doubles: of.reduce((sum, { doubles }) => sum + doubles, 0) },
    ]),
  )
}
