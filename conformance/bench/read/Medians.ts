import { alternate } from "../support/Rounds.ts"
import { medians } from "../support/Statistics.ts"
import type { Load } from "./Load.ts"
import type { Server } from "./Server.ts"

/** Seconds of one run, and the number of runs. */
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
  /** Microseconds of the server's processor time per request, without its database. */
  readonly serverTime: number
  /** The share of one processor that the load generator used. */
  readonly generatorBusy: number
}

/** Measures contenders alternately. The first round is warm-up and not counted. */
export const measure = async (
  load: Load,
  contenders: ReadonlyArray<Contender>,
  { connections, rounds, seconds }: Schedule & { readonly connections: number },
): Promise<ReadonlyMap<string, Medians>> => {
  const runs = await alternate(contenders, { rounds, warmUp: 1 }, async ({ plan, server }) => {
    const before = await server.usage()
    const measured = await load.run({ plan, port: server.port, connections, milliseconds: seconds * 1_000 })
    const { cpu } = await server.usage()
    return {
      ...measured,
      serverTime: ((cpu - before.cpu) * 1_000) / measured.requests,
      generatorBusy: measured.busy,
    }
  })
  return new Map(
    [...runs].map(([name, of]) => [name, medians(of, ["perSecond", "p50", "p99", "serverTime", "generatorBusy"])]),
  )
}
