import { Effect } from "effect"
import type { Json } from "../../../core/model/json/Json.ts"
import { about, equal } from "../Assertion.ts"
import accepted from "../vectors/evaluation.json" with { type: "json" }
import refused from "../vectors/selection-refused.json" with { type: "json" }
import { ask, isError, read } from "./Asking.ts"
import { isRefused, newShop, product, publishVector, saveDesign } from "./Filling.ts"
import { Driver, driving } from "./ServiceCase.ts"

/** The requirements that the vectors are about. */
const cited = (vectors: ReadonlyArray<{ readonly requirements: ReadonlyArray<string> }>): ReadonlyArray<string> => [
  ...new Set(vectors.flatMap(({ requirements }) => requirements)),
]

const step = { id: "s", title: "S", view: "front" }

const text = (id: string): Json => ({ id, step: "s", title: id, type: "text" })

const single = (id: string, answers: ReadonlyArray<string>): Json => ({
  ...{ id, step: "s", title: id, type: "single" },
  answers: answers.map((answer) => ({ id: answer, title: answer, productionCode: answer })),
})

const definition = (fields: Json): Json => ({ schemaVersion: 1, steps: [step], questions: [], rules: [], ...fields })

/** Definitions that can't be published, each with its problem. */
const inconsistent: ReadonlyArray<readonly [what: string, definition: Json]> = [
  ["another schemaVersion", definition({ schemaVersion: 2 })],
  ["no step", definition({ steps: [] })],
  ["an id that occurs twice", definition({ questions: [text("q"), text("q")] })],
  ["an unknown step", definition({ questions: [{ ...text("q"), step: "nowhere" }] })],
  ["a question of an unknown type", definition({ questions: [{ ...text("q"), type: "colour" }] })],
  ["a single question without answers", definition({ questions: [single("q", [])] })],
  [
    "a rule that reads a later question",
    definition({
      questions: [text("first"), single("later", ["a"])],
      rules: [{ id: "r", when: { question: "later", is: "a" }, hide: ["first"] }],
    }),
  ],
  [
    "a rule that names an unknown answer",
    definition({
      questions: [single("first", ["a"]), text("later")],
      rules: [{ id: "r", when: { question: "first", is: "b" }, hide: ["later"] }],
    }),
  ],
]

/** Numbers that JSON can't give back, or that were rounded before. */
const inexact = [2 ** 53, -(2 ** 53), 1e300]

const evaluates = Effect.fnUntraced(function* (vector: (typeof accepted)[number]) {
  const { basePrice, currency, customizer, expected, name, roundingStep, selection } = vector
  const shop = yield* newShop({ currency, roundingStep })
  if (customizer !== 101) yield* publishVector(shop.id, customizer)
  yield* saveDesign(shop, "d-1", { customizerId: customizer, selection, basePrice })
  const design = yield* read(shop.token, "/designs/d-1")
  const { price, productionData, summary } = design
  // As text, because the key order is part of the format.
  yield* equal(name, JSON.stringify({ summary, productionData, price }), JSON.stringify(expected))
  yield* equal(`${name}: selection`, JSON.stringify(design["selection"]), JSON.stringify(selection))
})

/** From choices to summary, production data and price. */
export const evaluationCases = driving([
  {
    id: "evaluation.vectors",
    title: "MUST evaluate every vector's selection to its summary, production data and price",
    requirements: cited(accepted),
    run: Effect.gen(function* () {
      for (const vector of accepted) yield* about(vector.requirements, evaluates(vector))
    }),
  },
  {
    id: "evaluation.refused",
    title: "MUST refuse every vector's invalid selection, and save nothing",
    requirements: cited(refused),
    run: Effect.gen(function* () {
      const shop = yield* newShop()
      for (const id of [102, 103]) yield* publishVector(shop.id, id)
      for (const { customizer: customizerId, name, requirements, selection } of refused) {
        const saved = saveDesign(shop, "d-1", { customizerId, selection: selection as Json, basePrice: 1 })
        yield* about(requirements, isRefused(name, saved))
        yield* isError(`the design after: ${name}`, yield* ask(shop.token, "/designs/d-1"), 404)
      }
    }),
  },
  {
    id: "evaluation.definitions",
    title: "MUST refuse to publish an inconsistent definition, and keep the published version",
    requirements: ["F-16", "F-17", "F-18", "F-19", "F-20", "F-21", "F-22"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* driver.putCustomizer({ shop: shop.id, id: 7, input: product })
      yield* driver.publish({ shop: shop.id, id: 7, definition: definition({ questions: [text("q")] }) })
      const before = yield* ask(shop.token, "/customizers/7")
      for (const [what, bad] of inconsistent) {
        yield* isRefused(what, driver.publish({ shop: shop.id, id: 7, definition: bad }))
        yield* equal(`the customizer after ${what}`, (yield* ask(shop.token, "/customizers/7")).text, before.text)
      }
    }),
  },
  {
    id: "evaluation.numbers",
    title:
      "MUST return the numbers of definitions and texts unchanged, and refuse those that can't be, storing nothing",
    requirements: ["D44a"],
    run: Effect.gen(function* () {
      const driver = yield* Driver
      const shop = yield* newShop()
      yield* driver.putCustomizer({ shop: shop.id, id: 7, input: product })
      const published = (notes: ReadonlyArray<unknown>, variantId: unknown = null) => {
        const [answer] = [{ id: "a", title: "A", productionCode: "A", variantId }]
        const choice = { ...single("choice", []), answers: [answer] }
        const questions = [text("q"), choice]
        return driver.publish({ shop: shop.id, id: 7, definition: definition({ questions, notes }) })
      }
      const kept = [2 ** 53 - 1, 1 - 2 ** 53, 0.1, 1e-7, -1.5, 100]
      yield* published(kept, 2 ** 53 - 1)
      const before = yield* read(shop.token, "/customizers/7")
      const { notes } = before["definition"] as Json
      yield* equal("notes", notes, kept)
      const save = (numbers: ReadonlyArray<unknown>) =>
        saveDesign(shop, "d-1", {
          customizerId: 7,
          selection: { q: { text: "a", numbers }, choice: "a" },
          basePrice: 1,
        })
      yield* save(kept)
      const { selection } = yield* read(shop.token, "/designs/d-1")
      yield* equal("numbers", (selection as { readonly q: Json }).q["numbers"], kept)
      for (const number of inexact) {
        yield* isRefused(`a further key ${number}`, published([1, number]), 422)
        yield* isRefused(`variantId ${number}`, published([], number), 422)
        yield* isRefused(`a key of a text ${number}`, save([1, number]), 422)
      }
      yield* equal("the customizer", yield* read(shop.token, "/customizers/7"), before)
      yield* equal("the selection", (yield* read(shop.token, "/designs/d-1"))["selection"], selection)
    }),
  },
])
