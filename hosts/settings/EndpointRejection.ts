import { Effect } from "effect"
import { type Conflict, InvalidInput, type PlanRequired, type Refused } from "../../core/model/Errors.ts"
import { urlProblems } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { rejectionOf } from "./Problems.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/** How an endpoint's form is shown again, with every problem: its URL is checked too if other fields are invalid. */
export const endpointRejection = Effect.fnUntraced(function* (
  error: InvalidInput | Refused | Conflict | PlanRequired,
  url: string,
) {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  if (error._tag !== "InvalidInput" || error.problems.some(({ path }) => path === "url")) {
    return rejectionOf(error, texts)
  }
  const problems = [...error.problems, ...(yield* urlProblems(shop.id, url))]
  return rejectionOf(new InvalidInput({ message: error.message, problems }), texts)
})
