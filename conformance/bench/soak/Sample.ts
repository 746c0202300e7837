import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type postgres from "postgres"
import { percentiles } from "../support/Statistics.ts"

/**
 * A sample of the run: memory and tables in MiB, times in milliseconds as the 99th percentile since the previous
 * sample.
 */
export interface Sample {
  readonly server: number
  readonly worker: number
  readonly read: number
  readonly order: number
  readonly delivery: number
  readonly tables: number
  /** Stored orders. */
  readonly orders: number
}

const run = promisify(execFile)

/** Resident memory of a process in MiB. */
const memory = async (pid: number | undefined): Promise<number> => {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]).catch(() => ({ stdout: "NaN" }))
  return Number(stdout) / 1_024
}

/** Times measured since the last sample. */
export class Times {
  #times: Array<number> = []

  add(milliseconds: number): void {
    this.#times.push(milliseconds)
  }

  /** Returns their 99th percentile and clears them. */
  take(): number {
    const times = this.#times
    this.#times = []
    return percentiles(times).p99
  }
}

/** Takes a sample. The delay of deliveries is the time from event to first attempt since `since`. */
export const take = async (
  sql: postgres.Sql,
  since: Date,
  processes: { readonly server: number | undefined; readonly worker: number | undefined },
  times: { readonly reads: Times; readonly orders: Times },
): Promise<Sample> => {
  const [row] = await sql<Array<{ delivery: number | null; tables: number; orders: number }>>`
    SELECT (SELECT percentile_cont(0.99) WITHIN GROUP (ORDER BY (d.attempt_log -> 0 ->> 'at')::float8 - extract(epoch FROM d.created_at) * 1000)
      FROM designwire.deliveries d WHERE d.attempts > 0 AND d.created_at >= ${since}) AS delivery,
      (SELECT sum(pg_total_relation_size(c.oid))::float8 / 1048576 FROM pg_class c
      WHERE c.relnamespace = 'designwire'::regnamespace AND c.relkind = 'r') AS tables,
      (SELECT count(*)::int FROM designwire.orders) AS orders`
  return {
    server: await memory(processes.server),
    worker: await memory(processes.worker),
    read: times.reads.take(),
    order: times.orders.take(),
    delivery: row?.delivery ?? Number.NaN,
    tables: row?.tables ?? Number.NaN,
    orders: row?.orders ?? Number.NaN,
  }
}
