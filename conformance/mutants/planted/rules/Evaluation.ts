import { inFile, type Mutant } from "../../Mutant.ts"

/** Faults in the rules: in evaluating a selection. */
export const evaluation: ReadonlyArray<Mutant> = [
  ...inFile("rules", "core/rules/Evaluation.ts", [
    {
      id: "Evaluation.last-rule",
      find: "question.switches.findLast(",
      replace: "question.switches.find(",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST stand in their order: the last that holds decides"],
      sample: true,
    },
    {
      id: "Evaluation.hidden",
      find: "return last === undefined ? !question.hidden : last.visible",
      replace: "return last === undefined ? true : last.visible",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST hide a question's answers from conditions on them"],
    },
    {
      id: "Evaluation.unknown.sorted",
      find: "for (const id of this.#unknown.sort())",
      replace: "for (const id of this.#unknown)",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST be refused with every problem named, in question order, unknown questions last",
      ],
      sample: true,
    },
    {
      id: "Evaluation.follow-up",
      find: "      this.answered[question.index] = 1\n    }\n  }\n\n  #isVisible",
      replace: "    }\n  }\n\n  #isVisible",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST not add problems that follow from a value that is refused already",
      ],
    },
    {
      id: "Evaluation.follow-up.single",
      find: "    this.answered[question.index] = 1\n    const answer = this.#choose(question, id)",
      replace:
        "    const answer = this.#choose(question, id)\n    if (answer !== undefined) this.answered[question.index] = 1",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST not add problems that follow from a value that is refused already",
      ],
    },
    {
      id: "Evaluation.rule.memo",
      find: "this.#compiled.rules[rule]?.(this) ? HOLDS : FAILS",
      replace: "this.#compiled.rules[rule]?.(this) ? HOLDS : NOT_YET",
      caughtBy: ["core/rules/Compile.test.ts > MUST take one question that 10,000 rules show and hide"],
      reason:
        "A rule that fails is asked again each time, with the same answer: the questions that it reads are settled. Only time is lost.",
    },
    {
      id: "Evaluation.required",
      find: "if (question.required) refuse",
      replace: "if (!question.required) refuse",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST answer the required question $id"],
    },
    {
      id: "Evaluation.disabled",
      find: "answer.disabledBy.some((rule) => this.#holds(rule))",
      replace: "answer.disabledBy.every((rule) => this.#holds(rule))",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST refuse a disabled answer and no other, whichever of the rules disables it",
      ],
    },
    {
      id: "Evaluation.multiple.order",
      find: "const answers = question.answers.filter(({ index }) => this.chosen[index] === 1)",
      replace: "const answers = ids.flatMap((id) => question.answerById.get(id) ?? [])",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST keep a text as given and follow question order, and answers the definition's order",
      ],
    },
    {
      id: "Evaluation.multiple.empty",
      find: "else if (value.length === 0) this.#unanswered(question)",
      replace: "else if (value.length < 0) this.#unanswered(question)",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST read %s"],
    },
    {
      id: "Evaluation.text.blank",
      find: 'if (text.trim() === "") {',
      replace: 'if (text === "") {',
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST answer the required question $id"],
    },
    {
      id: "Evaluation.text.blank.wrong",
      find: "      if (sound) this.#unanswered(question)",
      replace: "      this.#unanswered(question)",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST earn one problem for each thing that is wrong, and none that follows from it",
      ],
    },
    {
      id: "Evaluation.text.trimmed",
      find: "this.summary.push({ key: question.orderKey, value: text })",
      replace: "this.summary.push({ key: question.orderKey, value: text.trim() })",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST count a text in code points as it is given"],
    },
    {
      id: "Evaluation.charge.variant",
      find: "if (amount !== 0 || variantId !== null)",
      replace: "if (amount !== 0)",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST keep a variantId as given, a string or an integer (D44)"],
    },
    {
      id: "Evaluation.charge.free",
      find: "if (amount !== 0 || variantId !== null)",
      replace: "if (amount > 0 || variantId !== null)",
      caughtBy: ["core/rules/Price.test.ts > MUST not fall below 0: rounding makes up for it"],
    },
    {
      id: "Evaluation.hidden.taken",
      find: "if (visible) this.#take(question, value)",
      replace: "this.#take(question, value)",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST be judged only for kind where the question is hidden"],
    },
  ]),
  ...inFile("rules", "core/rules/SelectionValue.ts", [
    {
      id: "SelectionValue.astral",
      find: "text.length > codePoints && codePointLength(text) > codePoints",
      replace: "text.length > codePoints",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST count a text in code points as it is given"],
      sample: true,
    },
    {
      id: "SelectionValue.min",
      find: "if (ids.length < min) {",
      replace: "if (ids.length <= min) {",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST accept min and max themselves"],
    },
    {
      id: "SelectionValue.max",
      find: "if (ids.length > max) {",
      replace: "if (ids.length >= max) {",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST accept min and max themselves"],
    },
    {
      id: "SelectionValue.repeated",
      find: "(seen.has(id) ? repeated : seen).add(id)",
      replace: "seen.add(id)",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST earn one problem for each thing that is wrong, and none that follows from it",
      ],
    },
    {
      id: "SelectionValue.line-breaks",
      find: "/[^\\P{Cc}\\n\\r]/u",
      replace: "/[^\\P{Cc}\\n]/u",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST count a text in code points as it is given"],
    },
    {
      id: "SelectionValue.upload.empty",
      find: 'if (id !== "" && !isLongerThan',
      replace: "if (!isLongerThan",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST refuse %s"],
    },
    {
      id: "SelectionValue.text.own",
      find: 'const text = own(value, "text")',
      replace: "const text = (value as { text?: unknown }).text",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST not be read through its prototype"],
    },
    {
      id: "SelectionValue.list.storable",
      find: "return value.every(isStorable) ? undefined : () => NOT_STORABLE",
      replace: "return undefined",
      caughtBy: ["core/rules/SelectionValue.test.ts > MUST not hold %s in any value, hidden or not"],
    },
    {
      id: "SelectionValue.further-keys",
      find: "Object.keys(value).length === 1 ? undefined : jsonProblem(value)",
      replace: "undefined",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST refuse further keys beside a text that are %s, hidden or not (D44)",
      ],
    },
  ]),
  ...inFile("rules", "core/rules/Compile.ts", [
    {
      id: "Compile.views.once",
      find: "[...new Set(definition.steps.map((step) => step.view))]",
      replace: "definition.steps.map((step) => step.view)",
      caughtBy: ["core/rules/Compile.test.ts > MUST name each view once, in the order of the steps"],
    },
    {
      id: "Compile.answers.index",
      find: "answerCount += compiled.answers.length",
      replace: "answerCount += 1",
      caughtBy: ["core/rules/EvaluationModel.test.ts > MUST evaluate as the text of the definition format says"],
    },
    {
      id: "Compile.order-key",
      find: "orderKey: question.orderKey ?? question.title",
      replace: "orderKey: question.orderKey ?? question.id",
      caughtBy: [
        "core/rules/Evaluation.test.ts > MUST use orderKey, orderValue and productionKey, or title, title and id where they are left out",
      ],
    },
    {
      id: "Compile.upload.max",
      find: '(question.type === "upload" ? 1 : Number.POSITIVE_INFINITY)',
      replace: "Number.POSITIVE_INFINITY",
      caughtBy: [
        "core/rules/SelectionValue.test.ts > MUST have no upper bound on a multiple question without max, and one file on an upload without max",
      ],
    },
    {
      id: "Compile.answered",
      find: "const wanted = condition.answered ? 1 : 0",
      replace: "const wanted = 1",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST read %s"],
    },
    {
      id: "Compile.all",
      find: "return (facts) => parts.every((holds) => holds(facts))",
      replace: "return (facts) => parts.length > 0 && parts.every((holds) => holds(facts))",
      caughtBy: ["core/rules/Evaluation.test.ts > MUST take all of nothing as true and any of nothing as false"],
    },
  ]),
  ...inFile("rules", "core/rules/Price.ts", [
    {
      id: "Price.tie",
      find: "over >= step - over ? step - over",
      replace: "over > step - over ? step - over",
      caughtBy: ["core/rules/Price.test.ts > MUST round %d in steps of %d by %d"],
    },
    {
      id: "Price.below-zero",
      find: "if (sum < 0) return -sum",
      replace: "if (sum < 0) return 0",
      caughtBy: ["core/rules/Price.test.ts > MUST not fall below 0: rounding makes up for it"],
    },
    {
      id: "Price.minus-zero",
      find: "amount + 0",
      replace: "amount",
      caughtBy: ["core/rules/Price.test.ts > MUST never be -0"],
    },
    {
      id: "Price.exact",
      find: "reduce((exact, line) => exact + BigInt(line.amount), BigInt(base))",
      replace: "reduce((exact, line) => exact + line.amount, base)",
      caughtBy: ["core/rules/Price.test.ts > MUST be refused where the sum leaves ±(2^53 − 1), and only there"],
    },
    {
      id: "Price.total",
      find: "!Number.isSafeInteger(sum) || !Number.isSafeInteger(total)",
      replace: "!Number.isSafeInteger(sum)",
      caughtBy: ["core/rules/Price.test.ts > MUST be refused where rounding leaves ±(2^53 − 1)"],
    },
  ]),
]
