import type postgres from "postgres"
import type { Cleanup } from "../support/Cleanup.ts"
import type { Job } from "./Send.ts"

/** A queue and its worker. */
export interface Contender {
  readonly name: string
  /** The worker's file. */
  readonly file: string
  /** Removes leftovers of earlier runs. */
  readonly clear: () => Promise<unknown>
  /** Adds this number of deliveries. */
  readonly enqueue: (deliveries: number) => Promise<unknown>
  /** Whether every delivery is settled. */
  readonly settled: () => Promise<boolean>
}

const chunk = 500

/** Adds `count` deliveries in chunks. */
export const inChunks = async (count: number, add: (count: number) => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += chunk) await add(Math.min(chunk, count - done))
}

/** Whether a query for unsettled deliveries finds none. */
export const settledIn = async (sql: postgres.Sql, waiting: string): Promise<boolean> => {
  const [row] = await sql.unsafe<Array<{ waiting: boolean }>>(`SELECT EXISTS (${waiting}) AS waiting`)
  return row?.waiting === false
}

/** Prepares a queue on a database for deliveries that it gets as jobs. */
export type OpenContender = (
  sql: postgres.Sql,
  url: string,
  jobs: (count: number) => ReadonlyArray<Job>,
  cleanup: Cleanup,
) => Promise<Contender>
