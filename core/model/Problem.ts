/** One thing that is wrong with an input: where it is and what was expected. */
export interface Problem {
  /** The place in the input, e.g. `questions[2].answers[0].price`; for a selection the question's id; `""` for the whole. */
  readonly path: string
  /** A sentence that its reader can act on. */
  readonly message: string
}
