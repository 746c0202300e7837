import { Effect } from "effect"
import type { Conflict, InvalidInput, PlanRequired, Refused } from "../../core/model/Errors.ts"
import { type EndpointInput, maximumEndpoints } from "../../core/model/webhooks/Endpoint.ts"
import { urlRefusal } from "../../core/usecases/webhooks/ManageEndpoints.ts"
import { Form } from "./Form.ts"
import { type Problems, rejectionOf } from "./Problems.ts"
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
  const form = yield* Form
  const rejection = rejectionOf(error, texts, texts.problems.full(maximumEndpoints))
  const isJudged = error._tag !== "InvalidInput" || error.problems.some(({ path }) => path === "url")
  const refusal = isJudged ? undefined : yield* urlRefusal(shop.id, input.url)
  const all = [...rejection.problems, ...(refusal === undefined ? [] : rejectionOf(refusal, texts).problems)]
  const user = { path: basicFields.user, message: texts.endpointFields.basicUserTitle }
  const hasColon = form.text(user.path).includes(":")
  const problems = hasColon ? [user, ...all.filter(({ path }) => !path.startsWith("headers"))] : all
  const secrets = secretsAgain(input, texts, form)
  const others = secrets.filter((secret) => !problems.some(({ path }) => path.startsWith(secret.path)))
  return { status: rejection.status, problems: [...problems, ...others] }
})
