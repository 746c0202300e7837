import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Errors from "../../../core/api/Errors.ts"
import { Customizer, CustomizerInput } from "../../../core/model/Customizer.ts"
import { Definition } from "../../../core/model/Definition.ts"
import { describe, inputErrors, segment, shop } from "./Common.ts"

const params = { ...shop, id: segment("The customizer's id: a positive integer up to 2^53 − 1") }

/** Products that buyers can configure. */
export const customizers = HttpApiGroup.make("customizers")
  .add(
    HttpApiEndpoint.put("putCustomizer", "/shops/:shop/customizers/:id", {
      params,
      payload: CustomizerInput.annotate({ identifier: "CustomizerInput" }),
      success: Customizer,
      error: inputErrors,
    }).annotateMerge(
      describe(
        "Create or change a customizer",
        "Creates the customizer, or replaces its title, product and asset base.",
        "It has no definition until one is published.",
      ),
    ),
  )
  .add(
    HttpApiEndpoint.post("publish", "/shops/:shop/customizers/:id/publish", {
      params,
      payload: Schema.Struct({ definition: Definition }).annotate({ identifier: "PublishInput" }),
      success: Customizer,
      error: [...inputErrors, Errors.Conflict],
    }).annotateMerge(
      describe(
        "Publish a definition",
        "Makes the definition the customizer's next version. Designs that were saved on an earlier version keep it.",
        "An inconsistent definition is refused, with every problem and its path. It may have at most 512 KiB.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Customizers", description: "Products that buyers can configure." }))
