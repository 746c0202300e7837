/** pg-boss alongside the other queues. */
import { PgBoss } from "pg-boss"
import { inChunks, type OpenContender, settledIn } from "../deliver/Contender.ts"
import { queue } from "./PgBossQueue.ts"

export const open: OpenContender = async (sql, url, jobs, cleanup) => {
  const boss = new PgBoss({ connectionString: url, max: 2, schedule: false, supervise: false })
  boss.on("error", console.error)
  await boss.start()
  cleanup.add(() => boss.stop({ graceful: false }))
  await boss.createQueue(queue, { notify: true })
  return {
    name: "pg-boss",
    file: "../contenders/pgBossWorker.ts",
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
