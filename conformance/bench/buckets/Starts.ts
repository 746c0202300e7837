/** The time to start, the memory and the connections of hosts and workers. */
import type { Load } from "../read/Load.ts"
import { pause } from "../support/Clock.ts"
import { note } from "../support/Main.ts"
import { start } from "../support/Processes.ts"
import { type Finding, finding } from "../support/Report.ts"
import { designOf, finishOthers, type Shop } from "./Fill.ts"
import type { Usage } from "./Memory.ts"
import type { Host } from "./Reads.ts"
import { backendMemory, connections, type Deployment, type Stage, serversUsage } from "./Stage.ts"

/** A host, and the seconds from its start to its first answer. */
export const startHost = async (
  { cleanup }: Stage,
  { environment, name }: Deployment,
  shop: Shop,
): Promise<Host & { readonly seconds: number }> => {
  const begin = performance.now()
  const child = start<string>(new URL("./host.ts", import.meta.url), environment, cleanup)
  const port = await child.answer<number>()
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/designs/${shop.design}`, {
    headers: { Authorization: `Bearer ${shop.token}` },
  })
  if ((await response.text()) !== designOf(shop)) throw new Error(`The first answer is ${response.status}`)
  return { name, child, port, seconds: (performance.now() - begin) / 1_000 }
}

/** What processes of both deployments take, the one with buckets first. */
const compared = (what: string, unit: string, [designwire, other]: readonly [number, number], most: number) =>
  finding(what, unit, { designwire, other }, { most })

const excess = (what: string, of: "resident" | "heap", [buckets, one]: readonly [Usage, Usage], most: number) =>
  finding(`${what}, over one schema`, "MiB", { designwire: buckets[of] - one[of] }, { most }, { buckets, one })

/** Starts a host of each deployment. */
export const startHosts = async (stage: Stage, shop: Shop) => {
  note("Starting hosts")
  const [ofBuckets, ofOne] = stage.deployments
  const one = await startHost(stage, ofOne, shop)
  const buckets = await startHost(stage, ofBuckets, shop)
  return {
    hosts: [buckets, one] as const,
    findings: [compared("Host until its first answer", "s", [buckets.seconds, one.seconds], 2)],
  }
}

/** The memory of hosts once they have read from all buckets. */
export const hostMemory = async (
  { first, one }: Stage,
  load: Load,
  hosts: readonly [Host, Host],
): Promise<ReadonlyArray<Finding>> => {
  note("Memory of hosts after reads from all buckets")
  const after = async ({ child, port }: Host) => {
    await load.run({ plan: "reads", port, connections: 64, milliseconds: 5_000 })
    return child.ask<Usage>("usage")
  }
  const usages = [await after(hosts[0]), await after(hosts[1])] as const
  const [ofBuckets, ofOne] = [await backendMemory(first), await backendMemory(one)]
  return [
    excess("Memory of a host", "resident", usages, 100),
    excess("Live objects of a host", "heap", usages, 100),
    finding(
      "Memory of a server for a host, over one schema",
      "MiB",
      { designwire: ofBuckets - ofOne },
      { most: 200 },
      { buckets: ofBuckets, one: ofOne },
    ),
  ]
}

/** Seconds in which a worker has nothing to do. */
const idle = 20

/** Starts a worker of each deployment, one after the other, beside the hosts. One shop has something to deliver. */
export const workers = async (stage: Stage, shop: Shop): Promise<ReadonlyArray<Finding>> => {
  note("Workers until their first claim, and what they take when there is nothing to do")
  await finishOthers(stage, shop)
  const measured = async ({ environment }: Deployment) => {
    const begin = performance.now()
    const child = start<string>(new URL("./worker.ts", import.meta.url), environment, stage.cleanup)
    await child.answer()
    const seconds = (performance.now() - begin) / 1_000
    await pause(10_000)
    const before = { worker: (await child.ask<Usage>("usage")).processor, servers: await serversUsage(stage) }
    await pause(idle * 1_000)
    const servers = ((await serversUsage(stage)) - before.servers) / idle
    const usage = await child.ask<Usage>("usage")
    const worker = (usage.processor - before.worker) / idle
    const open = await connections(stage)
    const memory = await backendMemory(stage.first)
    await child.stop()
    return { seconds, usage, open, memory, idle: { worker, servers } }
  }
  const one = await measured(stage.deployments[1])
  const buckets = await measured(stage.deployments[0])
  const usages = [buckets.usage, one.usage] as const
  return [
    compared("Worker until its first claim", "s", [buckets.seconds, one.seconds], 2),
    excess("Memory of a worker", "resident", usages, 100),
    excess("Live objects of a worker", "heap", usages, 100),
    finding(
      "Processor time of an idle worker and its servers",
      "ms/s",
      { designwire: buckets.idle.worker + buckets.idle.servers },
      { most: 100 },
      { buckets: buckets.idle, one: one.idle },
    ),
    finding("Memory of a server for a host and a worker", "MiB", { designwire: buckets.memory }, { most: 500 }),
    finding("Connections to a server", "connections", { designwire: Math.max(...buckets.open) }, { most: 26 }),
  ]
}
