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

/** Claims of 64 due deliveries each. */
interface Claims {
  readonly what: string
  readonly calls: number
  readonly rounds: number
  readonly message: ClaimMessage
}

const compare = async (
  stage: Stage,
  queues: ReadonlyArray<Queue>,
  { calls, message, rounds, what }: Claims,
): Promise<ReadonlyArray<Finding>> => {
  const run = async ({ child, name }: Queue) => {
    const before = await serversUsage(stage)
    const { deliveries, processor, times } = await child.ask<Claimed>(message)
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
  return [
    finding(`Processor time of a delivery in ${what}, worker`, "µs", of("worker"), { most: 1.1 }),
    finding(`Processor time of a delivery in ${what}, Postgres`, "µs", of("servers"), { most: 1.1 }),
    finding(`Processor time of a delivery in ${what}, both`, "µs", of("both"), { most: 1.1 }),
    finding(`Time of ${what}`, "ms", of("time"), { most: 2 }),
  ]
}

/** Shops that wait at the same time for claims. */
const waiting = 20_000

/**
 * Claims from many shops with one due delivery each: any of them, and those that a worker names while many wait. Claims
 * from few shops with several.
 */
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
  const some = (of: ReadonlyArray<Shop>, count: number) =>
    shuffled(of)
      .slice(0, count)
      .map(({ id }) => id)
  const each = (of: ReadonlyArray<Shop>, count: number) => Array.from({ length: calls }, () => some(of, count))
  const [one, several] = [shops.slice(backlogs), shops.slice(0, backlogs)]
  const findings: Array<Finding> = []
  for (const [what, message] of [
    ["a claim of 64 from 64 shops", each(one, 64)],
    [`a claim of 64 while ${waiting} shops wait`, { waiting: some(one, waiting), calls }],
    ["a claim of 64 from 8 shops", each(several, 64 / backlog)],
  ] as const) {
    findings.push(...(await compare(stage, queues, { what, message, calls, rounds })))
  }
  for (const { child } of queues) await child.stop()
  return findings
}
