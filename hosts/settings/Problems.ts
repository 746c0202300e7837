import type { Conflict, InvalidInput, PlanRequired, Refused } from "../../core/model/Errors.ts"
import type { Problems } from "./parts/Field.tsx"

const statuses = { InvalidInput: 400, Refused: 422, Conflict: 409, PlanRequired: 409 } as const

/** What was wrong with a form; problems that belong to no field have an empty path. */
export interface Rejected {
  readonly status: number
  readonly problems: Problems
}

export const accepted: Rejected = { status: 200, problems: [] }

export const rejected = (error: InvalidInput | Refused | Conflict | PlanRequired): Rejected => ({
  status: statuses[error._tag],
  problems: "problems" in error ? error.problems : [{ path: "", message: error.message }],
})
