import { readFile } from "node:fs/promises"
import type postgres from "postgres"

/** Ticks of the processor clock in a second, as Linux counts for every process. */
const ticksPerSecond = 100

/** What a process has used of the processor, in milliseconds. */
interface Usage {
  readonly parent: number
  readonly own: number
  /** Of its children that have ended. */
  readonly ended: number
}

/** Milliseconds of processor time of the server's processes so far; `NaN` where they are not on this machine, or it is not Linux. */
export const postgresUsage = async (sql: postgres.Sql): Promise<number> => {
  const processes = await sql<Array<{ pid: number }>>`SELECT pid FROM pg_stat_activity`
  const children = (await Promise.all(processes.map(({ pid }) => usageOf(pid)))).filter((usage) => usage !== undefined)
  // The process that has started the others is read last: it has the time of those that ended meanwhile.
  const server = children[0] === undefined ? undefined : await usageOf(children[0].parent)
  if (server === undefined) return Number.NaN
  return children.reduce((sum, { own }) => sum + own, server.own + server.ended)
}

const usageOf = async (pid: number): Promise<Usage | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  const numbers = /^\d+ \(.*\) \S (\d+) (?:\S+ ){9}(\d+) (\d+) (\d+) (\d+) /.exec(stat)?.slice(1).map(Number)
  if (numbers === undefined) return undefined
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = numbers
  const time = (ticks: number) => (ticks / ticksPerSecond) * 1_000
  return { parent, own: time(user + system), ended: time(endedUser + endedSystem) }
}
