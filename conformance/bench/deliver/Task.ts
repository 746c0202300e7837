/** What every worker process of the benchmark says to the one that started it. */
import { listen, processorTime, tell } from "../support/Child.ts"

/** Tells the parent that all is prepared, begins when the parent says so, and answers how much processor time it has used. */
export const whenTold = (begin: () => unknown): void => {
  listen((message: "begin" | "time") => {
    if (message === "begin") begin()
    else tell(processorTime())
  })
  tell("prepared")
}
