import { Result, Schema } from "effect"
import { InvalidInput, UnknownFields } from "./Errors.ts"
import { problemsIn } from "./InputProblems.ts"
import { jsonSize } from "./json/JsonSize.ts"
import { ProblemReport, type Problems } from "./Problem.ts"

/** Of input up to this many bytes of JSON, every problem is found. */
const thorough = 16 * 1024

/**
 * A reader of input: it checks a value against a schema and returns the typed value, or fails with {@link InvalidInput}
 * with its problems and their paths, e.g. `lines[0].designId`. If all that is wrong is fields that do not exist, it
 * fails with {@link UnknownFields} (D48). `name` begins the paths of a value that is an argument of its own, e.g. `id`.
 */
export const reader = <A, I>(
  schema: Schema.Codec<A, I>,
  name = "",
): ((input: unknown) => Result.Result<A, InvalidInput | UnknownFields>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (input) => {
    // Finding every problem of something huge costs more than it helps: of that, the first is named.
    const large = jsonSize(input, thorough) > thorough
    const sentence = large
      ? "The input is not valid; of one as large as this only the first problem is named"
      : "The input is not valid"
    const options = { errors: large ? "first" : "all", onExcessProperty: "error" } as const
    return Result.mapError(decode(input, options), ({ issue }) => {
      const found = problemsIn(issue, { schema, value: input, name })
      const report = new ProblemReport()
      for (const { message, path } of found) report.add(path, message)
      const { problems } = report
      const fields = { message: summary(sentence, problems), problems: problems.listed }
      return found.every(({ isUnknown }) => isUnknown) ? new UnknownFields(fields) : new InvalidInput(fields)
    })
  }
}

/** A sentence and, behind it, the first problem and how many more there are, for readers who see only the message. */
export const summary = (sentence: string, { listed, total }: Problems): string => {
  const [first] = listed
  if (first === undefined) return sentence
  const unlisted = total > listed.length ? `; the first ${listed.length} are listed` : ""
  const more = total > 1 ? ` (and ${total - 1} more ${total === 2 ? "problem" : "problems"}${unlisted})` : ""
  return `${sentence}: ${first.path === "" ? "" : `${first.path}: `}${first.message}${more}`
}
