import type { Conflict, InvalidInput, PlanRequired, RefusalReason, Refused } from "../../core/model/Errors.ts"
import { maximumUrl } from "../../core/model/webhooks/HostPolicy.ts"
import type { Texts } from "./texts/Language.ts"

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

type Words = Texts["problems"]

/** What a field expects, by its path, if its words have another name, or a number. */
const expected: Readonly<Record<string, (words: Words) => string>> = {
  name: ({ name }) => name(255),
  property: ({ name }) => name(255),
  description: ({ description }) => description(255),
  url: ({ url }) => url(maximumUrl),
  "oauth.tokenUrl": ({ url }) => url(maximumUrl),
  "oauth.clientId": ({ visible }) => visible(255),
  "oauth.clientSecret": ({ visible }) => visible(1_024),
  "oauth.scope": ({ scope }) => scope,
  "oauth.audience": ({ visible }) => visible(1_024),
  "clientCertificate.certificate": ({ certificate }) => certificate,
  "clientCertificate.key": ({ key }) => key,
  placed: ({ states }) => states,
  payLater: ({ states }) => states,
  done: ({ states }) => states,
}

/** The words for a field that is not as it must be. Their message is for developers, and the last resort. */
const wordsFor = (words: Words, { message, path }: Problems[number]): string => {
  const [field = ""] = /^(?:(?:oauth|clientCertificate)\.)?\w*/.exec(path) ?? []
  const [, reserved] = field === "headers" ? (/other names than ([^,]+),/.exec(message) ?? []) : []
  if (reserved !== undefined) return words.reservedHeader(reserved)
  const said = expected[field]?.(words) ?? words[field as keyof Words]
  return typeof said === "string" ? said : words.other(message)
}

/** The words for why a field is refused. */
const wordsOf = (words: Words, { code, value = "" }: RefusalReason): string =>
  code === "port" ? words.port(value) : code === "tooLong" ? words.url(maximumUrl) : words[code]

/** Two messages of a use case may have the same words. */
const distinct = (problems: Problems): Problems => [
  ...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values(),
]

/** How a form is shown again after an error, in the words of its reader. `conflict`: what a conflict means there. */
export const rejectionOf = (
  error: InvalidInput | Refused | Conflict | PlanRequired,
  { problems: words }: Pick<Texts, "problems">,
  conflict = "",
): Rejection => {
  const status = statuses[error._tag]
  if (!("problems" in error)) {
    return { status, problems: [{ path: "", message: error._tag === "Conflict" ? conflict : words.plan }] }
  }
  const reason = error._tag === "Refused" ? error.reason : undefined
  const worded = (problem: Problems[number]) =>
    reason?.path === problem.path ? wordsOf(words, reason) : wordsFor(words, problem)
  return { status, problems: distinct(error.problems.map((problem) => ({ ...problem, message: worded(problem) }))) }
}
