import { Result } from "effect"
import type { Definition } from "../../model/catalog/Definition.ts"
import { changedNumbers } from "../../model/json/ExactNumbers.ts"
import { faultOf } from "../../model/json/JsonFault.ts"
import { placeOf, placesOf, type TextPlace } from "../../model/json/JsonPlaces.ts"
import { jsonSize, maximumDefinition } from "../../model/json/JsonSize.ts"
import { parseJson } from "../../model/json/ParseJson.ts"
import type { Problem } from "../../model/Problem.ts"
import { publishCheck } from "../../rules/catalog/PublishCheck.ts"

/** A problem of a definition, and its place in the text; `null` if it has none. */
export interface PlacedProblem extends Problem {
  readonly place: TextPlace | null
}

/** What publishing a text as a definition would answer. */
export interface DefinitionCheck {
  /** The definition, if it may be published. */
  readonly definition: Definition | null
  /** The first problems, at most 100 (D46). */
  readonly problems: ReadonlyArray<PlacedProblem>
  /** How many problems there are. */
  readonly total: number
}

const refused = (problems: ReadonlyArray<PlacedProblem>, total = problems.length): DefinitionCheck => ({
  definition: null,
  problems,
  total,
})

/** Checks a text as publishing it would, and finds every problem's place in the text (D69). */
export const checkDefinition = (text: string): DefinitionCheck => {
  const parsed = parse(text)
  if (Result.isFailure(parsed)) return refused([parsed.failure])
  if (jsonSize(parsed.success, maximumDefinition) > maximumDefinition) {
    return refused([{ path: "", message: "A definition may have at most 512 KiB of JSON", place: null }])
  }
  const changed = changedNumbers(text)
  const checked = changed.total > 0 ? Result.fail(changed) : publishCheck(parsed.success)
  if (Result.isSuccess(checked)) return { definition: checked.success, problems: [], total: 0 }
  const { listed, total } = checked.failure
  const places = placesOf(
    text,
    listed.map(({ path }) => path),
  )
  return refused(
    listed.map((problem) => ({ ...problem, place: places.get(problem.path) ?? null })),
    total,
  )
}

const parse = (text: string): Result.Result<unknown, PlacedProblem> =>
  Result.mapError(parseJson(text), (problem) =>
    problem === undefined
      ? { path: "", message: "The text is not JSON from here on.", place: placeOf(text, faultOf(text)) }
      : { path: "", message: `${problem}.`, place: null },
  )
