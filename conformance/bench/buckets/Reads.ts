/** The processor time of reads by tokens of shops in all buckets, compared with one schema. */
import type { Load } from "../read/Load.ts"
import { note } from "../support/Main.ts"
import type { Child } from "../support/Processes.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { medians } from "../support/Statistics.ts"
import type { Usage } from "./Memory.ts"
import { type Deployment, type Stage, serversUsage } from "./Stage.ts"

/** A host of a deployment, in a process of its own. */
export interface Host {
  readonly name: Deployment["name"]
  readonly child: Child<string>
  readonly port: number
}

/** Plans of reads: a few shops of every bucket over and over, and shops of which the host has not heard. */
const plans = { reads: "by a known token", first: "by a new token" } as const

interface Schedule {
  readonly rounds: number
  readonly seconds: number
}

const compare = async (
  stage: Stage,
  load: Load,
  hosts: ReadonlyArray<Host>,
  plan: keyof typeof plans,
  { rounds, seconds }: Schedule,
): Promise<ReadonlyArray<Finding>> => {
  note(`Reads ${plans[plan]} of shops in all buckets, compared with one schema`)
  const run = async ({ child, port }: Host) => {
    const before = { host: (await child.ask<Usage>("usage")).processor, servers: await serversUsage(stage) }
    const { p50, requests } = await load.run({ plan, port, connections: 64, milliseconds: seconds * 1_000 })
    const [servers, host] = [await serversUsage(stage), (await child.ask<Usage>("usage")).processor]
    const each = (milliseconds: number) => (milliseconds * 1_000) / requests
    const [ofHost, ofServers] = [each(host - before.host), each(servers - before.servers)]
    return { host: ofHost, servers: ofServers, both: ofHost + ofServers, p50 }
  }
  const results = await alternate(hosts, { rounds, warmUp: 4 }, run)
  const middle = (name: Deployment["name"]) => medians(results.get(name) ?? [], ["host", "servers", "both", "p50"])
  const [buckets, one] = [middle("buckets"), middle("one schema")]
  const of = (part: keyof typeof one) => ({ designwire: buckets[part], other: one[part] })
  const what = `Processor time of a read ${plans[plan]}`
  return [
    finding(`${what}, host`, "µs", of("host"), { most: 1.1 }),
    finding(`${what}, Postgres`, "µs", of("servers"), { most: 1.1 }),
    finding(`${what}, both`, "µs", of("both"), { most: 1.1 }, { p50: of("p50") }),
  ]
}

/** Reads through each host in turn. */
export const reads = async (
  stage: Stage,
  load: Load,
  hosts: ReadonlyArray<Host>,
  schedule: Schedule,
): Promise<ReadonlyArray<Finding>> => [
  ...(await compare(stage, load, hosts, "reads", schedule)),
  ...(await compare(stage, load, hosts, "first", schedule)),
]
