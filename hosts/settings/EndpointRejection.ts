import { Effect } from "effect"
import type { EndpointInput } from "../../core/model/Endpoint.ts"
import { type Conflict, InvalidInput, type PlanRequired, type Refused } from "../../core/model/Errors.ts"
import { urlProblems } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { type Rejection, rejectionOf } from "./Problems.ts"
import { CurrentShop, Visit } from "./Visit.ts"

/**
 * How an endpoint's form is shown again, with every problem: its URL is checked too if other fields are invalid. No
 * page shows the values of headers, the secret of an OAuth client or a key: they have to be entered again.
 */
export const endpointRejection = Effect.fnUntraced(function* (
  error: InvalidInput | Refused | Conflict | PlanRequired,
  { clientCertificate, headers, oauth, url }: Pick<EndpointInput, "url" | "headers" | "oauth" | "clientCertificate">,
) {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const { certificateAgain, clientSecretAgain, headersAgain } = texts.endpointFields
  const secrets = [
    ...(headers === undefined || headers === null ? [] : [{ path: "headers", message: headersAgain }]),
    ...(oauth === undefined || oauth === null ? [] : [{ path: "oauth.clientSecret", message: clientSecretAgain }]),
    ...(clientCertificate === undefined || clientCertificate === null
      ? []
      : [{ path: "clientCertificate", message: certificateAgain }]),
  ]
  const withSecrets = ({ problems, status }: Rejection): Rejection => ({
    problems: [...problems, ...secrets.filter((secret) => !problems.some(({ path }) => path.startsWith(secret.path)))],
    status,
  })
  if (error._tag !== "InvalidInput" || error.problems.some(({ path }) => path === "url")) {
    return withSecrets(rejectionOf(error, texts))
  }
  const problems = [...error.problems, ...(yield* urlProblems(shop.id, url))]
  return withSecrets(rejectionOf(new InvalidInput({ message: error.message, problems }), texts))
})
