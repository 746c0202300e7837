// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are code.
import { inFile } from "../RowFault.ts"

/** F: the format of definitions and their evaluation. */
export const definition = [
  ...inFile("core/model/Definition.ts", [
    ["F-1", "schemaVersion: Schema.Literal(1)", "schemaVersion: Schema.Literals([1, 2])"],
    ["F-2", "  title: Text,\n  view: Name,", "  title: Text,\n  view: optional(Name),"],
    ["F-3", "Schema.isGreaterThan(0)", "Schema.isGreaterThanOrEqualTo(0)"],
    ["F-4", "required: optional(Flag),", "required: optional(Text),"],
    ["F-5", "Schema.NonEmptyArray(DefinitionAnswer)", "Schema.Array(DefinitionAnswer)"],
    ["F-10", "productionCode: Text,", "productionCode: optional(Text),"],
    ["F-12", "  view: Name,\n  path: Text,", "  view: Name,\n  path: optional(Text),"],
    ["F-13", "show: optional(list(Text)),", "show: optional(Text),"],
    ["F-17", "rules: list(Rule),", "rules: optional(list(Rule)),"],
    ["F-22", "Schema.NonEmptyArray(Step)", "Schema.Array(Step)"],
  ]),
  ...inFile("core/rules/Compile.ts", [
    ["F-6", 'question.type === "upload" ? 1 :', 'question.type === "upload" ? 2 :'],
    ["F-7", "DEFAULT_MAX_LENGTH = 255", "DEFAULT_MAX_LENGTH = 256"],
    ["F-8", "price: positiveZero(question.price ?? 0)", "price: positiveZero(0)"],
    ["F-11", "price: positiveZero(answer.price ?? 0)", "price: positiveZero(Math.max(0, answer.price ?? 0))"],
    ["F-14", "parts.some((holds)", "parts.every((holds)"],
    ["F-23", "return { views, questions,", "return { views, questions: questions.toReversed(),"],
    ["F-26", ".disabledBy.push(index)", ".disabledBy.unshift()"],
  ]),
  ...inFile("core/rules/PublishCheck.ts", [
    ["F-9", "area !== undefined && !printAreas.has(area)", "area !== undefined && printAreas.has(area)"],
    [
      "F-15",
      "Result.succeed(input as Definition)",
      "Result.succeed({ schemaVersion: 1, steps: input.steps, questions: input.questions, rules: input.rules } as Definition)",
    ],
    ["F-16", "report.add(`${path}.step`,", "report.add(`${path}`,"],
    ["F-18", "steps.add(step, true)", 'steps.has("")'],
    ["F-19", "step !== undefined && !steps.has(step)", "step === undefined"],
  ]),
  ...inFile("core/rules/RuleCheck.ts", [
    ["F-20", "question.index >= earliest.index", "question.index > earliest.index"],
    ["F-21", 'typeof id === "string" && shown.has(id)', 'typeof id === "string" && !shown.has(id) && id === ""'],
  ]),
  ...inFile("core/rules/Evaluation.ts", [
    ["F-24", "question.switches.findLast(", "question.switches.find("],
    ["F-25", "if (visible) this.#take(question, value)", "this.#take(question, value)"],
    ["F-28", 'if (text.trim() === "") {', 'if (text === "") {'],
    ["F-29", "pass.reportUnknown()", "void pass"],
    [
      "F-30",
      "if (answer.disabledBy.some((rule) => this.#holds(rule)))",
      "if (answer.disabledBy.some((rule) => !this.#holds(rule)))",
    ],
    ["F-31", "if (visible) this.#unanswered(question)", "this.#unanswered(question)"],
    [
      "F-32",
      "values: answers.map(({ productionCode }) => productionCode),",
      'values: ids.map((id) => question.answerById.get(id)?.productionCode ?? ""),',
    ],
    ["F-33", "value: answer.productionCode,", "value: answer.orderValue,"],
    ["F-35", "amount !== 0 || variantId !== null", "amount !== 0"],
    ["F-36", 'this.#charge(question, "text",', 'this.#charge(question, "upload",'],
  ]),
  ...inFile("core/rules/SelectionValue.ts", [
    ["F-27", 'if (typeof value !== "string") return () =>', "if (value === undefined) return () =>"],
  ]),
  ...inFile("core/rules/Price.ts", [
    ["F-34", "!Number.isSafeInteger(basePrice) || basePrice < 0", "!Number.isSafeInteger(basePrice)"],
    ["F-37", "over >= step - over", "over > step - over"],
    ["F-38", "if (sum < 0) return -sum", "if (sum < 0) return 0"],
    ["F-39", "!Number.isSafeInteger(sum) || !Number.isSafeInteger(total)", "sum === total + 1"],
  ]),
]
