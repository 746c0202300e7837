import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { Design, DesignInput } from "../../../core/model/Design.ts"
import { created, describe, inputErrors, readErrors, removed, segment, shop } from "./Common.ts"

const saved = {
  payload: Schema.Struct({ ...DesignInput.fields, selection: Design.fields.selection }).annotate({
    identifier: "DesignInput",
  }),
  error: [...inputErrors, Errors.Conflict, Errors.DesignFrozen],
} as const

const params = {
  ...shop,
  id: segment("The design's id: any 1 to 255 characters, none of them a control character"),
}

const form = [
  "`selection` has the buyer's answers by question id, in at most 64 KiB;",
  "`basePrice` is the product's price in cents without them; `createdAt` defaults to the current time.",
  "An answer that the customizer does not allow is refused, with every problem and its path.",
].join(" ")

/** Products as buyers configured them. */
export const designs = HttpApiGroup.make("designs")
  .add(
    HttpApiEndpoint.put("putDesign", "/shops/:shop/designs/:id", {
      ...saved,
      params,
      success: [Design, Design.pipe(created)],
    }).annotateMerge(
      describe(
        "Save a design",
        "Saves the design as a draft under an id of your own: 201 for a new design, 200 for one that was saved before.",
        "A design that is ordered or cancelled is frozen: 409.",
        form,
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("createDesign", "/shops/:shop/designs", {
      ...saved,
      params: shop,
      success: Design.pipe(created),
    }).annotateMerge(describe("Save a new design", "Saves a new design as a draft, under a generated id.", form)),
  )
  .add(
    HttpApiEndpoint.delete("deleteDesign", "/shops/:shop/designs/:id", {
      params,
      success: removed,
      error: [...readErrors, Errors.Conflict, Errors.DesignFrozen],
    }).annotateMerge(
      describe(
        "Delete a draft",
        "Deletes the draft, and replaces the buyer's texts and uploads by `[redacted]` in its stored events.",
        "Nothing is sent, it can't be undone, and its id is free again.",
        "A design that is ordered or cancelled stays: 409. Redact it instead.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("redactDesign", "/shops/:shop/designs/:id/redact", {
      params,
      success: Design,
      error: [...readErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Redact a design",
        "Replaces the buyer's texts and uploads by `[redacted]`, in the design and in its stored events,",
        "whatever its status. Codes and prices stay, tags change, nothing is sent, and it can't be undone.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Designs", description: "Products as buyers configured them." }))
