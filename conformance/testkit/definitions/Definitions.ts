/** A definition to modify, and the problems of publishing it. */
import { Result } from "effect"
import type { Problem, Problems } from "../../../core/model/Problem.ts"
import { publishCheck } from "../../../core/rules/catalog/PublishCheck.ts"

export const base = () => ({
  schemaVersion: 1,
  steps: [
    { id: "s0", title: "Ring", view: "front", printAreas: [{ id: "p0", x: 0, y: 1.5, width: 10, height: 20 }] },
    { id: "s1", title: "Back", view: "back" },
  ],
  questions: [
    {
      id: "metal",
      step: "s0",
      title: "Metal",
      type: "single",
      required: true,
      answers: [
        { id: "silver", title: "Silver", productionCode: "AG" },
        {
          id: "gold",
          title: "Gold",
          orderValue: "14k",
          productionCode: "AU",
          price: -5,
          variantId: null,
          layers: [{ view: "back", path: "gold.png" }],
        },
      ],
    },
    {
      id: "stones",
      step: "s0",
      title: "Stones",
      type: "multiple",
      min: 1,
      max: 2,
      answers: [
        { id: "ruby", title: "Ruby", productionCode: "RB" },
        { id: "opal", title: "Opal", productionCode: "OP" },
      ],
    },
    { id: "line", step: "s1", title: "Line", type: "text", hidden: true, maxLength: 10, price: 100, printArea: "p0" },
    { id: "photo", step: "s1", title: "Photo", type: "upload", max: 2, orderKey: "Picture", productionKey: "IMG" },
  ],
  rules: [
    { id: "r0", when: { question: "metal", is: "gold" }, show: ["line"] },
    {
      id: "r1",
      when: { all: [{ question: "metal", answered: true }, { not: { any: [{ question: "stones", is: "ruby" }] } }] },
      hide: ["photo"],
    },
    { id: "r2", when: { question: "metal", is: "gold" }, disable: [{ question: "stones", answers: ["opal"] }] },
  ],
})

export const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

export type Changes = Readonly<Record<string, unknown>>

/** The base with values at paths such as `questions[0].id`; `undefined` removes the key. */
export const changed = (changes: Changes): unknown => {
  const definition: unknown = base()
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.match(/[^.[\]]+/g) ?? []
    const holder = keys.slice(0, -1).reduce<unknown>((at, key) => (isContainer(at) ? at[key] : undefined), definition)
    if (!isContainer(holder)) throw new Error(`nothing at ${path}`)
    const key = String(keys.at(-1))
    if (value === undefined) delete holder[key]
    else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
  }
  return definition
}

export const refusalOf = (input: unknown): Problems =>
  Result.match(publishCheck(input), { onFailure: (problems) => problems, onSuccess: () => ({ listed: [], total: 0 }) })

export const problemsOf = (input: unknown): ReadonlyArray<Problem> => refusalOf(input).listed

export const pathsOf = (input: unknown): ReadonlyArray<string> => problemsOf(input).map(({ path }) => path)

/** Each entry: the requirement, the change to the base, and the exact paths of the expected problems. */
export type Refusal = readonly [string, Changes, ...paths: ReadonlyArray<string>]

export const stepsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, title: "", view: "front" }))
