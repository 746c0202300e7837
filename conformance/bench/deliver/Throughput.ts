import { median } from "../read/Compare.ts"
import type { Cleanup } from "../read/Processes.ts"
import { instant } from "./Clock.ts"
import type { Contender } from "./Contenders.ts"
import type { Receiver } from "./Receiver.ts"
import { startWorker } from "./Worker.ts"

/** What a run needs beside its contender. */
export interface Bench {
  readonly receiver: Receiver
  readonly environment: Readonly<Record<string, string>>
  readonly cleanup: Cleanup
  /** What a database does in quiet hours. */
  readonly tidy: () => Promise<unknown>
}

/** A contender with so many worker processes; with `streaming` its deliveries are added while they work. */
export interface Entry {
  readonly name: string
  readonly contender: Contender
  readonly workers: number
  readonly streaming?: boolean
}

/** What one run showed. */
export interface Run {
  /** Deliveries per second, until the last one was settled. */
  readonly perSecond: number
  /** Microseconds of the workers' processor time per delivery. */
  readonly processor: number
  /** Deliveries that arrived more than once. */
  readonly doubles: number
}

const run = async (bench: Bench, { contender, streaming, workers }: Entry, deliveries: number): Promise<Run> => {
  const { cleanup, environment, receiver, tidy } = bench
  await contender.clear()
  if (streaming !== true) await contender.enqueue(deliveries)
  await tidy()
  const started = await Promise.all(
    Array.from({ length: workers }, () =>
      startWorker(contender.file, { ...environment, DELIVERIES: String(deliveries) }, cleanup),
    ),
  )
  const before = await Promise.all(started.map((worker) => worker.processorTime()))
  const begin = instant()
  for (const worker of started) worker.begin()
  await Promise.all([receiver.expect(deliveries), streaming === true ? contender.enqueue(deliveries) : undefined])
  while (!(await contender.settled())) await new Promise((resolve) => setTimeout(resolve, 2))
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

/** Runs the entries in turn, round after round; each round begins with another one. */
export const compete = async (
  bench: Bench,
  entries: ReadonlyArray<Entry>,
  size: { readonly deliveries: number; readonly rounds: number },
): Promise<ReadonlyMap<string, Run>> => {
  const runs = new Map<string, Array<Run>>(entries.map(({ name }) => [name, []]))
  for (let round = 0; round < size.rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(turn + round) % entries.length] as Entry
      runs.get(entry.name)?.push(await run(bench, entry, size.deliveries))
    }
  }
  return new Map(
    [...runs].map(([name, of]) => [
      name,
      {
        perSecond: median(of.map((one) => one.perSecond)),
        processor: median(of.map((one) => one.processor)),
        doubles: of.reduce((sum, one) => sum + one.doubles, 0),
      },
    ]),
  )
}
