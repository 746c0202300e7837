import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { Design, DesignInput } from "../../../core/model/Design.ts"
import { created, describe, inputErrors, segment, shop } from "./Common.ts"

const saved = {
  payload: Schema.Struct({ ...DesignInput.fields, selection: Design.fields.selection }).annotate({
    identifier: "DesignInput",
  }),
  error: [...inputErrors, Errors.Conflict, Errors.DesignFrozen, Errors.Refused],
} as const

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
      params: { ...shop, id: segment("The design's id: any 1 to 255 characters, none of them a control character") },
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
    HttpApiEndpoint.post("addDesign", "/shops/:shop/designs", {
      ...saved,
      params: shop,
      success: Design.pipe(created),
    }).annotateMerge(describe("Save a new design", "Saves a new design as a draft, under a generated id.", form)),
  )
  .annotateMerge(OpenApi.annotations({ title: "Designs", description: "Products as buyers configured them." }))
