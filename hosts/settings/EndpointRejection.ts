import { Effect } from "effect"
import { type Conflict, InvalidInput, type PlanRequired, type Refused } from "../../core/model/Errors.ts"
import { urlProblems } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { type Rejection, rejectionOf } from "./Problems.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/**
 * How an endpoint's form is shown again, with every problem: its URL is checked too if other fields are invalid. The
 * values of headers are secrets, which no page repeats: they have to be entered again.
 */
export const endpointRejection = Effect.fnUntraced(function* (
  error: InvalidInput | Refused | Conflict | PlanRequired,
  { headers, url }: { readonly url: string; readonly headers?: Readonly<Record<string, string>> | null },
) {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const withHeaders = ({ problems, status }: Rejection): Rejection =>
    headers === undefined || headers === null || problems.some(({ path }) => path.startsWith("headers"))
      ? { problems, status }
      : { problems: [...problems, { path: "headers", message: texts.endpointFields.headersAgain }], status }
  if (error._tag !== "InvalidInput" || error.problems.some(({ path }) => path === "url")) {
    return withHeaders(rejectionOf(error, texts))
  }
  const problems = [...error.problems, ...(yield* urlProblems(shop.id, url))]
  return withHeaders(rejectionOf(new InvalidInput({ message: error.message, problems }), texts))
})
