/** graphile-worker: 64 jobs at a time, fetched and settled in batches as its performance guide recommends. */
import { Logger, run } from "graphile-worker"
import { type Job, sender } from "../deliver/Send.ts"
import { whenTold } from "../deliver/Task.ts"
import { setting } from "../support/Child.ts"

const concurrency = 64

const send = sender(setting("ORIGIN"), concurrency)

whenTold(async () => {
  await run({
    preset: {
      worker: {
        connectionString: setting("DATABASE_URL"),
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        localQueue: { size: 4 * concurrency },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    logger: new Logger(() => () => undefined),
    noHandleSignals: true,
    taskList: { deliver: (job) => send(job as Job) },
  })
})
