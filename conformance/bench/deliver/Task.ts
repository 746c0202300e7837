/** The messages of a worker process to its parent. */
import process from "node:process"
import { listen, processorTime, tell } from "../support/Child.ts"
import { profile } from "../support/Profile.ts"

/** Resource usage of a worker process. */
export interface Usage {
  /** Milliseconds of processor time since its start. */
  readonly processor: number
  /** Resident memory in MiB. */
  readonly memory: number
}

/** A message to a worker process. */
export type TaskMessage = "begin" | "usage" | "profile" | "groups"

/** Reports readiness to the parent, starts at its message, and returns the resource usage. */
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
