import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"

/** A worker in a process of its own, connected and waiting. */
export interface Worker {
  readonly pid: number | undefined
  readonly begin: () => void
  /** Milliseconds of processor time since it was started. */
  readonly processorTime: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a file of this folder and waits until it is prepared. */
export const startWorker = async (
  file: string,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
): Promise<Worker> => {
  const child = start<"begin" | "time">(new URL(file, import.meta.url), environment, cleanup)
  await child.answer()
  return {
    pid: child.pid,
    begin: () => child.send("begin"),
    processorTime: () => child.ask<number>("time"),
    stop: child.stop,
  }
}
