import { Result, Schema, SchemaIssue } from "effect"
import { InvalidInput } from "./Errors.ts"
import { jsonSize } from "./JsonSize.ts"
import type { Problem } from "./Problem.ts"

/** Of input up to this many bytes of JSON, every problem is named. */
const thorough = 16 * 1024

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * A reader of input: it checks a value against a schema and answers the typed value,
 * or {@link InvalidInput} with every problem and its path, e.g. `lines[0].designId`. Unknown keys are ignored.
 */
export const reader = <A, I>(schema: Schema.Codec<A, I>): ((input: unknown) => Result.Result<A, InvalidInput>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (input) => {
    // Naming every problem of something huge costs more than it helps: of that, the first is named.
    const errors = jsonSize(input, thorough) > thorough ? "first" : "all"
    return Result.mapError(decode(input, { errors }), (error) => invalidInput(problemsOf(error.issue)))
  }
}

/** {@link InvalidInput} whose message sums up its problems. */
const invalidInput = (problems: ReadonlyArray<Problem>): InvalidInput =>
  new InvalidInput({ message: summary("The input is not valid", problems), problems })

/** A sentence and, behind it, the first problem, for readers who see only the message. */
export const summary = (sentence: string, problems: ReadonlyArray<Problem>): string => {
  const [first] = problems
  if (first === undefined) return sentence
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
  return `${sentence}: ${first.path === "" ? "" : `${first.path}: `}${first.message}${more}`
}

const problemsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Problem> =>
  format(issue).issues.map((item) => ({ path: pathText(item.path ?? []), message: item.message }))

const pathText = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path.reduce<string>((text, segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    return typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`
  }, "")
