import type { SuiteCase } from "./Suite.ts"

/** The outcome of a case. */
export interface Result extends Pick<SuiteCase, "id" | "title" | "requirements" | "ports"> {
  readonly status: "passed" | "failed" | "skipped"
  readonly durationMs: number
  /** The failure as lines of text, or the reason for skipping. `null` if it passed. */
  readonly message: string | null
}

/** The outcome of a suite. */
export interface Report {
  readonly suite: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number
  readonly results: ReadonlyArray<Result>
}
