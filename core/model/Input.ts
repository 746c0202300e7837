import { Result, Schema, SchemaIssue } from "effect"
import { InvalidInput } from "./Errors.ts"
import { jsonSize } from "./JsonSize.ts"
import type { Problems } from "./Problem.ts"
import { join, ProblemReport } from "./ProblemReport.ts"

/** Of input up to this many bytes of JSON, every problem is found. */
const thorough = 16 * 1024

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * A reader of input: it checks a value against a schema and answers the typed value,
 * or {@link InvalidInput} with its problems and their paths, e.g. `lines[0].designId`. Unknown keys are ignored.
 * `name` begins the paths of a value that is an argument of its own, e.g. `id`.
 */
export const reader = <A, I>(
  schema: Schema.Codec<A, I>,
  name = "",
): ((input: unknown) => Result.Result<A, InvalidInput>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (input) => {
    // Finding every problem of something huge costs more than it helps: of that, the first is named.
    const large = jsonSize(input, thorough) > thorough
    const sentence = large
      ? "The input is not valid; of one as large as this only the first problem is named"
      : "The input is not valid"
    return Result.mapError(decode(input, { errors: large ? "first" : "all" }), ({ issue }) => {
      const problems = problemsOf(issue, name)
      return new InvalidInput({ message: summary(sentence, problems), problems: problems.listed })
    })
  }
}

/** A sentence and, behind it, the first problem and how many more there are, for readers who see only the message. */
export const summary = (sentence: string, { listed, total }: Problems): string => {
  const [first] = listed
  if (first === undefined) return sentence
  const unlisted = total > listed.length ? `; the first ${listed.length} are listed` : ""
  const more = total > 1 ? ` (and ${total - 1} more${unlisted})` : ""
  return `${sentence}: ${first.path === "" ? "" : `${first.path}: `}${first.message}${more}`
}

const problemsOf = (issue: SchemaIssue.Issue, name: string): Problems => {
  const report = new ProblemReport()
  for (const { message, path } of format(issue).issues) report.add(pathText(name, path ?? []), () => message)
  return report.problems
}

const pathText = (name: string, path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path.reduce<string>((text, segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    return join(text, typeof key === "number" ? key : String(key))
  }, name)
