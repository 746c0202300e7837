import type { Cleanup } from "../support/Cleanup.ts"
import { start } from "../support/Processes.ts"
import type { TaskMessage, Usage } from "./Task.ts"

/** A worker in a separate process, connected and waiting. */
export interface Worker {
  readonly pid: number | undefined
  readonly begin: () => void
  readonly usage: () => Promise<Usage>
  /** Starts profiling its processor time, which slows it down. */
  readonly profile: () => void
  /** Milliseconds of processor time by group since `profile`. */
  readonly groups: () => Promise<Readonly<Record<string, number>>>
  readonly stop: () => Promise<void>
}

/** Starts a file of this folder and waits until it is prepared. */
export const startWorker = async (
  file: string,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
): Promise<Worker> => {
  const child = start<TaskMessage>(new URL(file, import.meta.url), environment, cleanup)
  await child.answer()
  return {
    pid: child.pid,
    begin: () => child.send("begin"),
    usage: () => child.ask("usage"),
    profile: () => child.send("profile"),
    groups: () => child.ask("groups"),
    stop: child.stop,
  }
}
