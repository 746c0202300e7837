import type { Definition } from "../model/Definition.ts"
import type { Design, ProductionEntry, Selection, SummaryEntry } from "../model/Design.ts"

/** What stands in the place of a buyer's text or upload id (D43). */
export const redacted = "[redacted]"

/**
 * A design without what its buyer wrote or uploaded (D43): texts and upload ids are {@link redacted}, as many as there were; codes, prices and everything else
 * stay. `definition` is that of the customizer's version that the design is bound to. A design that is redacted already stays as it is.
 */
export const redactDesign = (design: Design, definition: Definition): Design => {
  const chosen = new Set(
    definition.questions.filter(({ type }) => type === "single" || type === "multiple").map(({ id }) => id),
  )
  // Both lists have an entry for each answered question, in the same order. What the buyer chose has a reference, what the buyer gave has none.
  const isGiven = design.productionData.map((entry) => entry.ref === undefined)
  return {
    ...design,
    selection: redactSelection(design.selection, chosen),
    summary: design.summary.map(
      (entry, index): SummaryEntry => (isGiven[index] === true ? { ...entry, value: redactValue(entry.value) } : entry),
    ),
    productionData: design.productionData.map((entry, index): ProductionEntry => {
      if (isGiven[index] !== true) return entry
      return "values" in entry ? { ...entry, values: entry.values.map(() => redacted) } : { ...entry, value: redacted }
    }),
  }
}

const redactValue = (value: SummaryEntry["value"]) => (typeof value === "string" ? redacted : value.map(() => redacted))

/** Answers to questions without choices: a text is an object, which may have further keys (D44), an upload its id or a list of ids. */
const redactSelection = (selection: Selection, chosen: ReadonlySet<string>): Selection =>
  Object.fromEntries(
    Object.entries(selection).map(([question, value]) => {
      if (chosen.has(question)) return [question, value]
      if (Array.isArray(value)) return [question, value.map(() => redacted)]
      return [question, typeof value === "string" ? redacted : { text: redacted }]
    }),
  )
