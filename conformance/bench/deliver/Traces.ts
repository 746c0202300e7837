/** The cost of traces for deliveries: a worker that exports none, one in a hundred and all of them. */
import { startCollector } from "../support/Collector.ts"
import { type Finding, finding } from "../support/Report.ts"
import type { Bench } from "./Bench.ts"
import type { Contender } from "./Contender.ts"
import { compete, type Run } from "./Throughput.ts"

/** Compares the processor time of a worker's deliveries, with the size of the runs. */
export const traces = async (
  bench: Bench,
  contender: Contender,
  size: Parameters<typeof compete>[2],
): Promise<ReadonlyArray<Finding>> => {
  const all = await startCollector(bench.cleanup)
  const runs = await compete(
    bench,
    [
      { name: "not traced", contender, workers: 1 },
      { name: "1 % traced", contender, workers: 1, environment: { ...all, OTEL_TRACES_SAMPLER_ARG: "0.01" } },
      { name: "traced", contender, workers: 1, environment: all },
    ],
    size,
  )
  const of = (name: string) => (runs.get(name) as Run).processor
  const versus = (name: string, most: number) => {
    const times = { designwire: of(name), other: of("not traced") }
    return finding(
      `Processor time of one delivery, ${name} vs not traced`,
      "µs",
      times,
      { most },
      Object.fromEntries(runs),
    )
  }
  return [versus("1 % traced", 1.05), versus("traced", 2.5)]
}
