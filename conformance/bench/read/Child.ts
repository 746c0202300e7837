/** What every process of the benchmark that serves says to the one that started it. */
import process from "node:process"

/** What a process has used since it began. */
export interface Usage {
  /** Milliseconds of processor time. */
  readonly cpu: number
  /** Resident memory now, in bytes. */
  readonly resident: number
  /** The most resident memory there ever was, in bytes. */
  readonly peak: number
}

/** Processor time of this process in milliseconds. */
export const processorTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

/** Tells the parent where this process listens, answers its questions, and ends with it. */
export const listening = (port: number): void => {
  process.on("disconnect", () => process.exit(0))
  process.on("message", () => {
    const usage: Usage = {
      cpu: processorTime(),
      resident: process.memoryUsage.rss(),
      peak: process.resourceUsage().maxRSS * 1_024,
    }
    process.send?.(usage)
  })
  process.send?.({ port })
}

/** A setting that the parent gave. */
export const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}
