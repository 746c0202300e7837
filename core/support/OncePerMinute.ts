import { BoundedMap } from "./BoundedMap.ts"

/** Milliseconds between two sentences about one subject. */
const interval = 60_000

/** The most subjects to remember; one that is forgotten may be reported again earlier. */
const maximumSubjects = 100

/** Reports what may happen often: once a minute for each subject. `A`: a report. */
export class OncePerMinute<A = string> {
  readonly #report: (report: A) => void
  readonly #now: () => number
  readonly #subjects = new BoundedMap<string, { reportedAt: number; unreported: number }>(maximumSubjects)

  /** `now`: milliseconds from any point in time. */
  constructor(report: (report: A) => void, now: () => number) {
    this.#report = report
    this.#now = now
  }

  /** `reportOf` gets how many times it has happened since the last report, this time included. */
  note(subject: string, reportOf: (times: number) => A): void {
    const now = this.#now()
    const known = this.#subjects.get(subject) ?? { reportedAt: Number.NEGATIVE_INFINITY, unreported: 0 }
    this.#subjects.set(subject, known)
    known.unreported++
    if (now < known.reportedAt + interval) return
    const times = known.unreported
    known.reportedAt = now
    known.unreported = 0
    this.#report(reportOf(times))
  }
}
