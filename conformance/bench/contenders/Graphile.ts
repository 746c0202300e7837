/** graphile-worker alongside the other queues. */
import { makeWorkerUtils } from "graphile-worker"
import { inChunks, type OpenContender, settledIn } from "../deliver/Contender.ts"

export const open: OpenContender = async (sql, url, jobs, cleanup) => {
  const utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: 2 })
  cleanup.add(async () => utils.release())
  await utils.migrate()
  return {
    name: "graphile-worker",
    file: "../contenders/graphileWorker.ts",
    clear: () => sql`TRUNCATE graphile_worker._private_jobs`,
    enqueue: (deliveries) =>
      inChunks(deliveries, (count) =>
        utils.addJobs(jobs(count).map((payload) => ({ identifier: "deliver", payload }))),
      ),
    settled: () => settledIn(sql, "SELECT FROM graphile_worker._private_jobs"),
  }
}
