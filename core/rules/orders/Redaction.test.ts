import { Result } from "effect"
import { describe, expect, it } from "vitest"
import vectors from "../../../conformance/suites/vectors/customizers.json" with { type: "json" }
import type { Definition } from "../../model/catalog/Definition.ts"
import type { Design, Selection } from "../../model/catalog/Design.ts"
import { compile } from "../catalog/Compile.ts"
import { evaluate } from "../catalog/Evaluation.ts"
import { redactDesign, redacted } from "./Redaction.ts"

const definition: Definition = {
  schemaVersion: 1,
  steps: [{ id: "s", title: "S", view: "front" }],
  questions: [
    {
      id: "metal",
      step: "s",
      type: "single",
      title: "Metal",
      answers: [{ id: "gold", title: "Gold", productionCode: "AU", price: 500 }],
    },
    { id: "text", step: "s", type: "text", title: "Engraving", maxLength: 5, price: 300 },
    {
      id: "extras",
      step: "s",
      type: "multiple",
      title: "Extras",
      answers: [{ id: "card", title: "Card", productionCode: "C" }],
    },
    { id: "photo", step: "s", type: "upload", title: "Photo" },
    { id: "photos", step: "s", type: "upload", title: "Photos", max: 3 },
    { id: "secret", step: "s", type: "text", title: "Hidden", hidden: true },
    { id: "note", step: "s", type: "text", title: "Note" },
  ],
  rules: [],
}

const selection: Selection = {
  photos: ["upl_1", "upl_2"],
  text: { text: "Jo", font: "Jo's own" },
  metal: "gold",
  extras: ["card"],
  photo: "upl_3",
  secret: { text: "shh" },
  note: { text: "  " },
}

const designOf = (selection: Selection): Design => ({
  id: "d",
  status: "ordered",
  customizer: { id: 1, title: "Ring", version: 1 },
  order: { id: "1", name: "#1", lineItemId: "l" },
  selection,
  ...Result.getOrThrow(evaluate(compile(definition), { selection, basePrice: 1000, currency: "EUR", roundingStep: 1 })),
  images: { front: "https://images.example.com/d/front.png" },
  thumbnail: "https://images.example.com/d/thumb.png",
  createdAt: "2026-10-05T14:48:00.000+00:00",
  orderedAt: "2026-10-05T14:48:00.000+00:00",
})

describe("redactDesign", () => {
  it("MUST replace each text and upload id, and keep codes, prices and the rest (D43)", () => {
    const design = designOf(selection)
    const after = redactDesign(design, definition)
    expect(after.selection).toEqual({
      photos: [redacted, redacted],
      text: { text: redacted },
      metal: "gold",
      extras: ["card"],
      photo: redacted,
      secret: { text: redacted },
      note: { text: redacted },
    })
    expect(after.summary).toEqual([
      { key: "Metal", value: "Gold" },
      { key: "Engraving", value: redacted },
      { key: "Extras", value: ["Card"] },
      { key: "Photo", value: redacted },
      { key: "Photos", value: [redacted, redacted] },
    ])
    expect(after.productionData).toEqual([
      { key: "metal", value: "AU", ref: { questionId: "metal", answerId: "gold" } },
      { key: "text", value: redacted },
      { key: "extras", values: ["C"], ref: { questionId: "extras", answerIds: ["card"] } },
      { key: "photo", value: redacted },
      { key: "photos", values: [redacted, redacted] },
    ])
    const { productionData: _, selection: __, summary: ___, ...rest } = after
    const { productionData: ____, selection: _____, summary: ______, ...before } = design
    expect(rest).toEqual(before)
  })

  it("MUST NOT change a redacted design, or one without texts and uploads (D43)", () => {
    const once = redactDesign(designOf(selection), definition)
    expect(redactDesign(once, definition)).toEqual(once)
    const plain = designOf({ metal: "gold", extras: [] })
    expect(redactDesign(plain, definition)).toEqual(plain)
  })

  it("MUST remove every text and upload of the sample shop", () => {
    const mark = "Zz9"
    for (const { definition } of vectors as unknown as ReadonlyArray<{ readonly definition: Definition }>) {
      const given: Selection = Object.fromEntries(
        definition.questions
          .filter(({ type }) => type === "text" || type === "upload")
          .map(({ id, type }): [string, unknown] => [id, type === "text" ? { text: mark } : [mark]]),
      )
      const productionData = Object.keys(given).map((key) => ({ key, value: mark }))
      const summary = Object.keys(given).map((key) => ({ key, value: mark }))
      const design = { ...designOf({ metal: "gold" }), selection: given, productionData, summary }
      expect(JSON.stringify(redactDesign(design, definition))).not.toContain(mark)
    }
  })
})
