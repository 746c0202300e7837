import { quote } from "./json/Json.ts"

/** One problem of an input: its place and what was expected. */
export interface Problem {
  /**
   * The place in the input, e.g. `questions[2].answers[0].price`; for a selection the question's id; `""` for the
   * whole.
   */
  readonly path: string
  /** A sentence that its reader can act on. */
  readonly message: string
}

/** The problems of an input. */
export interface Problems {
  /** The first problems, at most 100 (D46). */
  readonly listed: ReadonlyArray<Problem>
  /** How many problems there are, listed or not. */
  readonly total: number
}

/** An answer lists at most this many problems (D46). */
const MAX_LISTED = 100

/** Characters of a path that are reported: keys in an input can be as long as the input. */
const MAX_PATH = 1_000

/** Collects the problems of one input: lists the first and counts them all. */
export class ProblemReport {
  readonly #listed: Array<Problem> = []
  #total = 0

  /**
   * Calls its functions only while the list has room, so that an input with many problems costs little more than a
   * sound one.
   */
  add(path: string | (() => string), message: () => string): void {
    this.#total += 1
    if (this.#listed.length === MAX_LISTED) return
    this.#listed.push({ path: shortened(typeof path === "string" ? path : path()), message: message() })
  }

  get total(): number {
    return this.#total
  }

  get problems(): Problems {
    return { listed: this.#listed, total: this.#total }
  }
}

const shortened = (path: string): string => (path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path)

/** The path of a key or an index within what is at `path`. */
export const join = (path: string, key: string | number): string => {
  if (typeof key === "number") return `${path}[${key}]`
  if (!/^[A-Za-z_$][\w$]{0,59}$/.test(key)) return `${path}[${quote(key)}]`
  return path === "" ? key : `${path}.${key}`
}
