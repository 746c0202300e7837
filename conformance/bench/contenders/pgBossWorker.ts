/**
 * pg-boss: batches whose jobs are sent together and settled one by one, the next batch is fetched at once while batches
 * are full.
 */
import { type JobResult, PgBoss } from "pg-boss"
import { type Job, sender } from "../deliver/Send.ts"
import { whenTold } from "../deliver/Task.ts"
import { setting } from "../support/Child.ts"
import { queue } from "./PgBossQueue.ts"

/** 64 jobs in flight. */
const [workers, batchSize] = [4, 16]

const send = sender(setting("ORIGIN"), workers * batchSize)
const boss = new PgBoss({
  connectionString: setting("DATABASE_URL"),
  max: 10,
  migrate: false,
  schedule: false,
  supervise: false,
  useListenNotify: true,
})
boss.on("error", console.error)
await boss.start()

whenTold(async () => {
  const options = {
    batchSize,
    localConcurrency: workers,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
    perJobResults: true,
  } as const
  await boss.work<Job, Array<JobResult>, typeof options>(queue, options, (jobs) =>
    Promise.all(
      jobs.map(({ data, id }) =>
        send(data).then(
          () => ({ id, status: "completed" as const }),
          () => ({ id, status: "failed" as const }),
        ),
      ),
    ),
  )
})
