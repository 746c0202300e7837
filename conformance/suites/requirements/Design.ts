import type { Section } from "./Requirement.ts"

/** §2.1: the fields of a design, in the REST API and in webhooks alike. */
export const design: ReadonlyArray<Section> = [
  {
    id: "§2",
    title: "Resources and their fields",
    from: "specification",
    rows: [],
  },
  {
    id: "§2.1",
    title: "Design",
    from: "specification",
    rows: [
      {
        id: "§2.1-1",
        title: "Design id",
        text: "`id` (string) identifies the design.",
      },
      {
        id: "§2.1-2",
        title: "Design status",
        text: "`status` (string) MUST be `draft`, `ordered` or `cancelled` (§3-1).",
      },
      {
        id: "§2.1-3",
        title: "Customizer of a design",
        text:
          "`customizer` (object) MUST name the customizer and the version that the design was made with: `id` " +
          "(integer), `title` (string), `version` (integer).",
      },
      {
        id: "§2.1-4",
        title: "Order of a design",
        text:
          "`order` MUST be `null` until the design is ordered, then an object: `id` (string, the platform's order " +
          "id), `name` (string, the order's display name) and `lineItemId` (string).",
      },
      {
        id: "§2.1-5",
        title: "Raw selection",
        text:
          "`selection` (object) is the buyer's raw choice, keyed by question id. A single choice is an answer id, " +
          "a multiple choice a list of answer ids, a text input an object with the string `text`, and uploads " +
          "appear as upload ids (F-27).",
      },
      {
        id: "§2.1-6",
        title: "Entries of summary",
        text:
          "`summary` (array) has entries `{key: string, value}` made from the display (order) values of the chosen " +
          "answers. `value` is a string, or a list of strings for a multiple choice (F-32).",
      },
      {
        id: "§2.1-7",
        title: "Entries of productionData",
        text:
          "`productionData` (array) has entries made from the production codes of the chosen answers: `key` " +
          "(string), and `value` (string) or, for a multiple choice, `values` (list of strings) (F-33).",
      },
      {
        id: "§2.1-8",
        title: "References in productionData",
        text:
          "An entry of `productionData` that comes from chosen answers MUST say which: `ref` is `{questionId, " +
          "answerId}` for a single choice and `{questionId, answerIds}` for a multiple choice, all strings. An " +
          "entry of a free-text input has `key` and `value` and no `ref`.",
      },
      {
        id: "§2.1-9",
        title: "Parts of the price",
        text:
          "`price` (object) has `base`, `rounding` and `total` (integers in cents), `lines` (array) and `currency` " +
          "(the currency code as a string).",
      },
      {
        id: "§2.1-10",
        title: "Lines of the price",
        text:
          "An entry of `price.lines` has `q` (the question id), `a` (the answer id), `amount` (integer cents) and " +
          "`variantId` (an identifier of the platform or `null`; D44).",
      },
      {
        id: "§2.1-11",
        title: "Image URLs",
        text:
          "`images` (object) MUST have one URL (string) for each view, keyed by the view's name. A URL MUST stay " +
          "the same when its picture is rendered again (D7).",
      },
      {
        id: "§2.1-12",
        title: "Thumbnail URL",
        text: "`thumbnail` (string) is the URL of a small version of the first view.",
      },
      {
        id: "§2.1-13",
        title: "Time of creation",
        text: "`createdAt` (string) is an ISO 8601 timestamp with an offset (D1).",
      },
      {
        id: "§2.1-14",
        title: "Time of ordering",
        text:
          "`orderedAt` is the time at which the design was ordered: an ISO 8601 timestamp with an offset (D1), or " +
          "`null` for a draft (D2).",
      },
      {
        id: "§2.1-15",
        title: "Question order, hidden questions",
        text: "`summary` and `productionData` MUST follow the order of the questions and leave out hidden questions.",
      },
      {
        id: "§2.1-16",
        title: "Frozen once ordered",
        text: "A design MUST NOT change once it is ordered (D4 says what this leaves open).",
      },
    ],
  },
]
