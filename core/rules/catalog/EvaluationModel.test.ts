import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import { cases, type Sample } from "../../../conformance/testkit/definitions/Customizers.ts"
import { run, terms } from "../../../conformance/testkit/definitions/Evaluations.ts"
import type { Condition, Question, Rule } from "../../model/catalog/Definition.ts"
import type { PriceLine } from "../../model/catalog/Design.ts"
import { compile } from "./Compile.ts"
import { evaluate } from "./Evaluation.ts"
import { publishCheck } from "./PublishCheck.ts"

/** A plain, slow model of the rules F-23 to F-39, with which `evaluate` must agree. */
const byTheBook = ({ basePrice, definition, roundingStep, selection }: Sample) => {
  const visible = new Map<string, boolean>()
  const valueOf = (id: string): unknown => (Object.hasOwn(selection, id) ? selection[id] : undefined)
  const kindFits = (question: Question, value: unknown): boolean => {
    const good = (text: unknown) => typeof text === "string" && !/\0|\p{Surrogate}/u.test(text)
    if (question.type === "single") return good(value)
    if (question.type === "text")
      return typeof value === "object" && value !== null && good((value as { text?: unknown }).text)
    if (question.type === "upload" && (question.max ?? 1) === 1) return good(value)
    return Array.isArray(value) && value.every(good)
  }
  const chosenIn = (id: string): ReadonlyArray<unknown> => [valueOf(id)].flat()
  const answered = (id: string): boolean => {
    if (visible.get(id) !== true) return false
    const value = valueOf(id)
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return false
    const { text } = Object(value) as { text?: unknown }
    return typeof text !== "string" || text.trim() !== ""
  }
  const holds = (condition: Condition): boolean => {
    if ("is" in condition) return answered(condition.question) && chosenIn(condition.question).includes(condition.is)
    if ("answered" in condition) return answered(condition.question) === condition.answered
    if ("all" in condition) return condition.all.every(holds)
    if ("any" in condition) return condition.any.some(holds)
    return !holds(condition.not)
  }
  const wrong = new Set<string>()
  const lines: Array<PriceLine> = []
  const answeredIds: Array<string> = []
  for (const question of definition.questions) {
    const { answers = [], id, max = question.type === "upload" ? 1 : Number.POSITIVE_INFINITY, min = 0 } = question
    visible.set(id, question.hidden !== true)
    for (const rule of definition.rules) {
      if (rule.show?.includes(id) === true && holds(rule.when)) visible.set(id, true)
      if (rule.hide?.includes(id) === true && holds(rule.when)) visible.set(id, false)
    }
    const value = valueOf(id)
    if (value !== undefined && !kindFits(question, value)) wrong.add(id)
    if (visible.get(id) !== true) continue
    const { text } = Object(value) as { text?: unknown }
    if (typeof text === "string") {
      if ([...text].length > (question.maxLength ?? 255)) wrong.add(id)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: this is about control characters.
      if (/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text)) wrong.add(id)
    }
    if (!answered(id)) {
      if (question.required === true) wrong.add(id)
      continue
    }
    answeredIds.push(id)
    const chosen = chosenIn(id)
    if (question.type === "multiple" || question.type === "upload") {
      if (chosen.length < min || chosen.length > max || new Set(chosen).size < chosen.length) wrong.add(id)
    }
    if (question.type === "text" || question.type === "upload") {
      if ((question.price ?? 0) !== 0)
        lines.push({ q: id, a: question.type, amount: question.price ?? 0, variantId: null })
      continue
    }
    if (!chosen.every((choice) => answers.some((candidate) => candidate.id === choice))) wrong.add(id)
    for (const candidate of answers.filter((candidate) => chosen.includes(candidate.id))) {
      const { price: amount = 0, variantId = null } = candidate
      if (amount !== 0 || variantId !== null) lines.push({ q: id, a: candidate.id, amount, variantId })
      const disables = (rule: Rule) =>
        rule.disable?.some(({ answers, question }) => question === id && answers.includes(candidate.id)) === true
      if (definition.rules.some((rule) => disables(rule) && holds(rule.when))) wrong.add(id)
    }
  }
  for (const id of Object.keys(selection)) if (!visible.has(id)) wrong.add(id)
  const sum = lines.reduce((total, { amount }) => total + amount, basePrice)
  const total = Math.max(0, Math.floor(sum / roundingStep + 0.5) * roundingStep)
  return { wrong, answered: answeredIds, visible, lines, total }
}

const evaluateCase = ({ basePrice, definition, roundingStep, selection }: Sample) =>
  run(definition, selection, { basePrice, roundingStep })

const runs = { arbitrary: { runs: 600 } }

describe("generated customizers", () => {
  it.effect("MUST generate the hard cases of evaluation", () =>
    Effect.gen(function* () {
      const samples = yield* Arbitrary.sampleEffect(cases, { count: 500, seed: 2026, size: 30 })
      const count = (
        holds: (sample: (typeof samples)[number], expected: ReturnType<typeof byTheBook>) => boolean,
      ): number => samples.filter((sample) => holds(sample, byTheBook(sample))).length
      const passing = count((_, { wrong }) => wrong.size === 0)
      expect(passing).toBeGreaterThan(100)
      expect(samples.length - passing).toBeGreaterThan(100)
      const passes = (holds: Parameters<typeof count>[0]) =>
        count((sample, expected) => expected.wrong.size === 0 && holds(sample, expected))
      const typeOf = (sample: (typeof samples)[number], id: string) =>
        sample.definition.questions.find((question) => question.id === id)?.type
      for (const type of ["single", "multiple", "text", "upload"]) {
        expect(passes((sample, { answered }) => answered.some((id) => typeOf(sample, id) === type))).toBeGreaterThan(20)
      }
      expect(
        passes(({ definition }, { visible }) =>
          definition.questions.some(({ hidden, id }) => hidden === true && visible.get(id)),
        ),
      ).toBeGreaterThan(20)
      expect(
        passes(({ definition }, { visible }) =>
          definition.questions.some(({ hidden, id }) => hidden !== true && visible.get(id) === false),
        ),
      ).toBeGreaterThan(20)
      expect(
        passes(({ selection }, { visible }) => Object.keys(selection).some((id) => visible.get(id) === false)),
      ).toBeGreaterThan(20)
      expect(passes((_, { lines }) => lines.some(({ amount }) => amount < 0))).toBeGreaterThan(20)
      expect(
        passes(({ basePrice }, { lines, total }) => total === 0 && basePrice > 0 && lines.length > 0),
      ).toBeGreaterThan(5)
      const disabled = samples.filter((sample) =>
        Result.match(evaluateCase(sample), {
          onFailure: ({ listed }) => listed.some(({ message }) => message.includes("is disabled by")),
          onSuccess: () => false,
        }),
      )
      expect(disabled.length).toBeGreaterThan(10)
    }),
  )

  it.prop(
    "MUST be accepted by publishCheck",
    [cases],
    ([{ definition }]) => {
      expect(Result.getOrThrow(publishCheck(definition))).toBe(definition)
    },
    runs,
  )

  it.prop(
    "MUST evaluate as the definition format says (F-6, F-8, F-11, F-14, F-23 to F-39)",
    [cases],
    ([sample]) => {
      const expected = byTheBook(sample)
      Result.match(evaluateCase(sample), {
        onFailure: ({ listed }) => expect(new Set(listed.map(({ path }) => path))).toEqual(expected.wrong),
        onSuccess: ({ price, productionData, summary }) => {
          expect([...expected.wrong]).toEqual([])
          const keyOf = (key: "orderKey" | "productionKey", other: "title" | "id") =>
            expected.answered.map((id) => {
              const question = sample.definition.questions.find((candidate) => candidate.id === id)
              return question?.[key] ?? question?.[other]
            })
          expect(summary.map(({ key }) => key)).toEqual(keyOf("orderKey", "title"))
          expect(productionData.map(({ key }) => key)).toEqual(keyOf("productionKey", "id"))
          expect(price.lines).toEqual(expected.lines)
          expect(price.total).toBe(expected.total)
        },
      })
    },
    runs,
  )

  it.prop(
    "MUST add up to a total that is 0 or more and a multiple of the step",
    [cases],
    ([sample]) => {
      if (Result.isFailure(evaluateCase(sample))) return
      const { base, lines, rounding, total } = Result.getOrThrow(evaluateCase(sample)).price
      expect(base).toBe(sample.basePrice)
      expect(total).toBe(lines.reduce((sum, { amount }) => sum + amount, base) + rounding)
      expect(total).toBeGreaterThanOrEqual(0)
      expect(total % sample.roundingStep).toBe(0)
    },
    runs,
  )

  it.prop(
    "MUST name the same questions in summary and productionData",
    [cases],
    ([sample]) => {
      if (Result.isFailure(evaluateCase(sample))) return
      const { productionData, summary } = Result.getOrThrow(evaluateCase(sample))
      const { definition } = sample
      const byOrderKey = summary.map(({ key }) =>
        definition.questions.findIndex(({ orderKey, title }) => (orderKey ?? title) === key),
      )
      const byProductionKey = productionData.map(({ key }) =>
        definition.questions.findIndex(({ id, productionKey }) => (productionKey ?? id) === key),
      )
      expect(byOrderKey).toEqual(byProductionKey)
      expect(byOrderKey).toEqual(byOrderKey.toSorted((one, other) => one - other))
      expect(byOrderKey).not.toContain(-1)
    },
    runs,
  )

  it.prop(
    "MUST NOT depend on the order of the selection's keys",
    [cases],
    ([sample]) => {
      const reversed = Object.fromEntries(Object.entries(sample.selection).toReversed())
      expect(JSON.stringify(evaluateCase({ ...sample, selection: reversed }))).toBe(
        JSON.stringify(evaluateCase(sample)),
      )
    },
    runs,
  )

  it.prop(
    "MUST NOT depend on the values of hidden questions",
    [cases],
    ([sample]) => {
      if (Result.isFailure(evaluateCase(sample))) return
      const { visible } = byTheBook(sample)
      const hidden = sample.definition.questions.filter(({ id }) => visible.get(id) !== true)
      const without = Object.fromEntries(Object.entries(sample.selection).filter(([id]) => visible.get(id) === true))
      const others = { single: "anything", multiple: ["x", "x"], text: { text: "\t" }, upload: "u" }
      const filled = [
        ...Object.entries(without),
        ...hidden.map(
          (question) =>
            [
              question.id,
              question.type === "upload" && question.max !== 1 ? ["u", "u"] : others[question.type],
            ] as const,
        ),
      ]
      expect(evaluateCase({ ...sample, selection: without })).toEqual(evaluateCase(sample))
      expect(evaluateCase({ ...sample, selection: Object.fromEntries(filled) })).toEqual(evaluateCase(sample))
    },
    runs,
  )

  it.prop(
    "MUST evaluate to the same result again with the same compiled definition",
    [cases],
    ([{ basePrice, definition, roundingStep, selection }]) => {
      const compiled = compile(definition)
      const input = { selection, basePrice, roundingStep, currency: "EUR" }
      const before = JSON.stringify([definition, input])
      const first = JSON.stringify(evaluate(compiled, input))
      evaluate(compiled, { ...input, selection: {} })
      expect(JSON.stringify(evaluate(compiled, input))).toBe(first)
      expect(JSON.stringify([definition, input])).toBe(before)
    },
    runs,
  )

  it.prop(
    "MUST accept any JSON as a selection without throwing",
    [cases, Arbitrary.schema(Schema.Json)],
    ([sample, json]) => {
      const compiled = compile(sample.definition)
      evaluate(compiled, { ...terms, selection: json })
      for (const { id } of sample.definition.questions)
        evaluate(compiled, { ...terms, selection: Object.fromEntries([[id, json]]) })
    },
    runs,
  )
})
