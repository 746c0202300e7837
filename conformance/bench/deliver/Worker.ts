import { answer, type Cleanup, start, stop } from "../read/Processes.ts"

/** A worker in a process of its own, connected and waiting. */
export interface Worker {
  readonly begin: () => void
  /** Milliseconds of processor time since it was started. */
  readonly processorTime: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts a file of this folder and waits until it has prepared what it can. */
export const startWorker = async (
  file: string,
  environment: Readonly<Record<string, string>>,
  cleanup: Cleanup,
): Promise<Worker> => {
  const child = start(new URL(file, import.meta.url).href, environment)
  cleanup.add(() => stop(child))
  await answer(child)
  return {
    begin: () => void child.send("begin"),
    processorTime: () => {
      child.send("time")
      return answer<number>(child)
    },
    stop: () => stop(child),
  }
}
