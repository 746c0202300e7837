/** What every worker process of the benchmark says to the one that started it. */
import process from "node:process"
import { listen, processorTime, tell } from "../support/Child.ts"
import { profile } from "../support/Profile.ts"

/** What a worker process has used. */
export interface Usage {
  /** Milliseconds of processor time since it was started. */
  readonly processor: number
  /** MiB of memory that are resident now. */
  readonly memory: number
}

/** A message to a worker process. */
export type TaskMessage = "begin" | "usage" | "profile" | "groups"

/** Tells the parent that all is prepared, begins when the parent says so, and answers what it has used. */
export const whenTold = (begin: () => unknown): void => {
  let end = profileNothing
  listen((message: TaskMessage) => {
    if (message === "begin") begin()
    else if (message === "profile") end = profile()
    else if (message === "groups") tell(end())
    else tell({ processor: processorTime(), memory: process.memoryUsage.rss() / 2 ** 20 } satisfies Usage)
  })
  tell("prepared")
}

const profileNothing = (): Readonly<Record<string, number>> => ({})
