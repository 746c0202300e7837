/** The processor time of claims from shops in all buckets, compared with one schema. */
import { note } from "../support/Main.ts"
import { type Child, start } from "../support/Processes.ts"
import { type Finding, finding } from "../support/Report.ts"
import { alternate } from "../support/Rounds.ts"
import { shuffled } from "../support/Shuffled.ts"
import { median, medians } from "../support/Statistics.ts"
import { backlog, backlogs, type Shop } from "./Fill.ts"
import type { Claimed, ClaimMessage } from "./queue.ts"
import { type Deployment, type Stage, serversUsage } from "./Stage.ts"

interface Queue {
  readonly name: Deployment["name"]
  readonly child: Child<ClaimMessage>
}

const parts = ["worker", "servers", "both", "time"] as const

/** Compares claims that name `named` shops each, which have 64 due deliveries together. */
const compare = async (
  stage: Stage,
  queues: ReadonlyArray<Queue>,
  { calls, named, rounds, shops }: { shops: ReadonlyArray<Shop>; named: number; calls: number; rounds: number },
): Promise<ReadonlyArray<Finding>> => {
  const claims = Array.from({ length: calls }, () =>
    shuffled(shops)
      .slice(0, named)
      .map(({ id }) => id),
  )
  const run = async ({ child, name }: Queue) => {
    const before = await serversUsage(stage)
    const { deliveries, processor, times } = await child.ask<Claimed>(claims)
    const servers = (await serversUsage(stage)) - before
    if (deliveries < calls * 32) throw new Error(`${calls} claims of ${name} returned ${deliveries} deliveries`)
    const each = (milliseconds: number) => (milliseconds * 1_000) / deliveries
    return {
      worker: each(processor),
      servers: each(servers),
      both: each(processor + servers),
      time: median(times),
    }
  }
  const results = await alternate(queues, { rounds, warmUp: 6 }, run)
  const middle = (name: Deployment["name"]) => medians(results.get(name) ?? [], parts)
  const [buckets, one] = [middle("buckets"), middle("one schema")]
  const of = (part: (typeof parts)[number]) => ({ designwire: buckets[part], other: one[part] })
  const what = `a claim of 64 from ${named} shops`
  return [
    finding(`Processor time of a delivery in ${what}, worker`, "µs", of("worker"), { most: 1.1 }),
    finding(`Processor time of a delivery in ${what}, Postgres`, "µs", of("servers"), { most: 1.1 }),
    finding(`Processor time of a delivery in ${what}, both`, "µs", of("both"), { most: 1.1 }),
    finding(`Time of ${what}`, "ms", of("time"), { most: 2 }),
  ]
}

/** Claims from many shops with one due delivery each, and from few shops with several. */
export const claims = async (
  stage: Stage,
  shops: ReadonlyArray<Shop>,
  { calls, rounds }: { readonly calls: number; readonly rounds: number },
): Promise<ReadonlyArray<Finding>> => {
  note("Claims from shops in all buckets, compared with one schema")
  const queues: Array<Queue> = []
  for (const { environment, name } of stage.deployments) {
    const child = start<ClaimMessage>(new URL("./queue.ts", import.meta.url), environment, stage.cleanup)
    await child.answer()
    queues.push({ name, child })
  }
  const findings = [
    ...(await compare(stage, queues, { shops: shops.slice(backlogs), named: 64, calls, rounds })),
    ...(await compare(stage, queues, { shops: shops.slice(0, backlogs), named: 64 / backlog, calls, rounds })),
  ]
  for (const { child } of queues) await child.stop()
  return findings
}
