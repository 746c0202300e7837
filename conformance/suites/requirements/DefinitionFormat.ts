import type { Section } from "./Requirement.ts"

/** The format of a customizer's definition (schemaVersion 1), and what publishing checks. */
export const definitionFormat: ReadonlyArray<Section> = [
  {
    id: "definition-format",
    title: "The format of a definition",
    from: "definition",
    rows: [
      {
        id: "F-1",
        title: "Form of a definition",
        text:
          "A definition is `{schemaVersion: 1, steps, questions, rules}`. The last three are lists of steps, " +
          "questions and rules.",
      },
      {
        id: "F-2",
        title: "Form of a step",
        text: "A step is `{id, title, view, printAreas?}`. `view` is the name of the view that is shown in the step.",
      },
      {
        id: "F-3",
        title: "Form of a print area",
        text:
          "A print area is `{id, x, y, width, height}` in pixels of the step's view. The four are numbers of 0 or " +
          "more; `width` and `height` are more than 0.",
      },
      {
        id: "F-4",
        title: "Form of a question",
        text:
          "A question is `{id, step, title, type, hidden?, required?, orderKey?, productionKey?, …}`. `step` is a " +
          "step's id, `type` is `single`, `multiple`, `text` or `upload`. `hidden` and `required` are booleans, " +
          "`false` when left out. `orderKey` (left out: `title`) and `productionKey` (left out: `id`) are its keys " +
          "in `summary` and `productionData`.",
      },
      {
        id: "F-5",
        title: "Answers of a question",
        text:
          "A `single` or `multiple` question MUST have at least one answer in `answers`. A `text` or `upload` " +
          "question has none.",
      },
      {
        id: "F-6",
        title: "Numbers of answers and files",
        text:
          "`min` and `max` say how many answers a `multiple` question takes, and how many files an `upload` " +
          "question takes. `max` of an `upload` question is 1 when left out.",
      },
      {
        id: "F-7",
        title: "Length of a text",
        text:
          "`maxLength` is the longest text that a `text` question takes, in Unicode code points. It is 255 when " +
          "left out.",
      },
      {
        id: "F-8",
        title: "Price of a question",
        text: "`price` of a `text` or `upload` question (integer cents) is charged once when the question is answered.",
      },
      {
        id: "F-9",
        title: "Print area of a question",
        text: "`printArea` of a question is the id of a print area.",
      },
      {
        id: "F-10",
        title: "Form of an answer",
        text:
          "An answer is `{id, title, orderValue?, productionCode, price?, variantId?, layers?}`. `orderValue` " +
          "(left out: `title`) is what `summary` shows, `productionCode` (string) is what `productionData` shows.",
      },
      {
        id: "F-11",
        title: "Price and variant of an answer",
        text:
          "`price` of an answer is in integer cents, may be negative, and is 0 when left out. `variantId` is a " +
          "string, an integer or `null` (D44).",
      },
      {
        id: "F-12",
        title: "Layers of an answer",
        text: "`layers` of an answer is a list of `{view, path}`. `path` is relative to the customizer's `assetBase`.",
      },
      {
        id: "F-13",
        title: "Form of a rule",
        text:
          "A rule is `{id, when, show?, hide?, disable?}`. `when` is a condition, `show` and `hide` are lists of " +
          "question ids, and `disable` is a list of `{question, answers}` with a question id and answer ids.",
      },
      {
        id: "F-14",
        title: "Forms of a condition",
        text:
          "A condition is one of: `{question, is}` (the answer id `is` is chosen, or is among the chosen ones of a " +
          "`multiple` question), `{question, answered}` (the question is answered for `true`, is not for `false`), " +
          "`{all: [conditions]}`, `{any: [conditions]}` and `{not: condition}`.",
      },
      {
        id: "F-15",
        title: "Unknown keys",
        text:
          "Keys that the format does not know MUST be kept and returned unchanged, wherever they stand in a " +
          "definition.",
      },
    ],
  },
  {
    id: "definition-publishing",
    title: "Publishing a definition",
    from: "definition",
    rows: [
      {
        id: "F-16",
        title: "Refusing a definition",
        text:
          "Publishing MUST refuse a definition with a fault and name every problem with its path, e.g. " +
          "`questions[2].answers[0].price` (D46 limits how many are listed).",
      },
      {
        id: "F-17",
        title: "Shape of a definition",
        text: "Publishing MUST refuse a definition that does not have the shape of F-1 to F-14.",
      },
      {
        id: "F-18",
        title: "Ids occur once",
        text:
          "Publishing MUST refuse an id that occurs twice among the steps, among the questions, among the rules, " +
          "among the print areas, or among the answers of one question.",
      },
      {
        id: "F-19",
        title: "References lead somewhere",
        text: "Publishing MUST refuse a reference to a step, question, answer, print area or view that does not exist.",
      },
      {
        id: "F-20",
        title: "Rules look back",
        text:
          "Publishing MUST refuse a rule whose condition reads a question that does not come before every question " +
          "that the rule shows, hides or disables. So one pass in question order settles everything.",
      },
      {
        id: "F-21",
        title: "Contradictions in a definition",
        text:
          "Publishing MUST refuse a `single` or `multiple` question without answers, a `min` above `max`, and a " +
          "rule that shows and hides the same question.",
      },
      {
        id: "F-22",
        title: "Steps and views",
        text: "Publishing MUST refuse a definition without a step, and a view named `<first view>_thumb` (D7).",
      },
    ],
  },
]
