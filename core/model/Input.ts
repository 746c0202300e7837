import { Result, Schema, SchemaAST, SchemaIssue } from "effect"
import { InvalidInput, UnknownFields } from "./Errors.ts"
import { jsonSize } from "./json/JsonSize.ts"
import { unknownField } from "./Nearest.ts"
import { join, ProblemReport, type Problems } from "./Problem.ts"

/** Of input up to this many bytes of JSON, every problem is found. */
const thorough = 16 * 1024

const format = SchemaIssue.makeFormatterStandardSchemaV1()

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
      const unknown = unknownKeys(issue)
      const problems = problemsOf(issue, name, unknown)
      const fields = { message: summary(sentence, problems), problems: problems.listed }
      return unknown.size === problems.total ? new UnknownFields(fields) : new InvalidInput(fields)
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

const problemsOf = (issue: SchemaIssue.Issue, name: string, unknown: UnknownKeys): Problems => {
  const report = new ProblemReport()
  for (const { message, path = [] } of format(issue).issues) {
    report.add(pathText(name, path), () => unknown.get(pathText("", path)) ?? message)
  }
  return report.problems
}

/** The problem of each unknown field, by its path. */
type UnknownKeys = ReadonlyMap<string, string>

const unknownKeys = (
  issue: SchemaIssue.Issue,
  path: ReadonlyArray<PropertyKey> = [],
  found = new Map<string, string>(),
): UnknownKeys => {
  switch (issue._tag) {
    case "Pointer":
      return unknownKeys(issue.issue, [...path, ...issue.path], found)
    case "Composite":
    case "AnyOf":
      for (const each of issue.issues) unknownKeys(each, path, found)
      return found
    case "UnexpectedKey": {
      const fields = SchemaAST.isObjects(issue.ast) ? issue.ast.propertySignatures.map(({ name }) => String(name)) : []
      return found.set(pathText("", path), unknownField(String(path.at(-1)), fields))
    }
    default:
      return found
  }
}

const pathText = (name: string, path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path.reduce<string>((text, segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    return join(text, typeof key === "number" ? key : String(key))
  }, name)
