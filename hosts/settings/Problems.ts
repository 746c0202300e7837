import type { Conflict, InvalidInput, PlanRequired, Refused } from "../../core/model/Errors.ts"

/** The problems of a form's fields. A problem that belongs to no field has an empty path. */
export type Problems = ReadonlyArray<{ readonly path: string; readonly message: string }>

/** How the page of a form that was not accepted is shown. */
export interface Rejection {
  readonly status: number
  readonly problems: Problems
}

/** How the page of a form is shown before anyone has sent it. */
export const noProblems: Rejection = { status: 200, problems: [] }

const statuses = { InvalidInput: 400, Refused: 422, Conflict: 409, PlanRequired: 409 } as const

export const rejectionOf = (error: InvalidInput | Refused | Conflict | PlanRequired): Rejection => ({
  status: statuses[error._tag],
  problems: "problems" in error ? error.problems : [{ path: "", message: error.message }],
})
