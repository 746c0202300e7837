import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"

/** The orders of a run: their number, and in milliseconds the time of the slowest hundredth and the processor time. */
export interface Written {
  readonly count: number
  readonly p99: number
  readonly processor: number
}

/** Starts a writer that places orders of the drafts of these shops. */
export const startWriter = async (environment: Readonly<Record<string, string>>, cleanup: Cleanup) => {
  const child = start<{ readonly milliseconds: number }>(new URL("./placing.ts", import.meta.url), environment, cleanup)
  await child.answer()
  return (milliseconds: number) => child.ask<Written>({ milliseconds })
}
