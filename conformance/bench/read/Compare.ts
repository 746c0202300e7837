import type { Load, Measured } from "./Load.ts"
import type { Server } from "./Processes.ts"

/** How long and how often is measured. */
export interface Schedule {
  readonly seconds: number
  readonly rounds: number
}

/** A server under a plan of requests. */
export interface Contender {
  readonly name: string
  readonly server: Server
  readonly plan: string
}

/** The medians over all rounds; times in milliseconds. */
export interface Medians {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time that the server itself, without its database, took for a request. */
  readonly serverTime: number
  /** The share of one processor that the load generator used. */
  readonly generatorBusy: number
}

type Run = Measured & { readonly serverTime: number }

/** The middle of some numbers. */
export const median = (numbers: ReadonlyArray<number>): number => {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/**
 * Measures contenders in turn, round after round, so that what else the machine does meets all of them; each round begins
 * with another one. One round before them warms up and is not counted.
 */
export const alternate = async (
  load: Load,
  contenders: ReadonlyArray<Contender>,
  schedule: Schedule & { readonly connections: number },
): Promise<ReadonlyMap<string, Medians>> => {
  const runs = new Map<string, Array<Run>>(contenders.map(({ name }) => [name, []]))
  for (let round = -1; round < schedule.rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const { name, plan, server } = contenders[(turn + round + 1) % contenders.length] as Contender
      const milliseconds = schedule.seconds * 1_000
      const before = await server.usage()
      const measured = await load.run({ plan, port: server.port, connections: schedule.connections, milliseconds })
      const { cpu } = await server.usage()
      if (round >= 0) {
        runs.get(name)?.push({ ...measured, serverTime: ((cpu - before.cpu) * 1_000) / measured.requests })
      }
    }
  }
  const middle = (of: ReadonlyArray<Run>, field: "perSecond" | "p50" | "p99" | "serverTime" | "busy") =>
    median(of.map((run) => run[field]))
  return new Map(
    [...runs].map(([name, of]) => [
      name,
      {
        perSecond: middle(of, "perSecond"),
        p50: middle(of, "p50"),
        p99: middle(of, "p99"),
        serverTime: middle(of, "serverTime"),
        generatorBusy: middle(of, "busy"),
      },
    ]),
  )
}
