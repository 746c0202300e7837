import { readFile } from "node:fs/promises"
import type postgres from "postgres"

/** Ticks of the processor clock in a second, as Linux counts for every process. */
const ticksPerSecond = 100

/** Milliseconds of processor time of the server's processes so far; `NaN` where they are not on this machine, or it is not Linux. */
export const postgresUsage = async (sql: postgres.Sql): Promise<number> => {
  const processes = await sql<Array<{ pid: number }>>`SELECT pid FROM pg_stat_activity`
  const times = await Promise.all(processes.map(({ pid }) => processorTime(pid)))
  return times.reduce((sum, time) => sum + time, 0)
}

const processorTime = async (pid: number): Promise<number> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8")
    const [, user, system] = /^\d+ \(.*\) (?:\S+ ){11}(\d+) (\d+) /.exec(stat) ?? []
    return ((Number(user) + Number(system)) / ticksPerSecond) * 1_000
  } catch {
    return Number.NaN
  }
}
