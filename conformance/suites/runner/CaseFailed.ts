import { Cause, Data, Option } from "effect"
import { AssertionFailed, show } from "../Assertion.ts"
import { findRequirements } from "../requirements/index.ts"
import type { Calls } from "./Calls.ts"
import type { Case } from "./Case.ts"

/** A failed case. The message has the expected and the actual value, the last calls, and the violated requirement. */
export class CaseFailed extends Data.TaggedError("CaseFailed")<{ readonly message: string }> {}

/** Explains why a case failed, for readers without its source. */
export const caseFailed = (
  { requirements }: Pick<Case, "requirements">,
  cause: Cause.Cause<unknown>,
  calls: Calls,
): CaseFailed => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  const violated = failure instanceof AssertionFailed ? (failure.requirements ?? requirements) : requirements
  const seen = [calls.clean(reason(cause)), ...calls.lines()]
  return new CaseFailed({ message: [...seen, ...texts(violated)].join("\n") })
}

/** An error's message, with its causes. */
const reason = (cause: Cause.Cause<unknown>): string => {
  const failure = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (failure instanceof AssertionFailed) return failure.message
  if (failure !== undefined) return `failed with ${withCause(failure)}`
  return `died with ${withCause(Cause.squash(cause))}`
}

const withCause = (error: unknown): string =>
  error instanceof Error && error.cause !== undefined ? `${show(error)}: ${show(error.cause)}` : show(error)

/** Requirements in full. */
const texts = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.flatMap(findRequirements).map(({ id, text, title }) => `${id} ${title}: ${text}`)
