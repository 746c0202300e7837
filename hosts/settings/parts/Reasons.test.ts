/** The words for the reasons that the service gives: every sentence of its code that says why has German ones. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { parseSync } from "oxc-parser"
import { german } from "../texts/German.ts"
import { reasonIn } from "./Reasons.ts"

const { reasons } = german.texts

/** What the app says for a reason with a table of words; `undefined` if it leaves the reason as it is. */
const inWords = (table: typeof reasons, said: string): string | undefined => {
  const { lang, text } = reasonIn(
    { site: { language: german }, texts: { ...german.texts, reasons: table } },
    said,
    3_000,
  )
  return lang === "en" ? undefined : text
}

/** The code that gives reasons, and what its texts with blanks are that give none. */
const sources: Readonly<Record<string, RegExp>> = {
  "core/rules/ingest/Decide.ts": /never/,
  "core/rules/ingest/Stage.ts": /never/,
  "core/rules/ingest/Shopify.ts": /never/,
  "core/rules/ingest/WooCommerce.ts": /never/,
  "core/rules/ingest/Reading.ts": /never/,
  "core/rules/ingest/ApiAnswer.ts": /answered \{\}\{\}$/,
  "core/usecases/ingest/AskPlatform.ts": /^Basic /,
  "core/usecases/ingest/ApplyEvent.ts":
    /^The shop has no event|^The store can't|^The event|took more|trying again|seconds$/,
  "core/usecases/ingest/OrderChanges.ts": /never/,
  "core/usecases/ingest/PlaceReport.ts": /was not read$|^\{\} is a copy of/,
  "core/rules/catalog/Evaluation.ts": /never/,
  "core/rules/catalog/SelectionValue.ts": /never/,
  "core/rules/catalog/JsonCheck.ts": /never/,
  "core/rules/catalog/PublishCheck.ts": /^ when left out$|^is \{\}, more/,
  "core/rules/catalog/RuleCheck.ts": /^is changed|^does not come before|^\{\} \{\};/,
  "core/rules/catalog/ShapeCheck.ts": /^A schema of kind/,
  "core/rules/catalog/DefinitionNames.ts": /never/,
  "core/usecases/catalog/CheckDefinition.ts": /never/,
  "core/model/json/ExactNumbers.ts": /never/,
  "core/model/ingest/InboxItem.ts": /never/,
  "core/model/json/Json.ts": /^a \{\}$/,
}

type Node = { readonly type: string; readonly [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value

/** The text of a literal, a template, or a sum of these, with `{}` for what it is filled with. */
const textOf = (node: Node): string | undefined => {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"]
  if (node.type === "TemplateLiteral") {
    return (node["quasis"] as ReadonlyArray<{ value: { cooked: string } }>).map(({ value }) => value.cooked).join("{}")
  }
  if (node.type !== "BinaryExpression" || node["operator"] !== "+") return undefined
  const [left, right] = [textOf(node["left"] as Node), textOf(node["right"] as Node)]
  return left === undefined || right === undefined ? undefined : left + right
}

/** The texts in code that have several words. */
const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== "object" || value === null) return []
  const text = isNode(value) ? textOf(value) : undefined
  const own = text !== undefined && /\p{L}{2}/u.test(text) && /\S /.test(text) ? [text] : []
  const inner = isNode(value) && value.type === "BinaryExpression" && text !== undefined ? [] : Object.values(value)
  return [...own, ...inner.flatMap(textsIn)]
}

const sentencesOf = (file: string): ReadonlyArray<string> =>
  textsIn(parseSync(file, readFileSync(join(import.meta.dirname, "../../..", file), "utf8")).program)

/** Whether a text, or a part of one, has words. */
const hasWords = (text: string): boolean =>
  [text, `{}${text}`, `${text}{}`, `{}${text}{}`].some((said) => Object.hasOwn(reasons, said))

it.each(Object.entries(sources))("MUST have German words for every reason that %s gives (D57, D69)", (file, others) => {
  expect(sentencesOf(file).filter((text) => !others.test(text) && !hasWords(text))).toEqual([])
})

it("MUST have German words for everything that a definition must be (D69)", () => {
  const definition = readFileSync(join(import.meta.dirname, "../../../core/model/catalog/Definition.ts"), "utf8")
  const expected = [...definition.matchAll(/expected: (["`])(.*?)\1/g)].map(([, , text = ""]) =>
    text.replaceAll(/\$\{\w+\}/g, "{}"),
  )
  expect(expected.length).toBeGreaterThan(20)
  expect(expected.filter((text) => /\p{L}/u.test(text) && !hasWords(text))).toEqual([])
})

it.each([
  [
    'The shop has no design "a; b": its line is placed once it has; "c": 1 piece instead of 3; The order keeps its name "#1"',
    'Der Shop hat das Design "a; b" nicht: Seine Position wird angenommen, sobald er es hat; "c": 1 Stück statt 3; Die Bestellung behält ihren Namen "#1"',
  ],
  [
    'The order "1" is pending: "a" is placed once it is paid',
    'Die Bestellung "1" ist noch unbezahlt: "a" wird angenommen, sobald sie bezahlt ist',
  ],
  [
    'The design "a" belongs to the order "1", and a setting refuses copies',
    'Das Design "a" gehört zur Bestellung "1", und eine Einstellung verbietet Kopien',
  ],
  [
    'The order "1" is in the state "x", which no setting names: it is placed once it is paid',
    'Die Bestellung "1" ist im Status "x", den keine Einstellung nennt: Sie wird angenommen, sobald sie bezahlt ist',
  ],
  [
    "line_items[0].id: missing: the platform must send webhooks with all their fields",
    /^line_items\[0\].id: fehlt: Die/,
  ],
  ["created_at: must be a string, not a list", "created_at: muss ein Text sein, nicht eine Liste"],
  [
    'Question "size" ("Größe (cm)") must be a list of answer ids from "s", "m" and 3 more, not an empty string',
    'Die Frage "size" ("Größe (cm)") muss eine Liste von Antwort-IDs aus "s", "m" und 3 weitere sein, nicht ein leerer Text',
  ],
  [
    'Question "a" ("A") is required: expected one of the answer ids "s", "m"',
    'Die Frage "a" ("A") muss beantwortet werden. Erwartet wird eine der Antwort-IDs "s", "m"',
  ],
  [
    '"q" is changed by this rule; a rule may only read questions before all those that it changes',
    '"q" ändert diese Regel selbst; eine Regel darf nur Fragen lesen, die vor allen kommen, die sie ändert',
  ],
  ["is 3, more than max, which is 1 when left out", "ist 3, mehr als max, das 1, wenn es wegbleibt, ist"],
])("MUST say a reason in German with what it is about: %s (D57, D69)", (said, words) => {
  expect(inWords(reasons, said)).toEqual(typeof words === "string" ? words : expect.stringMatching(words))
})

it("MUST leave a sentence as it is that has no words (D57)", () => {
  for (const text of ["Something else", "x: something", "The order is new; Something else", "y".repeat(3_000)]) {
    expect(inWords(reasons, text)).toBeUndefined()
  }
  expect(inWords({}, "It was dismissed")).toBeUndefined()
})
