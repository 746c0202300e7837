/** Messages of a server process to its parent. */
import process from "node:process"
import { listen, processorTime, tell } from "../support/Child.ts"

/** Resource usage of a process since its start. */
export interface Usage {
  /** Milliseconds of processor time. */
  readonly cpu: number
  /** Peak resident memory in bytes. */
  readonly peak: number
}

/** Reports the port to the parent, answers its messages, and ends with it. */
export const listening = (port: number): void => {
  listen(() => {
    const usage: Usage = { cpu: processorTime(), peak: process.resourceUsage().maxRSS * 1_024 }
    tell(usage)
  })
  tell(port)
}
