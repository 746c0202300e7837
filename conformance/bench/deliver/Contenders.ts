/** The queues that are compared. All get the same deliveries. */
import { makeWorkerUtils } from "graphile-worker"
import { PgBoss } from "pg-boss"
import type postgres from "postgres"
import type { Cleanup } from "../support/Cleanup.ts"
import { makeEvent, type StagedShop } from "./Events.ts"
import { queue } from "./PgBossQueue.ts"
import type { Job } from "./Send.ts"
import { commitEvents, type Stores } from "./Stage.ts"

/** A queue and its worker. */
export interface Contender {
  readonly name: string
  /** The worker's file. */
  readonly file: string
  /** Removes what earlier runs left. */
  readonly clear: () => Promise<unknown>
  /** Adds this number of deliveries. */
  readonly enqueue: (deliveries: number) => Promise<unknown>
  /** Whether every delivery is settled. */
  readonly settled: () => Promise<boolean>
}

const chunk = 500

/** Adds `count` in all, a chunk at a time. */
export const inChunks = async (count: number, add: (count: number) => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += chunk) await add(Math.min(chunk, count - done))
}

/** Whether a query for unsettled deliveries finds none. */
export const settledIn = async (sql: postgres.Sql, waiting: string): Promise<boolean> => {
  const [row] = await sql.unsafe<Array<{ waiting: boolean }>>(`SELECT EXISTS (${waiting}) AS waiting`)
  return row?.waiting === false
}

/** Deliveries come from events of the shops in turn, one for each endpoint of the shop. */
export const designwire = (sql: postgres.Sql, stores: Stores, shops: ReadonlyArray<StagedShop>): Contender => ({
  name: "designwire",
  file: "./designwire.ts",
  clear: () => sql`TRUNCATE designwire.events, designwire.deliveries`,
  enqueue: async (deliveries) => {
    let turn = 0
    await inChunks(deliveries, (count) => {
      const { endpoints, shop } = shops[turn++ % shops.length] as StagedShop
      const events = Array.from({ length: Math.ceil(count / endpoints.length) }, () => makeEvent(shop))
      return commitEvents(stores, shop.id, events)
    })
  },
  settled: () => settledIn(sql, "SELECT FROM designwire.deliveries WHERE status = 'pending'"),
})

export const pgBoss = async (
  sql: postgres.Sql,
  url: string,
  jobs: (count: number) => ReadonlyArray<Job>,
  cleanup: Cleanup,
): Promise<Contender> => {
  const boss = new PgBoss({ connectionString: url, max: 2, schedule: false, supervise: false })
  boss.on("error", console.error)
  await boss.start()
  cleanup.add(() => boss.stop({ graceful: false }))
  await boss.createQueue(queue, { notify: true })
  return {
    name: "pg-boss",
    file: "./pgboss.ts",
    clear: () => boss.deleteAllJobs(queue),
    enqueue: (deliveries) =>
      inChunks(deliveries, (count) =>
        boss.insert(
          queue,
          jobs(count).map((data) => ({ data })),
        ),
      ),
    settled: () => settledIn(sql, "SELECT FROM pgboss.job WHERE state < 'completed'"),
  }
}

export const graphile = async (
  sql: postgres.Sql,
  url: string,
  jobs: (count: number) => ReadonlyArray<Job>,
  cleanup: Cleanup,
): Promise<Contender> => {
  const utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: 2 })
  cleanup.add(async () => utils.release())
  await utils.migrate()
  return {
    name: "graphile-worker",
    file: "./graphile.ts",
    clear: () => sql`TRUNCATE graphile_worker._private_jobs`,
    enqueue: (deliveries) =>
      inChunks(deliveries, (count) =>
        utils.addJobs(jobs(count).map((payload) => ({ identifier: "deliver", payload }))),
      ),
    settled: () => settledIn(sql, "SELECT FROM graphile_worker._private_jobs"),
  }
}

/** The sends alone, with one of undici's calls: the worker makes its jobs itself and stores nothing. */
const alone = (name: string, file: string): Contender => ({
  name,
  file,
  clear: () => Promise.resolve(),
  enqueue: () => Promise.resolve(),
  settled: () => Promise.resolve(true),
})

export const bare = alone("undici's dispatch alone", "./bare.ts")

export const bareRequest = alone("undici's request alone", "./bareRequest.ts")
