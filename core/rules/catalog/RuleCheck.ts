import { MAX_CONDITION_DEPTH } from "../../model/catalog/Definition.ts"
import { isPlainObject, type Json, own, ownList, ownString, quote } from "../../model/json/Json.ts"
import { type DefinitionNames, type KnownQuestion, type Located, objectsIn } from "./DefinitionNames.ts"

/**
 * The first question, in question order, that a rule changes. Every question that the rule reads must come before it.
 */
interface Earliest {
  readonly id: string
  readonly index: number
}

/** Checks a rule's references: the questions that it changes and those that it reads. */
export const checkRule = (names: DefinitionNames, rule: Located): void => {
  const { report, rules } = names
  const { object, path } = rule
  rules.add(rule, true)
  const targets = [
    ...checkTargets(names, object, path, "show"),
    ...checkTargets(names, object, path, "hide"),
    ...checkDisables(names, object, path),
  ]
  const shown = new Set(ownList(object, "show"))
  for (const [index, id] of ownList(object, "hide").entries()) {
    if (typeof id === "string" && shown.has(id)) {
      report.add(`${path}.hide[${index}]`, () => `hides ${quote(id)}, which the same rule shows`)
    }
  }
  const earliest = targets.reduce<Earliest | undefined>(
    (first, target) => (first === undefined || target.index < first.index ? target : first),
    undefined,
  )
  const when = own(object, "when")
  if (isPlainObject(when)) checkCondition(names, `${path}.when`, when, earliest, 1)
}

const checkTargets = (
  names: DefinitionNames,
  rule: Json,
  path: string,
  key: "show" | "hide",
): ReadonlyArray<Earliest> => {
  const targets: Array<Earliest> = []
  for (const [index, id] of ownList(rule, key).entries()) {
    if (typeof id !== "string") continue
    const question = findQuestion(names, `${path}.${key}[${index}]`, id)
    if (question !== undefined) targets.push({ id, index: question.index })
  }
  return targets
}

const checkDisables = (names: DefinitionNames, rule: Json, path: string): ReadonlyArray<Earliest> => {
  const targets: Array<Earliest> = []
  for (const disable of objectsIn(`${path}.disable`, ownList(rule, "disable"))) {
    const id = ownString(disable.object, "question")
    if (id === undefined) continue
    const question = findQuestion(names, `${disable.path}.question`, id)
    if (question === undefined) continue
    targets.push({ id, index: question.index })
    for (const [index, answer] of ownList(disable.object, "answers").entries()) {
      if (typeof answer === "string") checkAnswerId(names, `${disable.path}.answers[${index}]`, id, question, answer)
    }
  }
  return targets
}

const findQuestion = ({ questions, report }: DefinitionNames, path: string, id: string): KnownQuestion | undefined => {
  const question = questions.get(id)
  if (question === undefined) report.add(path, () => `names no question: there is none with id ${quote(id)}`)
  return question
}

const checkAnswerId = (
  { report }: DefinitionNames,
  path: string,
  id: string,
  question: KnownQuestion,
  answer: string,
): void => {
  if (question.answers === undefined || question.answers.has(answer)) return
  report.add(path, () => `names no answer: question ${quote(id)} (${question.path}) has none with id ${quote(answer)}`)
}

const checkCondition = (
  names: DefinitionNames,
  path: string,
  condition: Json,
  earliest: Earliest | undefined,
  depth: number,
): void => {
  if (depth > MAX_CONDITION_DEPTH) {
    names.report.add(path, () => `is nested too deep: conditions go at most ${MAX_CONDITION_DEPTH} levels deep`)
    return
  }
  checkReading(names, path, condition, earliest)
  for (const key of ["all", "any"]) {
    for (const part of objectsIn(`${path}.${key}`, ownList(condition, key))) {
      checkCondition(names, part.path, part.object, earliest, depth + 1)
    }
  }
  const not = own(condition, "not")
  if (isPlainObject(not)) checkCondition(names, `${path}.not`, not, earliest, depth + 1)
}

const checkReading = (names: DefinitionNames, path: string, condition: Json, earliest: Earliest | undefined): void => {
  const id = ownString(condition, "question")
  if (id === undefined) return
  const question = findQuestion(names, `${path}.question`, id)
  if (question === undefined) return
  const answer = ownString(condition, "is")
  if (answer !== undefined) checkAnswerId(names, `${path}.is`, id, question, answer)
  if (earliest !== undefined && question.index >= earliest.index) {
    const reason =
      id === earliest.id
        ? "is changed by this rule"
        : `does not come before ${quote(earliest.id)}, which this rule changes`
    names.report.add(
      `${path}.question`,
      () => `${quote(id)} ${reason}; a rule may only read questions before all those that it changes`,
    )
  }
}
