import { Effect } from "effect"
import { type Conflict, InvalidInput, type PlanRequired, type Refused } from "../../core/model/Errors.ts"
import type { EndpointInput } from "../../core/model/webhooks/Endpoint.ts"
import { urlProblems } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { Form } from "./Form.ts"
import { type Problems, type Rejection, rejectionOf } from "./Problems.ts"
import { basicFields, isSecret, optionNames } from "./parts/endpoints/OptionControls.ts"
import type { Texts } from "./texts/Language.ts"
import { CurrentShop, Visit } from "./Visit.ts"

type Secrets = Pick<EndpointInput, "headers" | "oauth" | "clientCertificate">

/** The problems of secrets that were `sent` in a form, and have to be entered again: no page shows them. */
export const secretsAgain = (
  input: Secrets,
  { endpointFields, endpointOptions: texts }: Texts,
  { text }: Form["Service"],
): Problems => {
  const hasUser = Object.values(basicFields).some((name) => text(name) !== "")
  return [
    ...(hasUser ? [{ path: basicFields.password, message: endpointFields.passwordAgain }] : []),
    ...optionNames
      .filter(isSecret)
      .filter((name) => input[name] !== undefined && input[name] !== null)
      .filter((name) => !(name === "headers" && hasUser && text(name) === ""))
      .map((name) => ({ path: name === "oauth" ? "oauth.clientSecret" : name, message: texts[name].again })),
  ]
}

/**
 * How an endpoint's form is shown again, with every problem: its URL is checked too if other fields are invalid. No
 * page shows the values of headers, the secret of an OAuth client or a key: they have to be entered again.
 */
export const endpointRejection = Effect.fnUntraced(function* (
  error: InvalidInput | Refused | Conflict | PlanRequired,
  input: Secrets & Pick<EndpointInput, "url">,
) {
  const { texts } = yield* Visit
  const { shop } = yield* CurrentShop
  const secrets = secretsAgain(input, texts, yield* Form)
  const withSecrets = ({ problems, status }: Rejection): Rejection => ({
    problems: [...problems, ...secrets.filter((secret) => !problems.some(({ path }) => path.startsWith(secret.path)))],
    status,
  })
  if (error._tag !== "InvalidInput" || error.problems.some(({ path }) => path === "url")) {
    return withSecrets(rejectionOf(error, texts))
  }
  const problems = [...error.problems, ...(yield* urlProblems(shop.id, input.url))]
  return withSecrets(rejectionOf(new InvalidInput({ message: error.message, problems }), texts))
})
