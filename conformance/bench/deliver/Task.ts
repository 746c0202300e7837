/** What every worker process of the benchmark says to the one that started it. */
import process from "node:process"
import { processorTime } from "../read/Child.ts"

/** Tells the parent that all is prepared, begins when the parent says so, answers what processor time it has used, and ends with the parent. */
export const whenTold = (begin: () => unknown): void => {
  process.on("disconnect", () => process.exit(0))
  process.on("message", (message) => {
    if (message === "begin") begin()
    else process.send?.(processorTime())
  })
  process.send?.("prepared")
}
