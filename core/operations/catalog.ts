import { Effect, Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { Customizer, CustomizerInput } from "../model/catalog/Customizer.ts"
import { Definition } from "../model/catalog/Definition.ts"
import { Design, DesignInput } from "../model/catalog/Design.ts"
import { DraftPage } from "../model/catalog/Draft.ts"
import { noted } from "../model/Means.ts"
import { draftsQuery } from "../model/queries/Queries.ts"
import { deleteDesign } from "../usecases/catalog/DeleteDesign.ts"
import { listDrafts } from "../usecases/catalog/Drafts.ts"
import { publishCustomizer } from "../usecases/catalog/PublishCustomizer.ts"
import { putCustomizer } from "../usecases/catalog/PutCustomizer.ts"
import { readCustomizer } from "../usecases/catalog/ReadCustomizer.ts"
import { readDesign } from "../usecases/catalog/ReadDesign.ts"
import { redactDesign } from "../usecases/catalog/RedactDesign.ts"
import { saveDesign } from "../usecases/catalog/SaveDesign.ts"
import * as Errors from "./Errors.ts"
import { asStored, functionOnly, operation } from "./Operation.ts"
import { created, customizerId, describe, inputErrors, readErrors, removed, segment, shop } from "./Parts.ts"

const customizer = { ...shop, id: segment("The customizer's id: a positive integer up to 2^53 − 1") }

export const customizers = {
  id: "customizers",
  comment: "Configurable products.",
  title: "Customizers",
  description: "Products that buyers can configure.",
  operations: {
    put: operation(
      HttpApiEndpoint.put("putCustomizer", "/shops/:shop/customizers/:id", {
        params: customizer,
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
      {
        ids: { id: customizerId },
        input: "body",
        call: putCustomizer,
        answer: (stored) => asStored(stored),
        method: "changes",
        comment:
          "Creates a customizer or replaces its description; published versions stay. `id`: a positive integer of " +
          "yours. Fails with `NotFound` without the shop, `InvalidInput`.",
      },
    ),
    publish: operation(
      HttpApiEndpoint.post("publish", "/shops/:shop/customizers/:id/publish", {
        params: customizer,
        payload: Schema.Struct({ definition: Definition }).annotate({
          identifier: "PublishInput",
          documentation: "The input of publishing.",
        }),
        success: Customizer,
        error: [...inputErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Publish a definition",
          "Makes the definition the customizer's next version. Designs that were saved on an earlier version keep it.",
          "An inconsistent definition is refused, with every problem and its path. It may have at most 512 KiB.",
        ),
      ),
      {
        ids: { id: customizerId },
        input: "body",
        call: publishCustomizer,
        answer: (stored) => asStored(stored),
        method: "changes",
        comment:
          "Publishes a definition as the customizer's next version. Every version is kept, and designs stay bound to " +
          "their version. Fails with `NotFound`, `InvalidInput`, `TooLarge` above 512 KiB, `Refused` with the " +
          "problems of the definition.",
      },
    ),
    get: functionOnly({
      ids: { shop: { type: "string" }, id: customizerId },
      gives: Customizer,
      call: readCustomizer,
      method: "reads",
      comment: "Fails with `NotFound`.",
    }),
  },
} as const

const saved = {
  payload: Schema.Struct({
    ...DesignInput.fields,
    selection: noted(
      "Values by question id, as the question's type says: an answer's id, a list of them, `{ text }`, an upload's id or a " +
        "list of them.",
      Design.fields.selection,
    ),
  }).annotate({
    identifier: "DesignInput",
    documentation: "A buyer's choices.",
  }),
  error: [...inputErrors, Errors.Conflict, Errors.DesignFrozen],
} as const

const design = {
  ...shop,
  id: segment("The design's id: any 1 to 255 characters, none of them a control character"),
}

const form = [
  "`selection` has the buyer's answers by question id, in at most 64 KiB;",
  "`basePrice` is the product's price in cents without them; `createdAt` defaults to the current time.",
  "An answer that the customizer does not allow is refused, with every problem and its path.",
].join(" ")

/** The answer to a design that was saved. */
const asSaved = (result: Effect.Success<ReturnType<typeof saveDesign>>) =>
  asStored(result.design, result.created ? 201 : 200)

export const designs = {
  id: "designs",
  title: "Designs",
  description: "Products as buyers configured them.",
  operations: {
    save: functionOnly({
      ids: { shop: { type: "string" }, id: { type: "string | undefined" } },
      input: "body",
      takes: saved.payload,
      gives: Design,
      call: (shop: string, id: string | undefined, input: DesignInput) =>
        Effect.map(saveDesign(shop, id, input), ({ design }) => design),
      method: "changes",
      comment:
        "Saves a buyer's choices as a design, or saves a draft again. `id`: 1 to 255 characters of yours; " +
        "`undefined` for a generated id. The choices are evaluated on the version of the customizer that is " +
        "published at the time.\n\n" +
        "Fails with `NotFound` without the shop or the customizer, `InvalidInput`, `Refused` with the problems of " +
        "the selection, `TooLarge` for a selection above 64 KiB or a design above 256 KiB, `Conflict` if the " +
        "customizer was never published, `DesignFrozen` if the design is ordered or cancelled.",
    }),
    get: functionOnly({
      ids: { shop: { type: "string" }, id: { type: "string" } },
      gives: Design,
      call: readDesign,
      method: "reads",
      comment: "Fails with `NotFound`.",
    }),
    drafts: operation(
      HttpApiEndpoint.get("listDrafts", "/shops/:shop/designs", {
        params: shop,
        success: DraftPage,
        error: [Errors.InvalidInput, ...readErrors],
      }).annotateMerge(
        describe(
          "List drafts",
          "The shop's drafts, those saved last first: designs that nobody has ordered, with the time at which each was",
          "saved last. `customizer` and `savedBefore` select some of them.",
        ),
      ),
      {
        input: "query",
        query: draftsQuery,
        call: listDrafts,
        method: "reads",
        comment:
          "A page of the drafts, those saved last first: of all customizers or of one, also those alone that were not " +
          "saved again since a time. Its `nextCursor` leads to the next page. Fails with `NotFound`, `InvalidInput`.",
      },
    ),
    putOwn: operation(
      HttpApiEndpoint.put("putDesign", "/shops/:shop/designs/:id", {
        ...saved,
        params: design,
        success: [Design, Design.pipe(created)],
      }).annotateMerge(
        describe(
          "Save a design",
          "Saves the design as a draft under an id of your own: 201 for a new design, 200 for one that was saved before.",
          "A design that is ordered or cancelled is frozen: 409.",
          form,
        ),
      ),
      {
        input: "body",
        call: saveDesign,
        answer: asSaved,
      },
    ),
    createNew: operation(
      HttpApiEndpoint.post("createDesign", "/shops/:shop/designs", {
        ...saved,
        params: shop,
        success: Design.pipe(created),
      }).annotateMerge(describe("Save a new design", "Saves a new design as a draft, under a generated id.", form)),
      {
        input: "body",
        call: (shop: string, input: DesignInput) => saveDesign(shop, undefined, input),
        answer: asSaved,
      },
    ),
    redact: operation(
      HttpApiEndpoint.post("redactDesign", "/shops/:shop/designs/:id/redact", {
        params: design,
        success: Design,
        error: [...readErrors, Errors.Conflict],
      }).annotateMerge(
        describe(
          "Redact a design",
          "Replaces the buyer's texts and uploads by `[redacted]`, in the design and in its stored events,",
          "whatever its status. Codes and prices stay, tags change, nothing is sent, and it can't be undone.",
        ),
      ),
      {
        call: redactDesign,
        answer: (stored) => asStored(stored),
        method: "changes",
        comment:
          "Replaces texts and uploads of the buyer in the design, whatever its status, and in kept events that " +
          "contain it, with `[redacted]`. Codes and prices stay, and nothing is sent. This can't be undone. Fails " +
          "with `NotFound`.",
      },
    ),
    delete: operation(
      HttpApiEndpoint.delete("deleteDesign", "/shops/:shop/designs/:id", {
        params: design,
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
      {
        call: deleteDesign,
        method: "changes",
        comment:
          "Deletes a draft, and replaces texts and uploads of the buyer in kept events that contain it with " +
          "`[redacted]`. Nothing is sent, and this can't be undone. Fails with `NotFound`, `DesignFrozen` if the " +
          "design is ordered or cancelled.",
      },
    ),
  },
} as const
