import { readFile } from "node:fs/promises"
import type postgres from "postgres"

/** Linux clock ticks per second. */
const ticksPerSecond = 100

/** Processor time of a process in milliseconds. */
interface Usage {
  readonly parent: number
  readonly own: number
  /** Processor time of its ended children. */
  readonly ended: number
}

/** Milliseconds of the server's processor time so far; `NaN` if it runs elsewhere or not on Linux. */
export const postgresUsage = async (sql: postgres.Sql): Promise<number> => {
  const processes = await sql<Array<{ pid: number }>>`SELECT pid FROM pg_stat_activity`
  const children = (await Promise.all(processes.map(({ pid }) => usageOf(pid)))).filter((usage) => usage !== undefined)
  // The parent process is read last, because it has the time of children that ended meanwhile.
  const server = children[0] === undefined ? undefined : await usageOf(children[0].parent)
  if (server === undefined) return Number.NaN
  return children.reduce((sum, { own }) => sum + own, server.own + server.ended)
}

/** Bytes that the server has written to its log since its creation. */
export const written = async (sql: postgres.Sql): Promise<number> => {
  const [row] = await sql<Array<{ bytes: number }>>`SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes`
  return row?.bytes ?? Number.NaN
}

const usageOf = async (pid: number): Promise<Usage | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  const numbers = /^\d+ \(.*\) \S (\d+) (?:\S+ ){9}(\d+) (\d+) (\d+) (\d+) /.exec(stat)?.slice(1).map(Number)
  if (numbers === undefined) return undefined
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = numbers
  const time = (ticks: number) => (ticks / ticksPerSecond) * 1_000
  return { parent, own: time(user + system), ended: time(endedUser + endedSystem) }
}
