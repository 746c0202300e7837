import type { Section } from "./Requirement.ts"

/** How a selection becomes a design's summary, production data and price. */
export const definitionEvaluation: ReadonlyArray<Section> = [
  {
    id: "definition-evaluation",
    title: "Evaluating a design",
    from: "definition",
    rows: [
      {
        id: "F-23",
        title: "Question order",
        text: "The order of the questions is the order of `questions` in the definition.",
      },
      {
        id: "F-24",
        title: "Which questions are visible",
        text:
          "Questions are settled in question order. A question starts as visible unless it is `hidden`. Then each " +
          "rule whose condition holds and that shows or hides the question sets it, in the order of `rules`. The " +
          "last one stands.",
      },
      {
        id: "F-25",
        title: "Hidden in conditions",
        text: "A condition MUST see a hidden question as unanswered.",
      },
      {
        id: "F-26",
        title: "Disabled answers",
        text: "An answer is disabled if any rule whose condition holds disables it.",
      },
      {
        id: "F-27",
        title: "Form of a selection",
        text:
          "A selection has, by question id: for `single` an answer id; for `multiple` a list of answer ids; for " +
          "`text` an object `{text: string}`, which may have further keys (D44); for `upload` an upload id where " +
          "`max` is 1, or a list of upload ids.",
      },
      {
        id: "F-28",
        title: "Answered questions",
        text:
          "A question is answered if it is visible and its value is present. An empty list and a text that is " +
          "empty after trimming are not answers.",
      },
      {
        id: "F-29",
        title: "Refusing a selection",
        text:
          "Saving a design MUST refuse a selection with a fault and name every problem by its question id (D46 " +
          "limits how many are listed).",
      },
      {
        id: "F-30",
        title: "Faults of a selection",
        text:
          "A selection MUST be refused for: an unknown question or answer, a value of the wrong kind, the same " +
          "answer or upload twice, more or fewer values than `min` and `max` allow, a text longer than `maxLength` " +
          "or with control characters other than line breaks, a disabled answer, and a visible required question " +
          "that is not answered.",
      },
      {
        id: "F-31",
        title: "Values of hidden questions",
        text:
          "The value of a hidden question MUST be kept in `selection`. It is checked for its kind only and counts " +
          "for nothing else.",
      },
      {
        id: "F-32",
        title: "Evaluating summary",
        text:
          "`summary` MUST have `{key, value}` for each answered question in question order; `key` is the " +
          "question's `orderKey`. `value` is: for `single` the answer's `orderValue`; for `multiple` the list of " +
          "`orderValue`s in the order of the definition's answers; for `text` the text as given; for `upload` the " +
          "upload id, or a list of them where `max` is above 1.",
      },
      {
        id: "F-33",
        title: "Evaluating productionData",
        text:
          "`productionData` MUST have an entry for each answered question in question order; `key` is the " +
          "question's `productionKey`. For `single`: `value` (the `productionCode`) and `ref: {questionId, " +
          "answerId}`. For `multiple`: `values` (the `productionCode`s) and `ref: {questionId, answerIds}`, both " +
          "in the order of the definition's answers. For `text`: `value` (the text). For `upload`: `value` (the " +
          "upload id), or `values` (a list of them) where `max` is above 1. Text and upload have no `ref`.",
      },
      {
        id: "F-34",
        title: "Base price and currency",
        text:
          "`price.base` is given when the design is saved: integer cents, 0 or more. `price.currency` is the " +
          "shop's currency (D6a).",
      },
      {
        id: "F-35",
        title: "Price lines of answers",
        text:
          "Each chosen answer whose price is not 0 or that has a `variantId` MUST have one line `{q: question id, " +
          "a: answer id, amount: price, variantId: its variantId or null}`. Lines are in question order, then in " +
          "the order of the definition's answers.",
      },
      {
        id: "F-36",
        title: "Price lines of inputs",
        text:
          "An answered `text` or `upload` question whose price is not 0 MUST have the line `{q: question id, a: " +
          '"text" or "upload", amount: price, variantId: null}`.',
      },
      {
        id: "F-37",
        title: "Rounding the price",
        text:
          "`price.rounding` MUST bring the sum of `base` and all amounts to the nearest multiple of the shop's " +
          "`roundingStep` (integer cents, 1 when left out). In a tie it goes up.",
      },
      {
        id: "F-38",
        title: "Total of a price",
        text:
          "`price.total` MUST be `base` plus all amounts plus `rounding`, and never below 0. If the sum is " +
          "below 0, `rounding` makes up for it.",
      },
      {
        id: "F-39",
        title: "Range of amounts",
        text:
          "Amounts, sums and totals MUST stay within ±(2^53 − 1) cents. What would leave this range MUST be " +
          "refused.",
      },
    ],
  },
]
