/** One statement of what designwire must do. */
export interface Requirement {
  /**
   * Never changes, and is never given to another statement: `§<section>-<n>` (`§2.1-3`) for a statement of the
   * specification, `D<n>` or `D<n>a` (`D6a`) for a decision on what it leaves open, `F-<n>` for the definition format.
   */
  readonly id: string
  /** Two to six words. */
  readonly title: string
  /** The statement in plain words, with code in backticks. Ids in it name other requirements. */
  readonly text: string
  /**
   * The specification itself, a decision on what it leaves open, or the format of a customizer's definition.
   */
  readonly from: "specification" | "decision" | "definition"
  /** Decided, and not built yet. */
  readonly planned?: true
  /** What of it no test can see, and why. */
  readonly unobservable?: string
}

/** Requirements that stand under one heading of the page. */
export interface Section {
  /**
   * `§2.1`, which may be cited for all rows of the section and of those under it; or a name, for decisions and the
   * format.
   */
  readonly id: string
  /** One line. */
  readonly title: string
  readonly from: Requirement["from"]
  readonly rows: ReadonlyArray<Omit<Requirement, "from">>
}
