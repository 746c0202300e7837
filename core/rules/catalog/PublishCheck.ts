import { Result } from "effect"
import { Definition } from "../../model/catalog/Definition.ts"
import { isPlainObject, type Json, own, ownList, ownString, quote } from "../../model/json/Json.ts"
import { ProblemReport, type Problems } from "../../model/Problem.ts"
import { type DefinitionNames, type KnownQuestion, type Located, Names, objectsIn } from "./DefinitionNames.ts"
import { checkJson } from "./JsonCheck.ts"
import { checkRule } from "./RuleCheck.ts"
import { shapeCheck } from "./ShapeCheck.ts"

const checkShape = shapeCheck(Definition)

/**
 * Decides whether a parsed JSON value may be published as a definition (§2.3). On success the value is returned as
 * given: nothing is added, dropped or reordered.
 *
 * Fails with all problems at once: first problems of the shape, then problems of references, which are checked wherever
 * the shape allows. Paths look like `questions[2].answers[0].price`; `""` is the whole value. A value nested more than
 * 100 levels deep, or with more than a million values, is refused only for that reason.
 */
export const publishCheck = (input: unknown): Result.Result<Definition, Problems> => {
  const report = new ProblemReport()
  const unreadable = checkJson(report, input)
  if (unreadable !== undefined) return Result.fail({ listed: [unreadable], total: 1 })
  const unkept = report.problems.listed.length
  checkShape(report, "", input)
  if (isPlainObject(input)) checkReferences(report, input)
  return report.total === 0 ? Result.succeed(input as Definition) : Result.fail(withoutRepeats(report, unkept))
}

/** Of a value that can't be kept, which is one of the first `unkept` problems, other problems are left out. */
const withoutRepeats = ({ problems: { listed, total } }: ProblemReport, unkept: number): Problems => {
  const paths = new Set(listed.slice(0, unkept).map(({ path }) => path))
  const others = listed.filter(({ path }, index) => index < unkept || !paths.has(path))
  return { listed: others, total: total - (listed.length - others.length) }
}

const checkReferences = (report: ProblemReport, definition: Json): void => {
  const names: DefinitionNames = {
    report,
    views: new Set(),
    steps: new Names(report, "the steps"),
    printAreas: new Names(report, "the print areas of all steps"),
    questions: new Names(report, "the questions"),
    rules: new Names(report, "the rules"),
  }
  const steps = [...objectsIn("steps", ownList(definition, "steps"))]
  for (const step of steps) checkStep(names, step)
  checkViews(report, steps)
  for (const question of objectsIn("questions", ownList(definition, "questions"))) checkQuestion(names, question)
  for (const rule of objectsIn("rules", ownList(definition, "rules"))) checkRule(names, rule)
}

const checkStep = ({ printAreas, steps, views }: DefinitionNames, step: Located): void => {
  steps.add(step, true)
  const view = ownString(step.object, "view")
  if (view !== undefined) views.add(view)
  for (const area of objectsIn(`${step.path}.printAreas`, ownList(step.object, "printAreas"))) {
    printAreas.add(area, true)
  }
}

/** The thumbnail of the first view is stored alongside the views' images under its own name (D7). */
const checkViews = (report: ProblemReport, steps: ReadonlyArray<Located>): void => {
  const first = ownString(steps[0]?.object ?? {}, "view")
  if (first === undefined) return
  const thumbnail = `${first}_thumb`
  for (const { object, path } of steps) {
    if (ownString(object, "view") !== thumbnail) continue
    const reason = () => `that is the name of the thumbnail of the first view, ${quote(first)}`
    report.add(`${path}.view`, () => `must not be ${quote(thumbnail)}: ${reason()}`)
  }
}

const checkQuestion = (names: DefinitionNames, question: Located): void => {
  const { printAreas, report, steps } = names
  const { index, object, path } = question
  checkRange(report, question)
  const step = ownString(object, "step")
  if (step !== undefined && !steps.has(step))
    report.add(`${path}.step`, () => `names no step: there is none with id ${quote(step)}`)
  const area = ownString(object, "printArea")
  if (area !== undefined && !printAreas.has(area)) {
    report.add(`${path}.printArea`, () => `names no print area: no step has one with id ${quote(area)}`)
  }
  names.questions.add(question, { index, path, answers: checkAnswers(names, question) })
}

const noAnswers: ReadonlySet<string> = new Set()

const checkAnswers = (names: DefinitionNames, { object, path }: Located): KnownQuestion["answers"] => {
  const list = own(object, "answers")
  const type = ownString(object, "type")
  if (!Array.isArray(list)) return type === "text" || type === "upload" ? noAnswers : undefined
  const answers = new Names<true>(names.report, "the answers of a question")
  for (const answer of objectsIn(`${path}.answers`, list)) {
    answers.add(answer, true)
    checkLayers(names, answer)
  }
  return answers
}

const checkRange = (report: ProblemReport, { object, path }: Located): void => {
  const min = own(object, "min")
  const max = own(object, "max")
  const upload = ownString(object, "type") === "upload"
  const most = max === undefined && upload ? 1 : max
  if (typeof min !== "number" || typeof most !== "number" || min <= most) return
  report.add(
    `${path}.min`,
    () => `is ${min}, more than max, which is ${most}${max === undefined ? " when left out" : ""}`,
  )
}

const checkLayers = ({ report, views }: DefinitionNames, { object, path }: Located): void => {
  for (const layer of objectsIn(`${path}.layers`, ownList(object, "layers"))) {
    const view = ownString(layer.object, "view")
    if (view !== undefined && view !== "" && !views.has(view)) {
      report.add(`${layer.path}.view`, () => `names no view: no step shows ${quote(view)}`)
    }
  }
}
