/** Messages of a benchmark's process to its parent. */
import process from "node:process"

/** A variable set by the parent. */
export const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

/** Processor time of this process in milliseconds. */
export const processorTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

/** Sends a message to the parent. */
export const tell = (message: unknown): void => void process.send?.(message)

/** Receives the parent's messages, and ends with it. */
export const listen = <Message>(take: (message: Message) => unknown): void => {
  process.on("disconnect", () => process.exit(0))
  process.on("message", take)
}
