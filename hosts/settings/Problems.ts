import type { Conflict, InvalidInput, PlanRequired, Refused } from "../../core/model/Errors.ts"
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

/** The words for the messages of the use cases, which are written for developers: the first that fits. */
const wordings: ReadonlyArray<readonly [pattern: RegExp, say: (words: Words, found: string) => string]> = [
  [/^name: text of \d+ to (\d+) /, (words, maximum) => words.name(Number(maximum))],
  [/^description: text of \d+ to (\d+) /, (words, maximum) => words.description(Number(maximum))],
  [/^url: (?:text of \d+ to|The URL must have at most) (\d+) /, (words, maximum) => words.url(Number(maximum))],
  [/^events/, (words) => words.events],
  [/^customizers/, (words) => words.customizers],
  [/^overlap/, (words) => words.overlap],
  [/^scopes/, (words) => words.scopes],
  [/^expiresAt/, (words) => words.expiresAt],
  [/^url: .*absolute URL/, (words) => words.notAbsolute],
  [/^url: .*must be https or http/, (words) => words.notHttp],
  [/^url: .*must be https/, (words) => words.notHttps],
  [/^url: .*user name or password/, (words) => words.password],
  [/^url: .*fragment/, (words) => words.fragment],
  [/^url: .*port (\d+) belongs/, (words, port) => words.port(port)],
  [/^url: .*(?:not found|no address|not be looked up)/, (words) => words.notFound],
  [/^url: .*(?:public|denied|may not be sent|not a host name)/, (words) => words.notPublic],
  [/^: The shop has (\d+) \w+ already/, (words, maximum) => words.full(Number(maximum))],
  [/^: .*plans/, (words) => words.plan],
]

const worded = (words: Words, { message, path }: Problems[number]): Problems[number] => {
  const text = `${path}: ${message}`
  for (const [pattern, say] of wordings) {
    const found = pattern.exec(text)
    if (found !== null) return { path, message: say(words, found[1] ?? "") }
  }
  return { path, message: words.other(message) }
}

/** Two messages of a use case may have the same words. */
const distinct = (problems: Problems): Problems => [
  ...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values(),
]

/** How a form is shown again after an error, in the words of its reader. */
export const rejectionOf = (
  error: InvalidInput | Refused | Conflict | PlanRequired,
  { problems: words }: Pick<Texts, "problems">,
): Rejection => ({
  status: statuses[error._tag],
  problems: distinct(
    ("problems" in error ? error.problems : [{ path: "", message: error.message }]).map((problem) =>
      worded(words, problem),
    ),
  ),
})
