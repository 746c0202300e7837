import process from "node:process"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { processorTime } from "../support/Child.ts"

/** Resource usage of a process. */
export interface Usage {
  /** Milliseconds of processor time since its start. */
  readonly processor: number
  /** Resident memory in MiB. */
  readonly resident: number
  /** Live objects in MiB. */
  readonly heap: number
}

// As the command does.
setFlagsFromString("--heap-growing-percent=100")
setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** The usage of this process, without garbage. */
export const usage = (): Usage => {
  const processor = processorTime()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { processor, resident: rss / 2 ** 20, heap: heapUsed / 2 ** 20 }
}
