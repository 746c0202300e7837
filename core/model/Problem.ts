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
