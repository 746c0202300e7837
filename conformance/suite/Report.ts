import type { SuiteCase } from "./Suite.ts"

/** How a case ended. */
export interface Result extends Pick<SuiteCase, "id" | "title" | "requirements" | "ports"> {
  readonly status: "passed" | "failed" | "skipped"
  readonly durationMs: number
  /** What is wrong, in lines; or why it was left out. `null` where it passed. */
  readonly message: string | null
}

/** How a suite ended. */
export interface Report {
  readonly suite: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly durationMs: number
  readonly results: ReadonlyArray<Result>
}
