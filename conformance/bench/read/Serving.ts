/** What every process of the benchmark that serves says to the one that started it. */
import process from "node:process"
import { listen, processorTime, tell } from "../support/Child.ts"

/** What a process has used since it began. */
export interface Usage {
  /** Milliseconds of processor time. */
  readonly cpu: number
  /** The most resident memory there ever was, in bytes. */
  readonly peak: number
}

/** Tells the parent where this process listens, answers its questions, and ends with it. */
export const listening = (port: number): void => {
  listen(() => {
    const usage: Usage = { cpu: processorTime(), peak: process.resourceUsage().maxRSS * 1_024 }
    tell(usage)
  })
  tell(port)
}
