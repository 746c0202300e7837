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
  [/^(?:name|property): .*string of \d+ to (\d+) /, (words, maximum) => words.name(Number(maximum))],
  [/^description: .*string of \d+ to (\d+) /, (words, maximum) => words.description(Number(maximum))],
  [
    /^(?:url|oauth\.tokenUrl): (?:.*(?:string|URL) of \d+ to|The URL must have at most) (\d+) /,
    (words, maximum) => words.url(Number(maximum)),
  ],
  [/^events/, (words) => words.events],
  [/^customizers/, (words) => words.customizers],
  [/^maxPerSecond/, (words) => words.maxPerSecond],
  [/^maxConcurrent/, (words) => words.maxConcurrent],
  [/^headers: .*other names than ([^,]+),/, (words, name) => words.reservedHeader(name)],
  [/^headers/, (words) => words.headers],
  [/^oauth\.scope/, (words) => words.scope],
  [/^oauth\.\w+: .*string of 1 to (\d+) visible/, (words, maximum) => words.visible(Number(maximum))],
  [/^oauth: .*header Authorization/, (words) => words.oneAuthorization],
  [/^clientCertificate: .*key can't/, (words) => words.key],
  [
    /^clientCertificate(?:\.certificate)?: .*(?:certificates as PEM|can't be read|for TLS)/,
    (words) => words.certificate,
  ],
  [/^clientCertificate\.key/, (words) => words.key],
  [/^clientCertificate: .*does not belong/, (words) => words.otherKey],
  [/^clientCertificate: .*has ended/, (words) => words.ended],
  [/^overlap/, (words) => words.overlap],
  [/^domain/, (words) => words.domain],
  [/^: .*another shop .* domain/, (words) => words.othersDomain],
  [/^secret/, (words) => words.secret],
  [/^accessKey: .*REST API/, (words) => words.keyAndSecret],
  [/^accessKey/, (words) => words.accessKey],
  [/^(?:placed|payLater|done)/, (words) => words.states],
  [/^scopes/, (words) => words.scopes],
  [/^expiresAt/, (words) => words.expiresAt],
  [/^(?:url|oauth\.tokenUrl): .*absolute URL/, (words) => words.notAbsolute],
  [/^(?:url|oauth\.tokenUrl): .*must be https or http/, (words) => words.notHttp],
  [/^(?:url|oauth\.tokenUrl): .*must be https/, (words) => words.notHttps],
  [/^(?:url|oauth\.tokenUrl): .*user name or password/, (words) => words.password],
  [/^(?:url|oauth\.tokenUrl): .*fragment/, (words) => words.fragment],
  [/^(?:url|oauth\.tokenUrl): .*port (\d+) belongs/, (words, port) => words.port(port)],
  [/^(?:url|oauth\.tokenUrl): .*(?:not (?:be )?found|no address|not be looked up)/, (words) => words.notFound],
  [/^(?:url|oauth\.tokenUrl): .*(?:public|denied|may not be sent|not a host name)/, (words) => words.notPublic],
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
