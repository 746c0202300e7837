import { quote } from "../model/Json.ts"
import type { Problem } from "../model/Problem.ts"

/** Characters of paths and messages after which further problems are left out: a small input can earn a huge answer. */
const MAX_REPORT = 4_000_000

export class Report {
  readonly problems: Array<Problem> = []
  #size = 0

  get isFull(): boolean {
    return this.#size > MAX_REPORT
  }

  add(path: string, message: string): void {
    if (this.isFull) return
    this.#size += path.length + message.length
    this.problems.push(
      this.isFull
        ? { path: "", message: "has more problems than can be listed here; mend these first" }
        : { path, message },
    )
  }
}

export const join = (path: string, key: string): string => {
  if (!/^[A-Za-z_$][\w$]{0,59}$/.test(key)) return `${path}[${quote(key)}]`
  return path === "" ? key : `${path}.${key}`
}
