import type { Definition } from "../../model/catalog/Definition.ts"
import type { Design, ProductionEntry, Selection, SummaryEntry } from "../../model/catalog/Design.ts"

/** Replaces a buyer's text or upload id (D43). */
export const redacted = "[redacted]"

/**
 * Removes the buyer's texts and uploads from a design (D43): each text and upload id becomes {@link redacted}, in equal
 * number; codes, prices and everything else stay. `definition` is the one of the customizer version that the design is
 * bound to. A redacted design is returned unchanged.
 */
export const redactDesign = (design: Design, definition: Definition): Design => {
  const chosen = new Set(
    definition.questions.filter(({ type }) => type === "single" || type === "multiple").map(({ id }) => id),
  )
  // Both lists have one entry per answered question, in the same order. Chosen answers have a reference, given texts
  // don't.
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

/**
 * Answers to questions without choices: a text is an object, which may have further keys (D44); an upload is its id or
 * a list of ids.
 */
const redactSelection = (selection: Selection, chosen: ReadonlySet<string>): Selection =>
  Object.fromEntries(
    Object.entries(selection).map(([question, value]) => {
      if (chosen.has(question)) return [question, value]
      if (Array.isArray(value)) return [question, value.map(() => redacted)]
      return [question, typeof value === "string" ? redacted : { text: redacted }]
    }),
  )
