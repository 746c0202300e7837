/** Milliseconds between two sentences about one subject. */
const interval = 60_000

/** Reports what may happen often: once a minute for each subject, of which there are only a few. */
export class OncePerMinute {
  readonly #report: (sentence: string) => void
  readonly #now: () => number
  readonly #subjects = new Map<string, { reportedAt: number; unreported: number }>()

  /** `now`: milliseconds from any point in time. */
  constructor(report: (sentence: string) => void, now: () => number) {
    this.#report = report
    this.#now = now
  }

  /** `sentence` gets how many times it has happened since the last report, this time included. */
  note(subject: string, sentence: (times: number) => string): void {
    const now = this.#now()
    const known = this.#subjects.get(subject) ?? { reportedAt: Number.NEGATIVE_INFINITY, unreported: 0 }
    this.#subjects.set(subject, known)
    known.unreported++
    if (now < known.reportedAt + interval) return
    const times = known.unreported
    known.reportedAt = now
    known.unreported = 0
    this.#report(sentence(times))
  }
}
